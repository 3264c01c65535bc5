/* pomp_environment.h: the only place that reads the environment. A set-uid program has rights that
 * its caller lacks, and the caller controls the environment. Such a process therefore reads none of
 * it, loads no tool, records nothing and creates no file. The same holds for set-gid programs and
 * for file capabilities, even after the program has given its rights up.
 */
#ifndef POMP_ENVIRONMENT_H
#define POMP_ENVIRONMENT_H

#include <stdlib.h>
#include <sys/auxv.h>

/* Returns the variable's value, or null if it is not set or cannot be trusted. */
static inline const char *pomp_variable(const char *name)
{
    return getauxval(AT_SECURE) == 0 ? getenv(name) : NULL;
}

#endif
