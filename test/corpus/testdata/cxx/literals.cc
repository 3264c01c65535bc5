// std: 11 14 17 20 23
// Literals that look like directives, braces and quotes; digit separators; alternative tokens and digraphs.
#include <cstdio>
#include <cstring>
#include <string>
%:include <vector>
static const char *raw = R"(
#pragma omp parallel
{ "unbalanced' )";
static const char *delim = R"x1(}}} )" #pragma omp for
)x1";
static const char *wide = reinterpret_cast<const char *>(u8R"#(#pragma omp barrier \)#");
std::size_t operator""_len(const char *s, std::size_t n) { return std::strlen(s) + n; }
// #pragma omp parallel \
#pragma omp parallel
/* #pragma omp parallel
*/ int after;
int main() <%
  int s = 0, v<:4:> = <% 1, 2, 3, 4 %>;
  %:pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 4; i++) <% s += v<:i:>; %>
#\
pragma omp \
    parallel \
    num_threads( 2 /* two */ ) // comment
  {
#pragma omp single
    s += '"' == 34 and '{' not_eq '}' ? 1 : '\'';
# /* odd */ pragma omp critical(\
name)
    { s += std::string(R"({)").size() bitand 0xFF; }
  }
#if __cplusplus >= 201402L
#pragma omp parallel for schedule(static, 1'000) reduction(+ : s)
  for (int i = 0; i < 1'0; i++) s += 0b1'1 + 0x1'F;
#endif
#pragma omp parallel if (sizeof("#pragma omp }") > 3) num_threads("ab"_len - 2)
#pragma omp atomic
  s += 'ab' > 0 xor compl 0 > 0;
  const char *split = "con\
tinued"; s += __LINE__;
  std::printf("%d %zu %zu %zu %s\n", s, std::strlen(raw), std::strlen(delim), std::strlen(wide), split);
%>
