#define STDINT 1
