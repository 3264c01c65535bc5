/* unify.c: common numbers for the definitions of all recordings: regions, and communicators of
 * several processes.
 *
 * In a binomial tree each rank adds the definitions of its children to its own, each once, and
 * sends the result to its parent. So a message is as long as the different definitions, however
 * many ranks have them. In the end the first rank has all definitions in the order of ranks. It
 * writes them into STEM.table and sends the list to all. Each rank then writes the common numbers
 * of its own definitions into its file, so the conversion reads each definition once. After an
 * error there is no table, or a rank has no numbers; then its own lines count.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "layer.h"

enum { LAYER_TAG_UNIFY = 2 };

/* A definition: a line of JSON without the parts that differ between processes. The name of a
 * communicator is separate: the first non-empty name counts. */
struct layer_definition {
    const char *text, *name;
    uint32_t length, name_length;
    int region; /* 1: a region; 0: a communicator */
};

struct layer_definitions {
    struct layer_definition *list;
    uint32_t *table; /* numbers, from 1, by hash of the text; room: a power of two */
    size_t used, room;
    int failed;
};

/* This process's definitions, by its own numbers. The values are numbers of the list, from 1; 0:
 * the definition is not in the list. */
struct layer_own {
    int *regions, *communicators;
    int n_regions, n_communicators;
    long rows; /* bytes of the regions' lines */
};

static LAYER_COLD uint64_t layer_mix(uint64_t hash, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static LAYER_COLD int layer_more_room(struct layer_definitions *d)
{
    const size_t room = d->room > 0 ? 2 * d->room : 256;
    struct layer_definition *list = realloc(d->list, room / 2 * sizeof *list);
    uint32_t *table = calloc(room, sizeof *table);
    if (list != NULL)
        d->list = list;
    if (list == NULL || table == NULL) {
        free(table);
        return 0;
    }
    free(d->table);
    d->table = table;
    d->room = room;
    for (size_t k = 0; k < d->used; k++) {
        size_t i = layer_mix(0, list[k].text, list[k].length) & (room - 1);
        while (table[i] != 0)
            i = (i + 1) & (room - 1);
        table[i] = (uint32_t)k + 1;
    }
    return 1;
}

/* Returns the number of a definition, and adds it if add is set; 0: it is unknown, or there is no
 * memory. */
static LAYER_COLD int layer_definition_number(struct layer_definitions *d,
                                              const struct layer_definition *wanted, int add)
{
    if (d->failed || (2 * (d->used + 1) > d->room && !layer_more_room(d))) {
        d->failed = 1;
        return 0;
    }
    size_t i = layer_mix(0, wanted->text, wanted->length) & (d->room - 1);
    for (; d->table[i] != 0; i = (i + 1) & (d->room - 1)) {
        struct layer_definition *there = &d->list[d->table[i] - 1];
        if (there->length != wanted->length || there->region != wanted->region ||
            memcmp(there->text, wanted->text, wanted->length) != 0)
            continue;
        if (add && there->name_length == 0) {
            there->name = wanted->name;
            there->name_length = wanted->name_length;
        }
        return (int)d->table[i];
    }
    if (!add)
        return 0;
    d->list[d->used] = *wanted;
    return (int)(d->table[i] = (uint32_t)++d->used);
}

/* Reads the number after a prefix and returns the text after it; null if the line begins
 * otherwise. */
static LAYER_COLD char *layer_numbered(char *line, const char *prefix, long *number)
{
    char *end = line;
    if (strncmp(line, prefix, strlen(prefix)) != 0)
        return NULL;
    *number = strtol(line + strlen(prefix), &end, 10);
    return *end == ',' ? end + 1 : NULL;
}

/* Reads the regions from the lines of the process's file, whose own numbers count up from 1. It
 * changes text, which must stay allocated. */
static LAYER_COLD int layer_own_regions(struct layer_definitions *d, struct layer_own *own,
                                        char *text)
{
    static const char outer[] = "],\"outer\":";
    int room = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        long number = 0;
        *end = 0;
        if (layer_numbered(line, "{\"off\":", &number) != NULL)
            continue; /* of a function that has been switched off; the region stays */
        char *from = layer_numbered(line, "{\"region\":", &number),
             *cut = from != NULL ? strstr(from, outer) : NULL;
        if (cut == NULL || number != own->n_regions + 1)
            return 0;
        /* The number of another region of this process follows; the trace does not use it. */
        char *rest = cut + sizeof outer - 1;
        rest += strspn(rest, "0123456789");
        memmove(cut + 1, rest, (size_t)(end - rest) + 1);
        const struct layer_definition found = {
            .text = from, .length = (uint32_t)strlen(from), .region = 1};
        if (own->n_regions == room) {
            int *more = realloc(own->regions, sizeof *more * (size_t)(room = 2 * room + 64));
            if (more == NULL)
                return 0;
            own->regions = more;
        }
        own->regions[own->n_regions++] = layer_definition_number(d, &found, 1);
        own->rows = end + 1 - text;
    }
    return !d->failed;
}

