/* golden: --functions=auto,*,!left* */
int plain(int a)
{
  if (a > 3)
    return plain(a - 1);
  return a;
}

int left(int a) { return a; }

void loop(int n)
{
  int i;
#pragma omp parallel for
  for (i = 0; i < n; i++)
    plain(i);
}
