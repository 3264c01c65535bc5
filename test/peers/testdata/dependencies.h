#define WORD "word"
