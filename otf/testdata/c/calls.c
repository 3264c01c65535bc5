/* calls - makes the calls that it reads with the real libopen-trace-format: what our writer is held against.
 * A line is: open STUB STREAMS short|long ZLEVEL FILES, then one call each: NAME ARGUMENT..., numbers decimal, strings as sHEX or - for NULL.
 * build: gcc -O1 -I/usr/include/open-trace-format -o calls calls.c -lopen-trace-format -lz */
#include <otf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static OTF_Writer *W;
static char *word[4096];
static int words;

static uint64_t q(int i) { return strtoull(word[i], NULL, 10); }
static uint32_t h(int i) { return (uint32_t)q(i); }

static const char *s(int i) {
    static char texts[4][65536];
    static int turn;
    char *to = texts[turn++ & 3];
    size_t n = 0;
    if (strcmp(word[i], "-") == 0)
        return NULL;
    for (const char *p = word[i] + 1; p[0] && p[1]; p += 2) {
        unsigned c;
        sscanf(p, "%2x", &c);
        to[n++] = (char)c;
    }
    to[n] = 0;
    return to;
}

static uint32_t *list(int from) {
    static uint32_t members[4096];
    for (int i = from; i < words; i++)
        members[i - from] = h(i);
    return members;
}

#define CALL(name, ...) \
    if (strcmp(word[0], #name) == 0) { \
        OTF_Writer_write##name(W, __VA_ARGS__); \
        continue; \
    }

int main(void) {
    static char line[1 << 20];
    OTF_FileManager *m = NULL;
    while (fgets(line, sizeof line, stdin)) {
        words = 0;
        for (char *p = strtok(line, " \n"); p && words < 4096; p = strtok(NULL, " \n"))
            word[words++] = p;
        if (words == 0)
            continue;
        if (strcmp(word[0], "open") == 0) {
            m = OTF_FileManager_open(h(5));
            W = OTF_Writer_open(word[1], h(2), m);
            OTF_Writer_setFormat(W, strcmp(word[3], "long") == 0 ? OTF_WSTREAM_FORMAT_LONG : OTF_WSTREAM_FORMAT_SHORT);
            OTF_Writer_setCompression(W, h(4));
            continue;
        }
        if (strcmp(word[0], "assign") == 0) {
            OTF_Writer_assignProcess(W, h(1), h(2));
            continue;
        }
        CALL(DefinitionComment, h(1), s(2))
        CALL(DefTimerResolution, h(1), q(2))
        CALL(DefProcess, h(1), h(2), s(3), h(4))
        CALL(DefProcessGroup, h(1), h(2), s(3), (uint32_t)(words - 4), list(4))
        CALL(DefFunction, h(1), h(2), s(3), h(4), h(5))
        CALL(DefFunctionGroup, h(1), h(2), s(3))
        CALL(DefCollectiveOperation, h(1), h(2), s(3), h(4))
        CALL(DefCounter, h(1), h(2), s(3), h(4), h(5), s(6))
        CALL(DefCounterGroup, h(1), h(2), s(3))
        CALL(DefScl, h(1), h(2), h(3), h(4))
        CALL(DefSclFile, h(1), h(2), s(3))
        CALL(DefCreator, h(1), s(2))
        CALL(Enter, q(1), h(2), h(3), h(4))
        CALL(Leave, q(1), h(2), h(3), h(4))
        CALL(SendMsg, q(1), h(2), h(3), h(4), h(5), h(6), h(7))
        CALL(RecvMsg, q(1), h(2), h(3), h(4), h(5), h(6), h(7))
        CALL(Counter, q(1), h(2), h(3), q(4))
        CALL(CollectiveOperation, q(1), h(2), h(3), h(4), h(5), h(6), h(7), q(8), h(9))
        CALL(EventComment, q(1), h(2), s(3))
        CALL(BeginProcess, q(1), h(2))
        CALL(EndProcess, q(1), h(2))
        CALL(SnapshotComment, q(1), h(2), s(3))
        CALL(EnterSnapshot, q(1), q(2), h(3), h(4), h(5))
        CALL(SendSnapshot, q(1), q(2), h(3), h(4), h(5), h(6), h(7), h(8))
        CALL(SummaryComment, q(1), h(2), s(3))
        CALL(FunctionSummary, q(1), h(2), h(3), q(4), q(5), q(6))
        CALL(FunctionGroupSummary, q(1), h(2), h(3), q(4), q(5), q(6))
        CALL(MessageSummary, q(1), h(2), h(3), h(4), h(5), q(6), q(7), q(8), q(9))
        fprintf(stderr, "calls: what is %s?\n", word[0]);
        return 1;
    }
    OTF_Writer_close(W);
    OTF_FileManager_close(m);
    return 0;
}
