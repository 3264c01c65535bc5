/* pomp1.h: POMP2's calls by those of a library for OPARI 1.x, which gets descriptors. The file that
 * is written before this one says by which names the library has them: POMP1_For_enter.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *pomp2_handle;
typedef int64_t pomp2_task;

/* OPARI 1's own descriptor. ABI 1 has the same fields up to data. */
struct pomp1_region {
    const char *name, *sub_name;
    int num_sections;
    const char *file_name;
    int begin_first_line, begin_last_line, end_first_line, end_last_line;
    void *data;
    struct pomp1_region *next;
};

/* The library goes through this table when it starts. Number 0 is nobody's. */
#define POMP2_READY 1
#define POMP2_PROMISED (POMP1_REGIONS / 2)
extern int POMP_MAX_ID;
extern struct pomp1_region *pomp_rd_table[POMP1_REGIONS + 1];
int POMP_MAX_ID = 1;
struct pomp1_region *pomp_rd_table[POMP1_REGIONS + 1];

#define POMP2_HEARS_CONSTRUCTS 1
#define POMP2_HEARS_USERS 1

#define POMP1_X(name) extern void POMP1_##name(struct pomp1_region *r);
POMP1_X(Begin)
POMP1_X(End)
FOREACH_POMP1_CALL(POMP1_X)
#undef POMP1_X
#define POMP1_X(name) extern void POMP1_##name(void);
POMP1_X(Init)
POMP1_X(Finalize)
POMP1_X(On)
POMP1_X(Off)
#undef POMP1_X
#define POMP1_X(name) extern void POMP1_##name(void *lock);
FOREACH_POMP1_LOCK(POMP1_X)
#undef POMP1_X
extern int POMP1_Test_lock(void *lock);
extern int POMP1_Test_nest_lock(void *lock);
extern int omp_get_max_threads(void) __attribute__((__weak__));

#ifdef __cplusplus
}
#endif
