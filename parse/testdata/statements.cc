// C++ statements and functions: g++ -std=gnu++17 -fopenmp accepts this file.
#include <exception>
#include <functional>
#include <map>
#include <vector>

namespace outer::inner {

template <class T = std::vector<int>, int N = (2 > 1)>
struct Box {
	T values{1, 2, 3};
	std::map<int, int> table{{1, 2}, {3, 4}};
	int count = [] { return N; }();

	Box() : values{1}, table(), count{2}
	{
#pragma omp parallel for
		for (auto &[key, value] : table2())
			value += key;
	}
	explicit Box(int n) try : count(n) {
#pragma omp parallel
		count++;
	} catch (...) {
		count = 0;
	}
	~Box() noexcept(true)
	{
#pragma omp critical
		if (auto n = count; n > 0)
			count--;
		else
			count++;
	}
	std::vector<std::pair<int, int>> table2() const { return {{1, 2}}; }
	bool operator()(int a) const
	{
		bool r = false;
#pragma omp parallel
		try {
			r = a < count;
		} catch (std::exception const &) {
			throw;
		} catch (...) {
		}
		return r;
	}
	Box &operator=(const Box &) = default;
	auto sum() const -> decltype(N + 1)
	{
		int s = 1'000;
#pragma omp parallel for reduction(+ : s)
		for (int i = 0; i < N; i++)
			if constexpr (N > 1)
				s += i;
			else
				s -= i;
		return s;
	}

      private:
	int hidden{0};
};

}  // namespace outer::inner

constexpr int square(int n)
{
	return n * n;
}

static const char *raw = R"x(
#pragma omp barrier
{ )" )x";

void lambdas(std::vector<int> &v)
{
	std::function<void(int)> f = [&](int i) {
#pragma omp parallel
		{
			v.push_back(i);
		}
	};
#pragma omp parallel
	[&v] { v.clear(); }();
#pragma omp single
	v.insert(v.end(), {1, 2, 3});
#pragma omp task
	for (int x : v)
		f(x + square(2));
#pragma omp parallel
	while (auto p = v.empty() ? nullptr : raw)
		if (*p)
			break;
	switch (int n = (int)v.size(); n) {
	case 1:
#pragma omp critical
		f(1);
		[[fallthrough]];
	default:
#pragma omp parallel
		{
			struct Local {
				int run() const { return 1; }
			} local{};
			f(local.run());
		}
	}
	outer::inner::Box<> box;
	box(1);
}
