/* units.c: the units of the program, and what a measurement library asks about them. */
#include <sched.h>

/* The lock of the lists below; nothing of the library is called while it is held. */
static int pomp2_locked;

static void pomp2_lock(int *lock)
{
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
        (void)sched_yield();
}

static void pomp2_unlock(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

static struct pomp_unit pomp2_no_unit; /* ends the list, whose members have a next */
static struct pomp_unit *pomp2_units = &pomp2_no_unit;

/* The numbers of regions. A library may allocate as many handles as it is told there are, so there
 * are never more; the spare ones are for units that the program loads later. */
enum { POMP2_SPARE = 1024 };
static struct pomp2_half {
    size_t foreign;  /* of units that OPARI2 has instrumented */
    size_t known;    /* registered */
    size_t promised; /* 0: nobody has asked */
    size_t assigned;
    int ready; /* the library has asked for the handles */
} pomp2_halves[2] = {{POMP2_FOREIGN_REGIONS, 0, POMP2_PROMISED, 0, POMP2_READY},
                     {POMP2_FOREIGN_USER_REGIONS, 0, POMP2_PROMISED, 0, POMP2_READY}};

/* Returns whether d owns a handle: of a user region, or of another one. */
static int pomp2_owns(const struct ompregdescr *d, int user)
{
    return d->data[2] == d && (d->kind == POMP_KIND_REGION) == user;
}

static size_t pomp2_count(const struct pomp_unit *unit, int user)
{
    size_t n = 0;
    for (int i = 0; i < unit->regions; i++)
        n += (size_t)pomp2_owns(&unit->region[i], user);
    return n;
}

/* Returns whether the library has room for the unit's handles. The caller holds the lock. */
static int pomp2_admit(const struct pomp_unit *unit, int user)
{
    struct pomp2_half *half = &pomp2_halves[user];
    const size_t n = pomp2_count(unit, user);
    if (half->promised != 0 && half->assigned + n > half->promised)
        return 0;
    half->assigned += n;
    return 1;
}

static void pomp2_assign(struct pomp_unit *unit, int user)
{
    for (int i = 0; i < unit->regions; i++) {
        struct ompregdescr *d = &unit->region[i];
        if (!pomp2_owns(d, user) || d->data[0] != NULL)
            continue;
        if (user)
            POMP2_USER_Assign_handle(&d->data[0], (const char *)d->data[1]);
        else
            POMP2_Assign_handle(&d->data[0], (const char *)d->data[1]);
    }
}

/* The caller holds the lock. */
static void pomp2_forget(struct pomp_unit *unit)
{
    struct pomp_unit **u = &pomp2_units;
    while (*u != unit && *u != &pomp2_no_unit)
        u = &(*u)->next;
    if (*u == unit)
        *u = unit->next;
    unit->next = NULL;
    __atomic_store_n(&unit->active, 0, __ATOMIC_RELAXED);
}

/* Units call it twice, as pomp_lib.h says. A unit that comes after the library has asked for the
 * handles is given its own at once. */
void pomp_unit_1(struct pomp_unit *unit)
{
    if (unit == NULL || unit->abi != POMP_ABI_1)
        return;
    pomp2_lock(&pomp2_locked);
    if (unit->next != NULL) {
        pomp2_forget(unit);
        pomp2_unlock(&pomp2_locked);
        return;
    }
    pomp2_prepare(unit);
    int late[2], room = 1;
    for (int user = 0; user < 2; user++) {
        const int heard = user ? POMP2_HEARS_USERS : POMP2_HEARS_CONSTRUCTS;
        late[user] = pomp2_halves[user].ready && heard;
        pomp2_halves[user].known += pomp2_count(unit, user);
        room = room && (heard || pomp2_count(unit, user) == 0);
        if (late[user])
            room = room && pomp2_admit(unit, user);
    }
    if (room) {
        unit->next = pomp2_units;
        pomp2_units = unit;
    }
    pomp2_unlock(&pomp2_locked);
    for (int user = 0; user < 2 && room; user++)
        if (late[user])
            pomp2_assign(unit, user);
    if (room)
        __atomic_store_n(&unit->active, POMP_ACTIVE, __ATOMIC_RELEASE);
}

#define POMP2_X(symbol) extern void symbol(void);
#ifdef __cplusplus
extern "C" {
#endif
FOREACH_POMP2_OWN(POMP2_X)
FOREACH_POMP2_FOREIGN(POMP2_X)
FOREACH_POMP2_FOREIGN_USER(POMP2_X)
#ifdef __cplusplus
}
#endif
#undef POMP2_X
#define POMP2_X(symbol) symbol();

/* Makes the files in Fortran register, which have no constructors. */
static void pomp2_meet(void) { FOREACH_POMP2_OWN(POMP2_X) }

/* Returns how many handles the library may be asked to assign. It always returns the same. */
static size_t pomp2_promise(int user)
{
    struct pomp2_half *half = &pomp2_halves[user];
    if (__atomic_load_n(&half->promised, __ATOMIC_ACQUIRE) == 0) {
        pomp2_meet();
        pomp2_lock(&pomp2_locked);
        if (half->promised == 0)
            __atomic_store_n(&half->promised, half->known + half->foreign + POMP2_SPARE,
                             __ATOMIC_RELEASE);
        pomp2_unlock(&pomp2_locked);
    }
    return half->promised;
}

/* Assigns the handles of all units that are registered. */
static void pomp2_initialize(int user)
{
    pomp2_meet();
    pomp2_lock(&pomp2_locked);
    struct pomp2_half *half = &pomp2_halves[user];
    const int first = !half->ready;
    struct pomp_unit *units = first ? pomp2_units : &pomp2_no_unit;
    half->ready = 1;
    if (first)
        half->assigned += half->foreign;
    pomp2_unlock(&pomp2_locked);
    for (struct pomp_unit *u = units; u != &pomp2_no_unit; u = u->next) {
        pomp2_lock(&pomp2_locked);
        const int room = pomp2_admit(u, user);
        pomp2_unlock(&pomp2_locked);
        if (room)
            pomp2_assign(u, user);
        else
            __atomic_store_n(&u->active, 0, __ATOMIC_RELAXED);
    }
}

size_t POMP2_Get_num_regions(void) { return pomp2_promise(0); }
size_t POMP2_USER_Get_num_regions(void) { return pomp2_promise(1); }

void POMP2_Init_regions(void)
{
    pomp2_initialize(0);
    FOREACH_POMP2_FOREIGN(POMP2_X)
}

void POMP2_USER_Init_regions(void)
{
    pomp2_initialize(1);
    FOREACH_POMP2_FOREIGN_USER(POMP2_X)
}
#undef POMP2_X

const char *POMP2_Get_opari2_version(void) { return "2.0.7"; }
