/* pomp_environment.h: the one place that reads the environment. A set-uid program runs with rights
 * that its caller has not, and the environment is the caller's: such a process reads none of it, so
 * it loads no tool, records nothing and makes no file. The same holds for set-gid programs and file
 * capabilities, and stays so when the program gives its rights up.
 */
#ifndef POMP_ENVIRONMENT_H
#define POMP_ENVIRONMENT_H

#include <stdlib.h>
#include <sys/auxv.h>

/* The variable's value; null: it is not set, or not to be trusted. */
static inline const char *pomp_variable(const char *name)
{
    return getauxval(AT_SECURE) == 0 ? getenv(name) : NULL;
}

#endif
