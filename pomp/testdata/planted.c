/* planted.c: a tool's library that another user names: it leaves a file when it is loaded. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void)
{
    close(open(LOADED, O_WRONLY | O_CREAT, 0666));
}
