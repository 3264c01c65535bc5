/* dump ANCHOR-FILE: every definition and event that the real libotf2 delivers, a line each. What
 * our reader is held against.
 * build: gcc -O1 -o dump dump.c -lotf2 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int elements;

static void begin(const char *name, uint64_t location, int timed, uint64_t time) {
    printf("%s %" PRId64, name, (int64_t)location);
    if (timed)
        printf(" %" PRIu64, time);
}
static void field(const char *name, uint64_t v) { printf(" %s=%" PRIu64, name, v); }
static void open(const char *name) { printf(" %s=[", name), elements = 0; }
static void item(uint64_t v) { printf(elements++ ? ",%" PRIu64 : "%" PRIu64, v); }
static void shut(void) { printf("]"); }

static void words(const char *name, const char *s) {
    printf(" %s=", name);
    for (; *s; s++)
        printf("%02x", (unsigned char)*s);
}

static uint64_t bits(uint64_t type, OTF2_AttributeValue v) {
    switch (type) {
    case OTF2_TYPE_UINT8: return v.uint8;
    case OTF2_TYPE_UINT16: return v.uint16;
    case OTF2_TYPE_INT8: return (uint64_t)v.int8;
    case OTF2_TYPE_INT16: return (uint64_t)v.int16;
    case OTF2_TYPE_INT32: return (uint64_t)v.int32;
    case OTF2_TYPE_NONE:
    case OTF2_TYPE_UINT64:
    case OTF2_TYPE_INT64:
    case OTF2_TYPE_DOUBLE:
    case OTF2_TYPE_LOCATION: return v.uint64;
    }
    return v.uint32;
}

static uint64_t unreal(double d) {
    uint64_t v;
    memcpy(&v, &d, 8);
    return v;
}

static void pair(uint64_t a, uint64_t b, void *u) { item(a), item(b); }
static void pairs(const OTF2_IdMap *m) {
    open("idMap");
    OTF2_IdMap_Traverse(m, pair, NULL);
    shut();
}

static OTF2_CallbackCode end(OTF2_AttributeList *a) {
    uint32_t n = a ? OTF2_AttributeList_GetNumberOfElements(a) : 0;
    for (uint32_t i = 0; i < n; i++) {
        OTF2_AttributeRef id;
        OTF2_Type type;
        OTF2_AttributeValue v;
        OTF2_AttributeList_GetAttributeByIndex(a, i, &id, &type, &v);
        printf(" {%u %u %" PRIu64 "}", id, type, bits(type, v));
    }
    printf("\n");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalEvtReaderCallbacks *E;
static OTF2_GlobalDefReaderCallbacks *G;
static OTF2_DefReaderCallbacks *D;
static uint64_t locations[1 << 16];
static int count;

#define EVENT(name) OTF2_GlobalEvtReaderCallbacks_Set##name##Callback(E, e_##name);
#define GLOBAL(name) OTF2_GlobalDefReaderCallbacks_Set##name##Callback(G, g_##name);
#define LOCAL(name) OTF2_DefReaderCallbacks_Set##name##Callback(D, l_##name);
#define SETS
#include "dump_gen.h"

static OTF2_CallbackCode location(void *u, OTF2_LocationRef self, OTF2_StringRef name,
                                  OTF2_LocationType type, uint64_t n, OTF2_LocationGroupRef group) {
    locations[count++] = self;
    return g_Location(u, self, name, type, n, group);
}

int main(int argc, char **argv) {
    OTF2_Reader *r = argc > 1 ? OTF2_Reader_Open(argv[1]) : NULL;
    if (!r)
        return 1;
    OTF2_Reader_SetSerialCollectiveCallbacks(r);
    E = OTF2_GlobalEvtReaderCallbacks_New();
    G = OTF2_GlobalDefReaderCallbacks_New();
    D = OTF2_DefReaderCallbacks_New();
    sets();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(G, location);
    uint64_t n;
    OTF2_GlobalDefReader *g = OTF2_Reader_GetGlobalDefReader(r);
    OTF2_Reader_RegisterGlobalDefCallbacks(r, g, G, NULL);
    OTF2_Reader_ReadAllGlobalDefinitions(r, g, &n);
    for (int i = 0; i < count; i++)
        OTF2_Reader_SelectLocation(r, locations[i]);
    int defs = OTF2_Reader_OpenDefFiles(r) == OTF2_SUCCESS;
    OTF2_Reader_OpenEvtFiles(r);
    for (int i = 0; i < count; i++) {
        OTF2_DefReader *d = defs ? OTF2_Reader_GetDefReader(r, locations[i]) : NULL;
        if (d) {
            OTF2_Reader_RegisterDefCallbacks(r, d, D, &locations[i]);
            OTF2_Reader_ReadAllLocalDefinitions(r, d, &n);
            OTF2_Reader_CloseDefReader(r, d);
        }
        OTF2_Reader_GetEvtReader(r, locations[i]);
    }
    OTF2_GlobalEvtReader *e = OTF2_Reader_GetGlobalEvtReader(r);
    OTF2_Reader_RegisterGlobalEvtCallbacks(r, e, E, NULL);
    OTF2_Reader_ReadAllGlobalEvents(r, e, &n);
    OTF2_Reader_Close(r);
    return 0;
}
