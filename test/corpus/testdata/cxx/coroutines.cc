// std: 20 23
// Coroutines, three-way comparison, concepts, designated initialisers, ranges.
#include <compare>
#include <concepts>
#include <coroutine>
#include <cstdio>
#include <ranges>
#include <vector>
struct Gen {
  struct promise_type {
    int value = 0;
    Gen get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
#pragma omp critical
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> h;
  ~Gen() { h.destroy(); }
};
int upto(int i) {
  int r = 0;
#pragma omp parallel for reduction(+ : r)
  for (int k = 0; k <= i; k++) r += k;
  return r;
}
Gen numbers(int n) {
  for (int i = 0; i < n; i++) {
#pragma omp flush
    co_yield upto(i);
  }
  co_return;
}
struct P {
  int x, y;
  auto operator<=>(const P &) const = default;
  friend bool less(const P &a, const P &b) {
    bool r = false;
#pragma omp parallel
#pragma omp single
    r = (a <=> b) < 0;
    return r;
  }
};
template <std::integral T> T add(T a, std::integral auto b) {
  T r = a;
#pragma omp parallel reduction(+ : r) num_threads(2)
  r += static_cast<T>(b);
  return r;
}
int main() {
  int s = 0;
  auto g = numbers(4);
  while (g.h.resume(), !g.h.done()) s += g.h.promise().value;
  P a{.x = 1, .y = 2};
  std::vector<int> v{1, 2, 3, 4};
  auto even = v | std::views::filter([](int i) { return i % 2 == 0; });
  for (int i : even) {
#pragma omp atomic
    s += i;
  }
#pragma omp parallel for reduction(+ : s)
  for (int i : std::views::iota(0, 5)) s += i;
  if (s > 2) [[likely]] {
#pragma omp critical
    s++;
  } else [[unlikely]] {
#pragma omp critical
    s--;
  }
  std::printf("%d %d %d\n", s, less(a, {.x = 1, .y = 3}), add(1, 2L));
}
