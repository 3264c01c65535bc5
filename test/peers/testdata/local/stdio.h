#define STDIO 2
