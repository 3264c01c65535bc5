// In a member function a and S::a are one variable: where it is private and lastprivate it is so at the loop. N::b keeps its space.
namespace N {
int b;
}
struct S {
    int a;
    void f();
};

void S::f() {
    #pragma omp parallel for firstprivate(a) lastprivate(S::a)
    for (int i = 0; i < 4; i++) a = i;
    #pragma omp parallel for default(none) lastprivate(N::b)
    for (int i = 0; i < 4; i++) N::b = i;
}
