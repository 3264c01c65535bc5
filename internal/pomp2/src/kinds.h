/* kinds.h: what a region is in POMP2: the table of docs/reference/pomp2.md.
 *
 * X(KIND, type, how): regions of this kind get the type; a kind that is not listed is left out.
 * "same" is the construct itself; "nearest" is the construct of POMP2 that behaves most alike.
 */
#define FOREACH_POMP2_KIND(X) \
    X(REGION, "userRegion", "same") \
    X(PARALLEL, "parallel", "same") \
    X(FOR, "for", "same") \
    X(SECTIONS, "sections", "same") \
    X(SECTION, "section", "same") \
    X(SINGLE, "single", "same") \
    X(WORKSHARE, "workshare", "same") \
    X(MASTER, "master", "same") \
    X(MASKED, "master", "nearest") \
    X(CRITICAL, "critical", "same") \
    X(BARRIER, "barrier", "same") \
    X(TASKWAIT, "taskwait", "same") \
    X(TASKGROUP, "taskwait", "nearest") \
    X(ATOMIC, "atomic", "same") \
    X(FLUSH, "flush", "same") \
    X(ORDERED, "ordered", "same") \
    X(TASK, "task", "same") \
    X(TASKLOOP, "taskwait", "nearest") \
    X(LOOP, "for", "nearest") \
    X(SCOPE, "workshare", "nearest")
