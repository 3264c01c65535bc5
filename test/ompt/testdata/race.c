/* race.c: a race. */
#include <stdio.h>
int n;
int main(void){
#pragma omp parallel for num_threads(2)
 for (int i=0;i<1000;i++) n++;
 printf("%d\n", n>0); return 0; }