/* Reads the communicators of several processes. A later line may give another name. */
static LAYER_COLD int layer_own_communicators(struct layer_definitions *d, struct layer_own *own,
                                              char *text)
{
    static const char named[] = ",\"name\":\"";
    struct layer_definition *found = NULL;
    int room = 0, good = 1;
    for (char *line = text, *end; good && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        long number = 0;
        *end = 0;
        char *from = layer_numbered(line, "{\"communicator\":", &number);
        if (from == NULL || number < 1 || number > own->n_communicators + 1 || end[-1] != '}' ||
            end[-2] != '"')
            continue;
        from--; /* the comma */
        char *name = strstr(from, named);
        if (name == NULL)
            continue;
        if (number == own->n_communicators + 1) {
            if (own->n_communicators == room) {
                struct layer_definition *more =
                    realloc(found, sizeof *more * (size_t)(room = 2 * room + 16));
                if (more == NULL) {
                    good = 0;
                    break;
                }
                found = more;
            }
            found[own->n_communicators++] =
                (struct layer_definition){.text = from + 1, .length = (uint32_t)(name - from - 1)};
        }
        found[number - 1].name = name + sizeof named - 1;
        found[number - 1].name_length = (uint32_t)(end - 2 - found[number - 1].name);
    }
    own->communicators = calloc((size_t)own->n_communicators + 1, sizeof *own->communicators);
    good = good && own->communicators != NULL;
    for (int i = 0; good && i < own->n_communicators; i++) {
        const char *members = found[i].text + strlen("\"members\":\"");
        if (members[strcspn(members, ",-\"")] != '"' ||
            strstr(found[i].text, "\"remote\":\"\"") == NULL) /* several members */
            own->communicators[i] = layer_definition_number(d, &found[i], 1);
    }
    free(found);
    return good && !d->failed;
}

/* Packs definitions for a message: three numbers and the texts of each. */
static LAYER_COLD char *layer_packed(const struct layer_definitions *d, size_t *length)
{
    size_t n = 0;
    for (size_t i = 0; i < d->used; i++)
        n += 3 * sizeof(uint32_t) + d->list[i].length + d->list[i].name_length;
    char *packed = !d->failed && n <= INT_MAX ? malloc(n + 1) : NULL, *to = packed;
    for (size_t i = 0; packed != NULL && i < d->used; i++) {
        const struct layer_definition *k = &d->list[i];
        const uint32_t head[3] = {k->length, k->name_length, (uint32_t)k->region};
        memcpy(to, head, sizeof head);
        memcpy(to += sizeof head, k->text, k->length);
        if (k->name_length > 0)
            memcpy(to + k->length, k->name, k->name_length);
        to += k->length + k->name_length;
    }
    *length = n;
    return packed;
}

static LAYER_COLD void layer_add_packed(struct layer_definitions *d, const char *from,
                                        size_t length)
{
    for (size_t at = 0; at < length && !d->failed;) {
        uint32_t head[3];
        memcpy(head, from + at, sizeof head);
        at += sizeof head;
        const struct layer_definition k = {from + at, from + at + head[0], head[0], head[1],
                                           (int)head[2]};
        (void)layer_definition_number(d, &k, 1);
        at += head[0] + head[1];
    }
}

/* Adds a child's definitions. If the child has failed, or receiving fails, this rank fails, too.
 * The text stays allocated, in the chain keep. */
