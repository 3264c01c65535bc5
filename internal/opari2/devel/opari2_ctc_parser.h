/* opari2_ctc_parser.h: reads the string by which opari2 describes a region to a library:
 *
 *	68*regionType=parallel*sscl=/home/u/p.c:9:9*escl=/home/u/p.c:29:29**
 */
#ifndef OPARI2_CTC_PARSER_H
#define OPARI2_CTC_PARSER_H

#include "opari2_region_info.h"

#include <stdbool.h>
#include <stddef.h>

/* A string while it is read. info is the region's information, which begins with
 * OPARI2_REGION_INFO. */
typedef struct {
    const char *string;
    void *info;
} OPARI2_CTC;

/* Takes one key with its value. Returns false if it does not know the key. */
typedef bool (*OPARI2_CTC_Take)(const OPARI2_CTC *c, const char *key, const char *value);

/* Reads the string into c->info: its places, and by take all else. Like all functions that take c,
 * it prints what is wrong with the string and exits with code 1; a key that nobody knows only
 * makes it print. */
void OPARI2_CTC_parse(const OPARI2_CTC *c, OPARI2_CTC_Take take);

void OPARI2_CTC_error(const OPARI2_CTC *c, const char *what, const char *value);

/* Values: a flag, 0 or 1; a number; a string, which is copied. */
bool OPARI2_CTC_flag(const OPARI2_CTC *c, const char *value);
unsigned OPARI2_CTC_number(const OPARI2_CTC *c, const char *value);
char *OPARI2_CTC_copy(const char *value);

/* A list of words that stand for 1, 2, 3 and so on; it ends with a null. */
int OPARI2_CTC_find(const char *const *words, const char *value);
const char *OPARI2_CTC_word(const char *const *words, int n, const char *none);

/* Frees a string and sets it to null. */
void OPARI2_CTC_free(char **text);

#endif
