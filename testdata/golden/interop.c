typedef struct omp_interop_s *interop_t;
void g(void);
void f(interop_t obj)
{
#pragma omp interop init(targetsync : obj)
#pragma omp dispatch
  g();
}
