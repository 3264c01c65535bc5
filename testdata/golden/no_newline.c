void g(int);void f(void){
#pragma omp single
g(1);}