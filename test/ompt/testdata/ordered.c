/* ordered.c: no race, though ThreadSanitizer sees no order between the threads of GCC's runtime. */
#include <stdio.h>
#include <omp.h>
int a[1000], b[1000], s, c, x, y;
int main(void){
 int sum=0, p=0;
#pragma omp parallel num_threads(4)
 {
#pragma omp for
  for (int i=0;i<1000;i++) a[i]=i;
#pragma omp for reduction(+:sum)
  for (int i=0;i<1000;i++) { b[i]=a[999-i]; sum+=a[i]; }
#pragma omp critical
  c++;
#pragma omp single
  { s=1;
   for(int k=0;k<20;k++){
#pragma omp task depend(inout:x)
    x++;
#pragma omp task depend(in:x) depend(out:y)
    y=x;
   }
#pragma omp taskwait
   s+=y;
  }
#pragma omp for ordered schedule(dynamic)
  for (int i=0;i<50;i++) {
#pragma omp ordered
   p+=s;
  }
 }
 int q=0;
#pragma omp parallel num_threads(4) firstprivate(q)
 {
#pragma omp single copyprivate(q)
  q=s;
#pragma omp critical(z)
  c+=q;
 }
#pragma omp parallel for num_threads(4) schedule(dynamic,10)
 for(int i=0;i<1000;i++) a[i]+=b[i];
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop
 for(int i=0;i<1000;i++) a[i]+=b[i];
#pragma omp teams distribute parallel for num_teams(2) num_threads(4)
 for(int i=0;i<1000;i++) b[i]=a[999-i];
#pragma omp teams distribute parallel for num_teams(2) num_threads(4) schedule(dynamic,10)
 for(int i=0;i<1000;i++) a[i]+=b[i];
 int own=0; /* which the compiler copies back behind the region */
 for(int i=0;i<3;i++) {
#pragma omp parallel num_threads(4)
#pragma omp critical(own)
  own++;
  c+=own;
 }
 printf("%d %d %d %d\n",sum,s,c,a[3]+p); return 0; }
