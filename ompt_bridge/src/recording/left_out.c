/* left_out.c: what a recording leaves out. The path of an event runs none of this. */
#include "left_out.h"
#include "../platform/platform.h"

#include <string.h>

/* Called after each change, for a recorder with a copy in its file; null: there is none. */
static void (*rec_left_out_changed)(void);

/* Called when a function is off (--functions=auto), for a recorder that notes it at once; null:
 * there is none. The number of its calls is in data[2]. */
static void (*rec_function_off)(struct ompregdescr *d);

static OPARI_COLD void rec_switched_off(struct ompregdescr *d)
{
    (void)__atomic_fetch_add(&rec_left_out.functions, 1, __ATOMIC_RELAXED);
    if (rec_function_off != NULL)
        rec_function_off(d);
}

/* Returns the calls of a region until it was switched off; 0: it was not, or is no function. */
static OPARI_COLD uint64_t rec_calls_until_off(const struct ompregdescr *d)
{
    const void *calls = OPARI_LOAD(&d->data[2]);
    return calls != NULL && d->name != NULL && strcmp(d->name, "function") == 0
               ? (uint64_t)(uintptr_t)calls
               : 0;
}

/* Writes a line for a region of that number that is off. */
static OPARI_COLD void rec_write_off(size_t number, const struct ompregdescr *d)
{
    rec_unsigned("{\"off\":", number);
    rec_unsigned(",\"calls\":", rec_calls_until_off(d));
    rec_text("}\n");
}

static OPARI_COLD void rec_keep_left_out(void)
{
    if (rec_left_out_changed != NULL)
        rec_left_out_changed();
}

/* Measuring has been switched on or off for all threads. The caller holds the library's lock. */
static OPARI_COLD void rec_switched(int on)
{
    struct rec_left_out *l = &rec_left_out;
    if (on == (l->off_since == 0))
        return;
    const uint64_t now = rec_clock_ns();
    if (on)
        l->off_ns += now - l->off_since;
    else
        l->off++;
    l->off_since = on ? 0 : now;
    rec_keep_left_out();
}

/* Notes an option because of which the instrumentation left a part of a unit alone. Without room
 * further options are not named: the named ones already show that something is missing. */
static OPARI_COLD void rec_note_option(const char *option)
{
    char *options = rec_left_out.options, *end = options + strlen(options);
    const size_t n = strlen(option);
    for (const char *line = options; line < end; line = strchr(line, '\n') + 1)
        if (strncmp(line, option, n) == 0 && line[n] == '\n')
            return;
    if (n + 2 > (size_t)(options + REC_OPTIONS - end))
        return;
    memcpy(end, option, n);
    memcpy(end + n, "\n", 2);
    rec_keep_left_out();
}

/* A forked child's recording begins now. */
static OPARI_COLD void rec_left_out_in_child(void)
{
    struct rec_left_out *l = &rec_left_out;
    l->off = l->off_since != 0;
    l->off_ns = 0;
    if (l->off)
        l->off_since = rec_clock_ns();
}

/* Returns a number that distinguishes this filter from others. */
static OPARI_COLD uint64_t rec_filter_number(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text != 0; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash | 1;
}

static OPARI_COLD void rec_write_left_out(void)
{
    const struct rec_left_out *l = &rec_left_out;
    if (l->off == 0 && l->options[0] == 0)
        return;
    rec_text(",\"left_out\":{");
    if (l->options[0] != 0) {
        rec_string("\"disabled\":", l->options);
        rec_text(l->off != 0 ? "," : "");
    }
    if (l->off != 0) {
        rec_unsigned("\"off\":", l->off);
        rec_unsigned(",\"off_ns\":",
                     l->off_ns + (l->off_since != 0 ? rec_clock_ns() - l->off_since : 0));
    }
    rec_text("}");
}
