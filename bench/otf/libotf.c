/* The same work as ../otfwork.go, done by the real libopen-trace-format.
 *   libotf write|counters|messages STUB STREAMS EVENTS ZLEVEL
 *   libotf read STUB           prints how many events came
 *   libotf part STUB MIN MAX   the same for a time interval
 * build: gcc -O2 -I/usr/include/open-trace-format -o libotf libotf.c -lopen-trace-format -lz */
#include <otf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t count, sum;

static int event(void *user, uint64_t time, uint32_t function, uint32_t process, uint32_t source,
                 OTF_KeyValueList *list)
{
    (void)user, (void)source, (void)list;
    count++;
    sum += time ^ function ^ process;
    return OTF_RETURN_OK;
}

static int counter(void *user, uint64_t time, uint32_t process, uint32_t number, uint64_t value,
                   OTF_KeyValueList *list)
{
    (void)user, (void)list;
    count++;
    sum += time ^ number ^ process ^ value;
    return OTF_RETURN_OK;
}

static int message(void *user, uint64_t time, uint32_t process, uint32_t peer, uint32_t group,
                   uint32_t tag, uint32_t length, uint32_t source, OTF_KeyValueList *list)
{
    (void)user, (void)source, (void)list;
    count++;
    sum += time ^ process ^ peer ^ group ^ tag ^ length;
    return OTF_RETURN_OK;
}

static int write_trace(const char *kind, const char *stub, uint32_t streams, uint64_t events,
                       uint32_t level)
{
    OTF_FileManager *m = OTF_FileManager_open(100);
    OTF_Writer *w = OTF_Writer_open(stub, 0, m);
    uint64_t time = 1000000000;
    OTF_Writer_setCompression(w, (OTF_FileCompression)level);
    OTF_Writer_writeDefTimerResolution(w, 0, 1000000000);
    for (uint64_t i = 0; i < events / 2; i++) {
        uint32_t p = (uint32_t)(i % streams) + 1, f = (uint32_t)(i % 100) + 1;
        time += 700 + i % 7;
        if (*kind == 'c') {
            OTF_Writer_writeCounter(w, time, p, f, i * 1000);
            time += 300;
            OTF_Writer_writeCounter(w, time, p, f + 100, i * 777);
        } else if (*kind == 'm') {
            OTF_Writer_writeSendMsg(w, time, p, p + 1, 1, f, 8 * f, 0);
            time += 300;
            OTF_Writer_writeRecvMsg(w, time, p, p + 1, 1, f, 8 * f, 0);
        } else {
            OTF_Writer_writeEnter(w, time, f, p, 0);
            time += 300;
            OTF_Writer_writeLeave(w, time, f, p, 0);
        }
    }
    OTF_Writer_close(w);
    OTF_FileManager_close(m);
    return 0;
}

static int read_trace(const char *stub, uint64_t from, uint64_t to)
{
    OTF_FileManager *m = OTF_FileManager_open(100);
    OTF_Reader *r = OTF_Reader_open(stub, m);
    OTF_HandlerArray *h = OTF_HandlerArray_open();
    if (!r)
        return 1;
    OTF_HandlerArray_setHandler(h, (OTF_FunctionPointer *)event, OTF_ENTER_RECORD);
    OTF_HandlerArray_setHandler(h, (OTF_FunctionPointer *)event, OTF_LEAVE_RECORD);
    OTF_HandlerArray_setHandler(h, (OTF_FunctionPointer *)counter, OTF_COUNTER_RECORD);
    OTF_HandlerArray_setHandler(h, (OTF_FunctionPointer *)message, OTF_SEND_RECORD);
    OTF_HandlerArray_setHandler(h, (OTF_FunctionPointer *)message, OTF_RECEIVE_RECORD);
    if (to > from)
        OTF_Reader_setTimeInterval(r, from, to);
    OTF_Reader_readEvents(r, h);
    OTF_Reader_close(r);
    OTF_HandlerArray_close(h);
    OTF_FileManager_close(m);
    printf("%llu %llx\n", (unsigned long long)count, (unsigned long long)sum);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 6 && (strcmp(argv[1], "write") == 0 || strcmp(argv[1], "counters") == 0 ||
                      strcmp(argv[1], "messages") == 0))
        return write_trace(argv[1], argv[2], (uint32_t)atoi(argv[3]), strtoull(argv[4], NULL, 10),
                           (uint32_t)atoi(argv[5]));
    if (argc == 3 && strcmp(argv[1], "read") == 0)
        return read_trace(argv[2], 0, 0);
    if (argc == 5 && strcmp(argv[1], "part") == 0)
        return read_trace(argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
    return 2;
}
