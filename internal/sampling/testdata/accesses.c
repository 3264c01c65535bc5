/* Reads and writes what it prints: address and size of what is added to, of what is written, and
   of what is read; each for 200 ms of processor time. */
#include <stdio.h>
#include <time.h>

static volatile long added, written[64];
static volatile double values[512];
static double sum;

static double used(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void __attribute__((noinline)) add(int n)
{
  for (int i = 0; i < n; i++)
    __sync_fetch_and_add(&added, 3);
}

static void __attribute__((noinline)) write_all(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 64; j++)
      written[j] = i;
}

static void __attribute__((noinline)) read_all(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 512; j++)
      sum += values[j];
}

int main(void)
{
  printf("%p %zu %p %zu %p %zu\n", (void *)&added, sizeof added, (void *)written, sizeof written,
         (void *)values, sizeof values);
  double end = used() + 0.2;
  while (used() < end)
    add(100000);
  for (end = used() + 0.2; used() < end;)
    write_all(10000);
  for (end = used() + 0.2; used() < end;)
    read_all(1000);
  return sum != 0;
}
