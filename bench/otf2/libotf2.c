/* libotf2 write FOLDER LOCATIONS EVENTS | read ANCHOR-FILE: enters and leaves with the real
 * libotf2, in the archive t of a folder. Reading is by the global reader, as tools read.
 * build: gcc -O2 -o libotf2 libotf2.c -lotf2 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static OTF2_FlushType before(void *u, OTF2_FileType f, OTF2_LocationRef l, void *c, bool last)
{
    (void)u, (void)f, (void)l, (void)c, (void)last;
    return OTF2_FLUSH;
}

static int write_archive(const char *folder, uint64_t locations, uint64_t events)
{
    static OTF2_FlushCallbacks flush = {before, NULL};
    OTF2_Archive *a = OTF2_Archive_Open(folder, "t", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_EvtWriter *w[64];
    OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(a);
    OTF2_Archive_OpenEvtFiles(a);
    OTF2_Archive_OpenDefFiles(a);
    for (uint64_t i = 0; i < locations; i++)
        w[i] = OTF2_Archive_GetEvtWriter(a, i);
    uint64_t time = 1000000000;
    for (uint64_t i = 0; i < events / 2; i++) {
        OTF2_EvtWriter *to = w[i % locations];
        uint32_t region = (uint32_t)(i % 100) + 1;
        OTF2_EvtWriter_Enter(to, NULL, time += 700 + i % 7, region);
        OTF2_EvtWriter_Leave(to, NULL, time += 300, region);
    }
    OTF2_GlobalDefWriter *g = OTF2_Archive_GetGlobalDefWriter(a);
    for (uint64_t i = 0; i < locations; i++) {
        uint64_t n;
        OTF2_EvtWriter_GetNumberOfEvents(w[i], &n);
        OTF2_GlobalDefWriter_WriteLocation(g, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, n, 0);
    }
    return OTF2_Archive_Close(a) != OTF2_SUCCESS;
}

static uint64_t sum, seen;

static OTF2_CallbackCode event(OTF2_LocationRef l, OTF2_TimeStamp t, void *u, OTF2_AttributeList *a,
                               OTF2_RegionRef region)
{
    (void)l, (void)u, (void)a;
    seen++;
    sum += t ^ region;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode location(void *reader, OTF2_LocationRef self, OTF2_StringRef name,
                                  OTF2_LocationType type, uint64_t n, OTF2_LocationGroupRef group)
{
    (void)name, (void)type, (void)n, (void)group;
    OTF2_Reader_SelectLocation(reader, self);
    return OTF2_CALLBACK_SUCCESS;
}

static int read_archive(const char *path)
{
    OTF2_Reader *r = OTF2_Reader_Open(path);
    uint64_t n, locations;
    OTF2_Reader_SetSerialCollectiveCallbacks(r);
    OTF2_Reader_GetNumberOfLocations(r, &locations);
    OTF2_GlobalDefReader *g = OTF2_Reader_GetGlobalDefReader(r);
    OTF2_GlobalDefReaderCallbacks *d = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(d, location);
    OTF2_Reader_RegisterGlobalDefCallbacks(r, g, d, r);
    OTF2_Reader_ReadAllGlobalDefinitions(r, g, &n);
    OTF2_Reader_OpenEvtFiles(r);
    for (uint64_t i = 0; i < locations; i++)
        OTF2_Reader_GetEvtReader(r, i);
    OTF2_GlobalEvtReader *e = OTF2_Reader_GetGlobalEvtReader(r);
    OTF2_GlobalEvtReaderCallbacks *c = OTF2_GlobalEvtReaderCallbacks_New();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(c, event);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(c, event);
    OTF2_Reader_RegisterGlobalEvtCallbacks(r, e, c, NULL);
    OTF2_Reader_ReadAllGlobalEvents(r, e, &n);
    OTF2_Reader_Close(r);
    printf("%" PRIu64 " %" PRIu64 "\n", seen, sum);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "write") == 0)
        return write_archive(argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
    if (argc == 3 && strcmp(argv[1], "read") == 0)
        return read_archive(argv[2]);
    return 2;
}
