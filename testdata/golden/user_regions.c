int _pomp_version(void);
int work(int *p)
{
#pragma pomp inst begin(work, p)
  if (*p == 0) {
#pragma pomp inst altend(work)
    return 0;
  }
#pragma omp inst off
#pragma pomp noinstrument
#pragma omp barrier
#pragma pomp instrument
#pragma omp inst on
#pragma pomp inst end(work)
  return 1;
}
