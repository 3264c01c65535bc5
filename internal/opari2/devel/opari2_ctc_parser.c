/* opari2_ctc_parser.c: see opari2_ctc_parser.h. */
#include "opari2_ctc_parser.h"

#include "opari2_ctc_token.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(const OPARI2_CTC *c, const char *what, const char *value)
{
    printf("opari2: the string of a region: %s", what);
    if (value != NULL)
        printf(" \"%s\"", value);
    printf(" in\n%s\n", c->string);
}

void OPARI2_CTC_error(const OPARI2_CTC *c, const char *what, const char *value)
{
    complain(c, what, value);
    exit(1);
}

char *OPARI2_CTC_copy(const char *value)
{
    const size_t n = strlen(value) + 1;
    char *copy = malloc(n);
    return copy != NULL ? memcpy(copy, value, n) : NULL;
}

void OPARI2_CTC_free(char **text)
{
    free(*text);
    *text = NULL;
}

bool OPARI2_CTC_flag(const OPARI2_CTC *c, const char *value)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        OPARI2_CTC_error(c, "neither 0 nor 1:", value);
    return value[0] == '1';
}

unsigned OPARI2_CTC_number(const OPARI2_CTC *c, const char *value)
{
    char *rest;
    const unsigned long n = strtoul(value, &rest, 10);
    if (!isdigit((unsigned char)value[0]) || *rest != 0)
        OPARI2_CTC_error(c, "no number:", value);
    return (unsigned)n;
}

int OPARI2_CTC_find(const char *const *words, const char *value)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], value) == 0)
            return i + 1;
    return 0;
}

const char *OPARI2_CTC_word(const char *const *words, int n, const char *none)
{
    for (int i = 0; words[i] != NULL; i++)
        if (i + 1 == n)
            return words[i];
    return none;
}

/* Reads FILE:LINE:LINE. */
static void place(const OPARI2_CTC *c, char *value, char **file, unsigned *first, unsigned *last)
{
    char *second = strrchr(value, ':');
    if (second == NULL)
        OPARI2_CTC_error(c, "no place:", value);
    *second = 0;
    char *one = strrchr(value, ':');
    if (one == NULL || one == value)
        OPARI2_CTC_error(c, "no place:", value);
    *one = 0;
    OPARI2_CTC_free(file);
    *file = OPARI2_CTC_copy(value);
    *first = OPARI2_CTC_number(c, one + 1);
    *last = OPARI2_CTC_number(c, second + 1);
    if (*first > *last)
        OPARI2_CTC_error(c, "it ends before it starts:", value);
}

/* Cuts a field off at a character. Returns what follows it. */
static char *cut(const OPARI2_CTC *c, char *field, char at, const char *what)
{
    char *end = strchr(field, at);
    if (end == NULL || end == field)
        OPARI2_CTC_error(c, what, field);
    *end = 0;
    return end + 1;
}

static void check(const OPARI2_CTC *c)
{
    const OPARI2_Region_info *info = c->info;
    if (info->mStartFileName == NULL || info->mEndFileName == NULL || info->mStartLine1 == 0 ||
        info->mEndLine1 == 0)
        OPARI2_CTC_error(c, "no place of its begin or its end", NULL);
    if (info->mStartLine2 > info->mEndLine1)
        complain(c, "the region ends before it starts", NULL);
}

void OPARI2_CTC_parse(const OPARI2_CTC *c, OPARI2_CTC_Take take)
{
    OPARI2_Region_info *info = c->info;
    char *copy = OPARI2_CTC_copy(c->string);
    if (copy == NULL)
        OPARI2_CTC_error(c, "no memory", NULL);
    char *at = copy + strspn(copy, "0123456789");
    if (*at++ != '*')
        OPARI2_CTC_error(c, "no * after the length", NULL);
    while (*at != 0 && *at != '*') {
        char *key = at, *value = cut(c, key, '=', "no key:");
        at = cut(c, value, '*', "no value:");
        if (strcmp(key, OPARI2_CTC_START) == 0)
            place(c, value, &info->mStartFileName, &info->mStartLine1, &info->mStartLine2);
        else if (strcmp(key, OPARI2_CTC_END) == 0)
            place(c, value, &info->mEndFileName, &info->mEndLine1, &info->mEndLine2);
        else if (!take(c, key, value))
            complain(c, "unknown:", key);
    }
    free(copy);
    check(c);
}
