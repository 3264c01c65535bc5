/* golden: --functions */
#include <stdexcept>
#include <vector>
namespace a::b { namespace {
template <class T, int N = (3 > 2)> struct Box : public std::vector<T> {
  Box() : x{1}, y(2) {}
  ~Box();
  bool operator<(const Box &o) const & noexcept { return x < o.x; }
  void out(T t);
  int x, y;
};
template <class T, int N> Box<T, N>::~Box() { x = 0; }
template <class T, int N>
void Box<T, N>::out(T)
{
  struct Local { int f() { return 1; } };
  x = Local().f();
}
} }
struct Shape {
  Shape(int); explicit operator bool() const; Shape &operator()(int); int *operator[](int); void operator delete(void *);
  int sides = 0;
};
Shape::Shape(int n) : sides{n} { }
Shape::operator bool() const { return sides > 0; }
Shape &Shape::operator()(int n)
{
  sides = n;
  return *this;
}
int *Shape::operator[](int) { return &sides; }
void Shape::operator delete(void *) { }
Shape operator/(Shape a, int n) { return Shape(a.sides / n); }
static int tries(int n) try {
  if (n == 0) throw std::runtime_error("none");
  return n;
} catch (...) {
  return -1;
}
auto trailing(int n) -> std::vector<int> { return {n}; }
extern "C" { int counted(void) { return 1; } }
constexpr int fixed(int n) { return n; }
int (*variable)(int){nullptr};
int main()
{
  auto twice = [](int n) { return 2 * n; };
  int s = 0;
#pragma omp parallel for reduction(+: s)
  for (int i = 0; i < 9; i++)
    s += twice(i);
  return s + tries(0) + fixed(1) + (variable == nullptr) + counted();
}
