/* calls - makes the calls that it reads with the real libotf2: what our writer is held against.
 * A line is: open FOLDER EVENT-CHUNK DEFINITION-CHUNK, property NAME VALUE, or a call:
 * KIND NAME LOCATION TIME ATTRIBUTES ARGUMENT..., where KIND is E, S, G, L or M. Numbers are
 * decimal, texts are sHEX, and lists have commas between. ATTRIBUTES is - or ID:TYPE:VALUE,...
 * build: gcc -O1 -o calls calls.c -lotf2 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static OTF2_Archive *A;
static OTF2_GlobalDefWriter *G;
static OTF2_MarkerWriter *M;
static OTF2_AttributeList *L;
static char *word[64];
static int words;

static OTF2_FlushType before(void *u, OTF2_FileType f, OTF2_LocationRef l, void *c, bool last) {
    return OTF2_FLUSH;
}
static OTF2_FlushCallbacks flush = {before, NULL};

static uint64_t q(int i) { return strtoull(word[i], NULL, 10); }

static const char *text(int i) {
    static char texts[4][1 << 20];
    static int turn;
    char *to = texts[turn++ & 3];
    size_t n = 0;
    for (const char *p = word[i] + 1; p[0] && p[1]; p += 2) {
        unsigned c;
        sscanf(p, "%2x", &c);
        to[n++] = (char)c;
    }
    to[n] = 0;
    return to;
}

static OTF2_AttributeValue value(int i) {
    OTF2_AttributeValue v;
    v.uint64 = q(i);
    return v;
}

static double real(int i) {
    uint64_t bits = q(i);
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static uint32_t count(int i) {
    uint32_t n = word[i][0] != '-';
    for (const char *p = word[i]; *p; p++)
        n += *p == ',';
    return n;
}

static void *list(int i, int width) {
    static uint64_t lists[4][1 << 16];
    static int turn;
    char *to = (char *)lists[turn++ & 3], *at = to;
    if (word[i][0] != '-')
        for (char *p = word[i]; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
            uint64_t v = strtoull(p, NULL, 10);
            memcpy(at, &v, (size_t)width);
            at += width;
        }
    return to;
}

static const OTF2_IdMap *map(int i) {
    uint32_t n = count(i + 1);
    uint64_t *v = list(i + 1, 8);
    if (q(i) == OTF2_ID_MAP_DENSE)
        return OTF2_IdMap_CreateFromUint64Array(n, v, false);
    OTF2_IdMap *m = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, n / 2);
    for (uint32_t k = 0; k + 1 < n; k += 2)
        OTF2_IdMap_AddIdPair(m, v[k], v[k + 1]);
    return m;
}

static OTF2_AttributeList *attributes(void) {
    if (word[4][0] == '-')
        return NULL;
    for (char *p = word[4]; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        char *end;
        OTF2_AttributeValue v;
        unsigned long id = strtoul(p, &end, 10), type = strtoul(end + 1, &end, 10);
        v.uint64 = strtoull(end + 1, NULL, 10);
        OTF2_AttributeList_AddAttribute(L, (OTF2_AttributeRef)id, (OTF2_Type)type, v);
    }
    return L;
}

#define IS(kind, name) (word[0][0] == kind && strcmp(word[1], #name) == 0)
#define GLOBAL(name, ...) \
    if (IS('G', name)) { \
        OTF2_GlobalDefWriter_Write##name(G, __VA_ARGS__); \
        continue; \
    }
#define LOCAL(name, ...) \
    if (IS('L', name)) { \
        OTF2_DefWriter_Write##name(OTF2_Archive_GetDefWriter(A, q(2)), __VA_ARGS__); \
        continue; \
    }
#define EVENT(name, ...) \
    if (IS('E', name)) { \
        OTF2_EvtWriter_##name(OTF2_Archive_GetEvtWriter(A, q(2)), attributes(), q(3), \
                              ##__VA_ARGS__); \
        continue; \
    }
#define SNAP(ours, name, ...) \
    if (IS('S', ours)) { \
        OTF2_SnapWriter_##name(OTF2_Archive_GetSnapWriter(A, q(2)), attributes(), q(3), \
                               ##__VA_ARGS__); \
        continue; \
    }
#define MARKER(name, ...) \
    if (IS('M', name)) { \
        if (!M) \
            M = OTF2_Archive_GetMarkerWriter(A); \
        OTF2_MarkerWriter_Write##name(M, __VA_ARGS__); \
        continue; \
    }

int main(void) {
    static char line[1 << 22];
    L = OTF2_AttributeList_New();
    while (fgets(line, sizeof line, stdin)) {
        words = 0;
        for (char *p = strtok(line, " \n"); p && words < 64; p = strtok(NULL, " \n"))
            word[words++] = p;
        if (words == 0)
            continue;
        if (strcmp(word[0], "open") == 0) {
            A = OTF2_Archive_Open(word[1], "t", OTF2_FILEMODE_WRITE, q(2), q(3),
                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
            OTF2_Archive_SetFlushCallbacks(A, &flush, NULL);
            OTF2_Archive_SetSerialCollectiveCallbacks(A);
            OTF2_Archive_SetMachineName(A, "machine");
            OTF2_Archive_SetCreator(A, "creator 1.0");
            OTF2_Archive_SetDescription(A, "what it is");
            OTF2_Archive_OpenEvtFiles(A);
            OTF2_Archive_OpenDefFiles(A);
            OTF2_Archive_OpenSnapFiles(A);
            G = OTF2_Archive_GetGlobalDefWriter(A);
            continue;
        }
        if (strcmp(word[0], "property") == 0) {
            OTF2_Archive_SetProperty(A, word[1], word[2], false);
            continue;
        }
#include "calls_gen.h"
        fprintf(stderr, "calls: what is %s %s?\n", word[0], word[1]);
        return 1;
    }
    OTF2_Archive_Close(A);
    return 0;
}
