#ifndef MACROS_H
#define MACROS_H
#define OPEN_BLOCK {
#define CLOSE_BLOCK }
#endif
