/* golden: --functions=*,!left* */
#define OUTER(name) int name(int a) { return a; }
#define VISIBLE __attribute__((visibility("default")))
#ifndef WIDE
#define TYPE int
#else
#define TYPE long
#endif
struct pair { int a, b; };
extern int other(int);

int plain(int a)
{
  if (a > 3)
    return plain(a - 1);
  return a;
}

int braceBehind(int a) { /* a comment */
  return a;
}

int oneLine(int a) { return a; } int empty(void) {}

int
gnuStyle(a, b)
     int a;
     char *b;
{
  int c = a;
  return c + b[0];
}

struct pair pairOf(int a) { struct pair p = { a, a }; return p; }
static __inline__ int small(int a) { return a; }
inline int notStatic(int a) { return a; }
VISIBLE TYPE typed(TYPE t)
{
  return t;
}
int (*chosen(int a))(int)
{
  return a ? other : 0;
}
OUTER(fromMacro)
__attribute__((no_instrument_function)) static int untouched(int a) { return a; }
#if defined(ONE)
static int twice(int a)
{
#else
static int twice(long a)
{
#endif
#pragma omp parallel
  other((int)a);
  return 1;
}

int leftAlone(int a) { return a; }

#pragma omp declare simd
int vectors(int a) { return a; }

#pragma omp declare target
int onDevice(int a) { return a; }
#pragma omp end declare target

static int fromDevice(int a) { return a; }

int directives(int n)
{
#pragma omp parallel
  {
#pragma omp critical(narrow)
    other(n);
  }
  return small(n) + untouched(n) + twice(n);
}

void offload(int n)
{
#pragma omp target
  fromDevice(n);
}

#pragma pomp noinstrument
int between(void) { return 1; }
#pragma pomp instrument

int labels(int a)
{
  __label__ out;
  if (a) goto out;
  other(a);
out:
  return a;
}

int main(void)
{
  return directives(3) + plain(2);
}
