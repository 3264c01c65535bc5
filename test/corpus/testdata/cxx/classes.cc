// std: 11 14 17 20 23
// Classes: definitions in the class, constructors and their initialisers, operators, friends, local and nested classes.
#include <cstdio>
#include <vector>
struct Base {
  virtual ~Base() {}
  virtual int run(int n) const noexcept = 0;
};
class Sum final : public Base {
  int bits : 3;
  std::vector<int> v{1, 2, 3};
  int x, y = ten();
  static int ten() {
    int r = 0;
#pragma omp parallel for reduction(+ : r)
    for (int i = 0; i < 10; i++) r += i;
    return r;
  }

public:
  static int count;
  enum class Kind : unsigned char { a, b };
  Sum() : bits{1}, x(2) {
#pragma omp atomic
    count++;
  }
  explicit Sum(int n) try : Base(), bits(1), v{n, n + 1}, x{n} {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    x++;
  } catch (...) {
#pragma omp critical
    count = -1;
  }
  ~Sum() override {
#pragma omp critical(destroy)
    --count;
  }
  int run(int n) const noexcept override {
    int r = 0;
#pragma omp parallel for reduction(+ : r)
    for (int i = 0; i < n; ++i) r += x + y + bits;
    return r;
  }
  int operator()(int a) const & {
    int r = a;
#pragma omp parallel reduction(+ : r) num_threads(3)
    r += 1;
    return r;
  }
  int &operator[](std::size_t i) {
#pragma omp flush
    return v[i];
  }
  Sum &operator+=(const Sum &o) {
#pragma omp parallel for
    for (std::size_t i = 0; i < v.size(); i++) v[i] += o.v[i % o.v.size()];
    return *this;
  }
  operator bool() const {
#pragma omp taskwait
    return x != 0;
  }
  template <typename T> operator T *() const { return nullptr; }
  friend bool operator<(const Sum &a, const Sum &b) {
    bool r = true;
#pragma omp parallel reduction(&& : r)
    r = r && a.x < b.x;
    return r;
  }
  struct Nested {
    int k;
    int twice() {
#pragma omp single
      k *= 2;
      return k;
    }
  };
  auto tail(int n) const -> decltype(n + 1) {
#pragma omp parallel
#pragma omp master
    n++;
    return n;
  }
};
int Sum::count = 0;
Sum operator""_sum(unsigned long long n) { return Sum(static_cast<int>(n)); }
int outside(Sum &s)
#if __cplusplus >= 201703L
    noexcept(noexcept(s += s))
#endif
{
  struct Local {
    int v;
    int get() {
#pragma omp critical
      { v++; }
      return v;
    }
  } l = {3};
#pragma omp parallel
  {
    struct Inner { int z = 1; int operator()() { return z; } } in;
#pragma omp for
    for (int i = 0; i < 4; i++) {
#pragma omp atomic
      s[0] += in();
    }
  }
  return l.get();
}
int main() {
  Sum a, b(4), c = 5_sum;
  a += b;
  std::printf("%d %d %d %d %d\n", a.run(10), b.run(3), c(7), a[0], a[2]);
  std::printf("%d %d %d %d\n", bool(b), a < b, Sum::Nested{4}.twice(), b.tail(1));
  std::printf("%d %d %d\n", outside(a), a[0], Sum::count);
  Base *p = new Sum{9};
#pragma omp parallel sections
  {
#pragma omp section
    {
      delete p;
      if (a)
#pragma omp critical
        a[1]++;
    }
  }
  std::printf("%d %d\n", a[1], Sum::count);
}
