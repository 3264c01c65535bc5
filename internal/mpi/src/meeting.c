/* meeting.c: which ranks of MPI_COMM_WORLD measure together.
 *
 * Some ranks of a job may be linked without this layer, or not be recorded. A collective operation
 * over MPI_COMM_WORLD would wait for these for ever. So each rank that records announces itself
 * before MPI is initialized: it appends a line with its rank to a file in the recording's folder.
 *
 * The rank that completes the list appends a line that closes it. No rank leaves MPI_Init before
 * all have come to it. So if all ranks record, the list is closed by then; otherwise the first rank
 * closes it that has waited long enough. All readers agree that the ranks before the closing line
 * measure together. A rank that comes later is alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "layer.h"

enum { LAYER_PATIENCE = 2000, LAYER_TAG_GROUP = 11 }; /* ms */

static struct {
    char path[4400];
    int announced; /* 1: in the list; -1: too late, or there is no list */
    int rank, size;
} layer_meeting;

/* The variables in which launchers pass rank and size. */
static const char *const layer_launchers[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                 {"PMI_RANK", "PMI_SIZE"},
                                                 {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

static LAYER_COLD void layer_pause(int ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    (void)nanosleep(&time, NULL);
}

static LAYER_COLD long layer_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Finds where MPICH's mpiexec listens, HOST:PORT. It gives its processes no name for their job. But
 * this address is on the command line of the proxy that starts the processes of a node, whose words
 * end with 0. */
static LAYER_COLD int layer_mpiexec(char *where, size_t size)
{
    static const char option[] = "--control-port";
    char path[40], words[4096];
    (void)snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)getppid());
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, words, sizeof words - 1);
    if (file >= 0)
        (void)close(file);
    if (got <= 0)
        return 0;
    words[got] = 0;
    for (const char *word = words; word < words + got; word += strlen(word) + 1)
        if (strcmp(word, option) == 0 && word + sizeof option < words + got) {
            const int n = snprintf(where, size, "%s", word + sizeof option);
            return n > 0 && (size_t)n < size;
        }
    return 0;
}

/* Finds the file of this job. Its name is the job's name from the launcher or from opari run
 * (OPARI_JOB), else that of the process that started all ranks of this node. */
static LAYER_COLD int layer_meeting_path(const char *stem)
{
    static const char *const names[] = {"PMIX_NAMESPACE", "PMI_JOBID", "OPARI_JOB"};
    char own[300] = "";
    const char *name = NULL, *slash = strrchr(stem, '/');
    for (size_t i = 0; i < sizeof names / sizeof names[0] && (name == NULL || name[0] == 0); i++)
        name = pomp_variable(names[i]);
    if (name == NULL || name[0] == 0) {
        name = own;
        if (!layer_mpiexec(own, sizeof own)) {
            if (gethostname(own, 256) != 0)
                return 0;
            own[255] = 0;
            (void)snprintf(own + strlen(own), 24, "-%ld", (long)getppid());
        }
    }
    const int n = snprintf(layer_meeting.path, sizeof layer_meeting.path, "%.*s/.opari-job-%.200s",
                           slash != NULL ? (int)(slash - stem) : 0, stem, name);
    if (n <= 0 || (size_t)n >= sizeof layer_meeting.path)
        return 0;
    for (char *c = layer_meeting.path + (slash != NULL ? slash - stem : 0) + 1; *c != 0; c++)
        if ((*c < '0' || *c > '9') && (*c < 'a' || *c > 'z') && (*c < 'A' || *c > 'Z') &&
            *c != '.' && *c != '-')
            *c = '_';
    return 1;
}

/* Opens and locks the file; negative if that fails. A lock also makes visible what other nodes have
 * written; on a file system without locks it goes on unlocked. */
