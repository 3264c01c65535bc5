#include "macros.h"
template struct Header<long>;
int elsewhere() {
  long a[] = {1, 0, 2};
  return Header<long>::count(a, 3);
}