static LAYER_COLD void layer_receive_child(struct layer_definitions *d, int child, char ***keep)
{
    long long n = -1;
    char *text = NULL, little;
    if (PMPI_Recv(&n, 1, MPI_LONG_LONG, child, LAYER_TAG_UNIFY, layer.all, MPI_STATUS_IGNORE) !=
            MPI_SUCCESS ||
        n < 0 || (text = malloc(sizeof(char *) + (size_t)n)) == NULL) {
        d->failed = 1;
        if (n > 0)
            (void)PMPI_Recv(&little, 1, MPI_BYTE, child, LAYER_TAG_UNIFY, layer.all,
                            MPI_STATUS_IGNORE); /* one byte of it, so that the child goes on */
        return;
    }
    **keep = text;
    *keep = (char **)(void *)text;
    **keep = NULL;
    if (n > 0 && PMPI_Recv(text + sizeof(char *), (int)n, MPI_BYTE, child, LAYER_TAG_UNIFY,
                           layer.all, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        d->failed = 1;
    else
        layer_add_packed(d, text + sizeof(char *), (size_t)n);
}

/* Sends definitions up the tree. It adds lower ranks first, so the definitions are in the order of
 * ranks. */
static LAYER_COLD void layer_gather(struct layer_definitions *d, int rank, int size, char ***keep)
{
    for (int bit = 1; bit < size; bit <<= 1) {
        if (rank & bit) {
            size_t length = 0;
            char *packed = layer_packed(d, &length);
            const long long n = packed != NULL ? (long long)length : -1;
            if (PMPI_Send(&n, 1, MPI_LONG_LONG, rank - bit, LAYER_TAG_UNIFY, layer.all) ==
                    MPI_SUCCESS &&
                n > 0)
                (void)PMPI_Send(packed, (int)n, MPI_BYTE, rank - bit, LAYER_TAG_UNIFY, layer.all);
            free(packed);
            return;
        }
        if (rank + bit < size)
            layer_receive_child(d, rank + bit, keep);
    }
}

/* Writes STEM.table: the definitions by their common numbers, and a last line that marks it
 * complete. hash identifies the contents. */
static LAYER_COLD int layer_write_table(const struct layer_definitions *d, uint64_t *hash)
{
    const char *stem = pomp_recording_1();
    char path[4200];
    unsigned regions = 0, communicators = 0;
    *hash = UINT64_C(0xcbf29ce484222325);
    if (stem == NULL || d->failed ||
        (size_t)snprintf(path, sizeof path, "%s.table", stem) >= sizeof path)
        return 0;
    FILE *file = fopen(path, "wxe");
    if (file == NULL)
        return 0;
    for (size_t i = 0; i < d->used; i++) {
        const struct layer_definition *k = &d->list[i];
        *hash = layer_mix(layer_mix(*hash, k->text, k->length), k->name, k->name_length);
        if (k->region)
            (void)fprintf(file, "{\"region\":%u,%.*s\n", ++regions, (int)k->length, k->text);
        else
            (void)fprintf(file, "{\"communicator\":%u,%.*s,\"name\":\"%.*s\"}\n", ++communicators,
                          (int)k->length, k->text, (int)k->name_length, k->name);
    }
    (void)fprintf(file, "{\"table\":\"%016llx\",\"regions\":%u,\"communicators\":%u}\n",
                  (unsigned long long)*hash, regions, communicators);
    const int good = !ferror(file);
    if ((fclose(file) != 0) | !good) {
        (void)unlink(path);
        return 0;
    }
    return 1;
}

/* Sends the first rank's list and the table's name to all, who replace their own list. Returns 0 if
 * there is no list. */
static LAYER_COLD int layer_spread(struct layer_definitions *d, int rank, char **text,
                                   char name[64], uint64_t *hash)
{
    size_t length = 0;
    char *packed = NULL;
    long long n = -1;
    if (rank == 0) {
        const char *stem = pomp_recording_1(), *slash = stem != NULL ? strrchr(stem, '/') : NULL;
        (void)snprintf(name, 64, "%.48s", slash != NULL ? slash + 1 : "");
        if ((packed = layer_packed(d, &length)) != NULL && layer_write_table(d, hash))
            n = (long long)length;
    }
    if (PMPI_Bcast(&n, 1, MPI_LONG_LONG, 0, layer.all) != MPI_SUCCESS || n < 0) {
        free(packed);
        return 0;
    }
    if (rank != 0)
        packed = malloc((size_t)n + 1);
    int room = packed != NULL;
    const int good =
        PMPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT, MPI_MIN, layer.all) == MPI_SUCCESS &&
        room && PMPI_Bcast(packed, (int)n, MPI_BYTE, 0, layer.all) == MPI_SUCCESS &&
        PMPI_Bcast(name, 64, MPI_CHAR, 0, layer.all) == MPI_SUCCESS &&
        PMPI_Bcast(hash, 1, MPI_UINT64_T, 0, layer.all) == MPI_SUCCESS;
    if (good && rank != 0) {
        free(d->list);
        free(d->table);
        *d = (struct layer_definitions){0};
        layer_add_packed(d, packed, (size_t)n);
    }
    *text = packed;
    return good && !d->failed;
}

/* Numbers regions and communicators separately: ordinal[n] is the place of definition n among those
 * of its sort. */
static LAYER_COLD void layer_ordinals(const struct layer_definitions *d, int *ordinal)
{
    int last[2] = {0, 0};
    for (size_t i = 0; i < d->used; i++)
        ordinal[i + 1] = ++last[d->list[i].region != 0];
    ordinal[0] = -1;
}

/* Converts numbers of the list before into ordinals of the list after; -1: the definition is not in
 * the list. */
static LAYER_COLD void layer_renumber(int *number, int n, const struct layer_definition *before,
                                      struct layer_definitions *after, const int *ordinal)
{
    for (int i = 0; i < n; i++)
        number[i] =
            number[i] > 0 ? ordinal[layer_definition_number(after, &before[number[i] - 1], 0)] : -1;
}

static LAYER_COLD void layer_write_numbers(const struct layer_own *own, const char *name,
                                           uint64_t hash)
{
    char *regions = layer_runs(own->regions, own->n_regions),
         *communicators = layer_runs(own->communicators, own->n_communicators);
    if (regions != NULL && communicators != NULL)
        layer_write("{\"table\":\"%s\",\"hash\":\"%016llx\",\"rows\":%ld,\"regions\":\"%s\","
                    "\"communicators\":\"%s\"}\n",
                    name, (unsigned long long)hash, own->rows, regions, communicators);
    free(regions);
    free(communicators);
}

LAYER_COLD void layer_unify(void)
{
    struct layer_definitions d = {0};
    struct layer_own own = {0};
    char *first = NULL, **keep = &first, *list = NULL, name[64] = "";
    uint64_t hash = 0;
    size_t length = 0;
    int rank = 0, size = 1;
    const int saved = errno;
    if (layer.all == MPI_COMM_NULL || PMPI_Comm_rank(layer.all, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(layer.all, &size) != MPI_SUCCESS || size < 2)
        return;
    char *rows = layer_read(".meta", POMP_RECORDING_ROWS, &length),
         *lines = layer_read(".mpi", 0, &length);
    const int good = rows != NULL && lines != NULL && layer_own_regions(&d, &own, rows) &&
                     layer_own_communicators(&d, &own, lines);
    const size_t used = d.used;
    struct layer_definition *mine = malloc((used + 1) * sizeof *mine);
    if (mine != NULL && used > 0)
        memcpy(mine, d.list, used * sizeof *mine);
    layer_gather(&d, rank, size, &keep);
    if (layer_spread(&d, rank, &list, name, &hash) && good && mine != NULL) {
        int *ordinal = malloc((d.used + 1) * sizeof *ordinal);
        if (ordinal != NULL) {
            layer_ordinals(&d, ordinal);
            layer_renumber(own.regions, own.n_regions, mine, &d, ordinal);
            layer_renumber(own.communicators, own.n_communicators, mine, &d, ordinal);
            layer_write_numbers(&own, name, hash);
        }
        free(ordinal);
    }
    for (char *next; first != NULL; first = next) {
        next = *(char **)(void *)first;
        free(first);
    }
    free(d.list);
    free(d.table);
    free(mine);
    free(own.regions);
    free(own.communicators);
    free(rows);
    free(lines);
    free(list);
    errno = saved;
}