static LAYER_COLD int layer_list_open(int flags)
{
    struct stat is;
    for (int waited = 0; waited < 2 * LAYER_PATIENCE;) {
        const int file =
            open(layer_meeting.path, flags | O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0)
            return -1;
        while (flock(file, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) {
            if (waited >= 2 * LAYER_PATIENCE) {
                (void)close(file);
                return -1;
            }
            layer_pause(2);
            waited += 2;
        }
        if (fstat(file, &is) == 0 && is.st_nlink > 0)
            return file;
        (void)close(file); /* another rank has removed it: its job has read it */
        waited += 2;
    }
    return -1;
}

static LAYER_COLD int layer_list_add(int file, const char *line)
{
    const size_t n = strlen(line);
    return write(file, line, n) == (ssize_t)n;
}

/* Reads the ranks before the closing line, each once, into member[] if not null. closed: whether
 * there is that line. Returns how many ranks there are; negative without memory. */
static LAYER_COLD int layer_list_read(int file, int size, char *member, int *closed)
{
    struct stat is;
    int n = 0;
    *closed = 0;
    char *text = fstat(file, &is) == 0 ? malloc((size_t)is.st_size + 1) : NULL;
    if (text == NULL)
        return -1;
    const ssize_t got = pread(file, text, (size_t)is.st_size, 0);
    text[got > 0 ? got : 0] = 0;
    for (char *line = text, *end; !*closed && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const long rank = strtol(line, NULL, 10);
        if (*line == '=')
            *closed = 1;
        else if (rank >= 0 && rank < size && (member == NULL || member[rank] == 0)) {
            n++;
            if (member != NULL)
                member[rank] = 1;
        }
    }
    free(text);
    return n;
}

static LAYER_COLD void layer_announce_as(int rank, int size)
{
    char line[32];
    int closed = 0;
    const char *stem = pomp_recording_1 != NULL ? pomp_recording_1() : NULL;
    layer_meeting.announced = -1;
    layer_meeting.rank = rank;
    layer_meeting.size = size;
    if (stem == NULL || size < 2 || !layer_meeting_path(stem))
        return;
    const int file = layer_list_open(O_CREAT);
    if (file < 0)
        return;
    const int n = layer_list_read(file, size, NULL, &closed);
    (void)snprintf(line, sizeof line, n + 1 == size ? "%d\n=\n" : "%d\n", rank);
    if (n >= 0 && !closed && layer_list_add(file, line))
        layer_meeting.announced = 1;
    (void)close(file);
}

LAYER_COLD void layer_announce(void)
{
    const int saved = errno;
    for (size_t i = 0; i < sizeof layer_launchers / sizeof layer_launchers[0]; i++) {
        const char *rank = pomp_variable(layer_launchers[i][0]),
                   *size = pomp_variable(layer_launchers[i][1]);
        if (rank != NULL && size != NULL) {
            layer_announce_as(atoi(rank), atoi(size));
            break;
        }
    }
    errno = saved;
}

/* Waits until the list is closed, or closes it. Returns how many ranks it has; negative if it
 * cannot be read. */
static LAYER_COLD int layer_await(char *member)
{
    const long until = layer_ms() + LAYER_PATIENCE;
    for (int pause = 1;; pause = pause < 32 ? 2 * pause : pause) {
        int closed, n;
        const int file = layer_list_open(0);
        if (file < 0)
            return -1;
        memset(member, 0, (size_t)layer_meeting.size);
        n = layer_list_read(file, layer_meeting.size, member, &closed);
        const int complete = n == layer_meeting.size || layer_ms() >= until;
        if (n >= 0 && !closed && complete && !layer_list_add(file, "=\n"))
            n = -1;
        (void)close(file);
        if (closed || n < 0)
            return n;
        if (layer_ms() >= until + LAYER_PATIENCE)
            return -1;
        layer_pause(pause); /* The next reading of the closed list counts, as another rank may close
                               it first. */
    }
}

/* The ranks in the list make a communicator of their own, without the others. */
static LAYER_COLD MPI_Comm layer_join(const char *member, int n)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group world = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    int *ranks = malloc(sizeof *ranks * (size_t)n), k = 0;
    if (ranks == NULL)
        return made;
    for (int i = 0; i < layer_meeting.size; i++)
        if (member[i])
            ranks[k++] = i;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS &&
        PMPI_Group_incl(world, n, ranks, &some) == MPI_SUCCESS)
        (void)PMPI_Comm_create_group(MPI_COMM_WORLD, some, LAYER_TAG_GROUP, &made);
    if (some != MPI_GROUP_NULL)
        (void)PMPI_Group_free(&some);
    if (world != MPI_GROUP_NULL)
        (void)PMPI_Group_free(&world);
    free(ranks);
    return made;
}

LAYER_COLD MPI_Comm layer_meet(int rank, int size)
{
    MPI_Comm made = MPI_COMM_NULL;
    const int saved = errno;
    int n = -1, first = 0;
    if (layer_meeting.announced == 0 && size > 1)
        layer_announce_as(rank, size); /* an unknown launcher */
    char *member = size > 1 && layer_meeting.announced > 0 && layer_meeting.rank == rank &&
                           layer_meeting.size == size
                       ? malloc((size_t)size)
                       : NULL;
    if (member != NULL)
        n = layer_await(member);
    if (n > 0 && member[rank] == 0)
        n = -1;
    if (n == size)
        (void)PMPI_Comm_dup(MPI_COMM_WORLD, &made);
    else if (n > 1)
        made = layer_join(member, n);
    else
        (void)PMPI_Comm_dup(MPI_COMM_SELF, &made);
    if (made != MPI_COMM_NULL) {
        (void)PMPI_Comm_set_errhandler(
            made, MPI_ERRORS_RETURN); /* an error here costs only some data of the trace */
        (void)PMPI_Comm_rank(made, &first);
        if (n > 0 && first == 0)
            (void)unlink(layer_meeting.path); /* all ranks in the list have read it */
    }
    free(member);
    errno = saved;
    return made;
}
