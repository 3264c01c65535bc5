static inline __attribute__((always_inline)) double half(double x)
{
    if (x < 0)
        x = -x;
    return x / 2;
}
