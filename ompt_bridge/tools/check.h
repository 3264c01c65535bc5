/* check.h: what the protocol checker (ompt_check.c) knows of a program from its events: threads,
 * regions and tasks. */
#ifndef OPARI_CHECK_H
#define OPARI_CHECK_H

#define _GNU_SOURCE
#include "../src/omp_tools.h"

#include <stddef.h>
#include <stdint.h>

/* The rules, each with the condition that must hold. Reports use these names, and they switch rules
 * off. */
#define CHECK_RULES(X) \
    X(thread_first, "thread_begin is the first event of a thread and comes once") \
    X(thread_last, "thread_end is the last event of a thread") \
    X(thread_open, \
      "every thread that began and runs no task has ended when the tool is finalized") \
    X(thread_data, \
      "thread data is zero at first, then what the tool set; ompt_get_thread_data returns it") \
    X(region_data, "parallel data is never NULL where a region begins, is zero then, and stays " \
                   "what the tool set") \
    X(region_pair, "parallel_end ends the region that its task began last, with the same flags") \
    X(region_flags, "a region has one invoker, and is a team or a league") \
    X(team_size, "a region has as many implicit tasks as the team size that each of them gets, " \
                 "each with an index of its own") \
    X(task_data, \
      "task data is never NULL, is zero where a task begins, and stays what the tool set") \
    X(task_current, "the task of an event is the one that the thread runs") \
    X(task_region, "the parallel data of an event is that of the current task's region") \
    X(task_flags, "a task is of one kind: initial, implicit, explicit, target or taskwait") \
    X(task_order, "a task is created, runs, completes once, and is not scheduled afterwards") \
    X(task_thread, "a task runs on one thread at a time, and a tied one always on the same") \
    X(task_team, "a thread runs tasks of its own team") \
    X(task_next, "a status by which another task goes on names it, and no other status does") \
    X(task_open, "explicit tasks are complete when their region ends") \
    X(task_children, "after a taskwait all children of the task are complete") \
    X(dependences, "dependences are reported once, after the creation and before the start, of " \
                   "tasks that have some") \
    X(scope_pair, "an end ends what its task began last: same event, same kind") \
    X(scope_open, "nothing is open in a task that ends") \
    X(wait_scope, "sync_region_wait lies directly in a sync_region of its kind") \
    X(dispatch_scope, "dispatch lies in a construct that its kind fits") \
    X(endpoint, "an endpoint is begin or end, or beginend where both are one") \
    X(kind, "a kind is one of the specification's") \
    X(code_pair, "code pointers are NULL at both ends or at neither") \
    X(mutex_order, "acquire, acquired and released follow each other") \
    X(mutex_owner, "who releases a mutex has acquired it") \
    X(mutex_held, \
      "what a task entered it has left when it ends; a lock that is held is not destroyed") \
    X(mutex_nest, \
      "nest_lock is for a lock that the thread holds already, and comes for each set and unset") \
    X(lock_known, "a lock is initialised before it is used, and stays of its kind") \
    X(wait_id, "a wait id is not 0") \
    X(cancel, "cancel names a construct, and one thing that became of it, for the current task") \
    X(state_known, "the state is one that ompt_enumerate_states lists") \
    X(state_work, "work_serial, work_parallel and idle fit where the thread is") \
    X(state_wait, "a state of waiting is of something that the task waits for") \
    X(state_set, \
      "in the callbacks of sync_region_wait and mutex_acquire the state says what is waited for") \
    X(state_id, "a state of waiting for a mutex comes with its wait id") \
    X(frame_enter, \
      "a task that enters the runtime to begin a region or to create a task has an enter frame") \
    X(frame_exit, "a task that runs user code has an exit frame") \
    X(frame_flags, \
      "frame flags are runtime or application, with cfa, framepointer or stackaddress") \
    X(frame_order, "on one stack an exit frame lies below the enter frame of the task before it") \
    X(info_task, "ompt_get_task_info says of the current task what the events said") \
    X(info_switch, "and so it does in the callbacks of task_create and task_schedule") \
    X(info_ancestor, "and of every ancestor, and there are no more of them") \
    X(info_region, "ompt_get_parallel_info says of every enclosing region what the events said") \
    X(target_data, "target data is zero where a construct begins, and names the thread's " \
                   "innermost one in what is done for it") \
    X(target_pair, \
      "the end of a construct is that of the thread's innermost, with the same device and tasks") \
    X(target_task, \
      "with nowait a construct has a target task, which runs; else it is the current task's") \
    X(target_scope, "submit lies in a target construct, map in one that maps something") \
    X(operation, \
      "an operation on data ends as it began, with its number, and another does not begin within") \
    X(device_known, "a device is initialized before it is used, once, and finalized after that") \
    X(finalized, "no event follows finalize")

enum check_rule {
#define X(name, text) rule_##name,
    CHECK_RULES(X)
#undef X
        RULES
};

/* What the tool's data words refer to. A word is a tag and a number, so that the checker never
 * follows a word that it did not set. */
enum check_what { what_thread = 1, what_region, what_task, what_target };

struct check_thread;
struct check_task;

struct check_region {
    struct check_task *parent;  /* NULL: the region of the initial task */
    struct check_region *outer; /* the parent's */
    ompt_data_t *data;
    unsigned flags, size;        /* size 0: unknown yet */
    unsigned begun, ended_tasks; /* implicit tasks that have begun and ended */
    unsigned char *seen;         /* by index: whether this implicit task has begun */
    long open;                   /* explicit tasks that are not complete */
    int ended;
};

/* What is open in a task, innermost last. */
struct check_scope {
    unsigned event;
    int kind;
    const void *code;
    struct check_region *region; /* of a parallel_begin */
};

struct check_task {
    struct check_region *region; /* the one it is bound to */
    struct check_task *parent;   /* the creator; for an implicit task the one that encountered the
                                    region */
    struct check_task *below;    /* the task that its thread ran when it began */
    struct check_task *before;   /* for an implicit task: the thread's implicit task before it */
    struct check_thread *on;     /* the thread that runs it now; NULL: none */
    struct check_thread *home;   /* the thread that began it */
    ompt_data_t *data;
    unsigned flags, index;
    long children; /* children that are not complete */
    unsigned scopes, room;
    struct check_scope *scope;
    int started, detached, done;
    int taskloop;    /* it belongs to a taskloop, whose work may end before the task runs */
    int dependences; /* 1: to be reported, 2: reported */
    int awaits_some; /* it is in a taskwait with dependences, which waits only for the tasks that
                        they name */
};

struct check_hold {
    struct check_hold *next;
    int family;
    ompt_wait_id_t wait;
    unsigned depth;
    struct check_task *task;
};

/* A construct of the target family, on the thread that executes it. */
struct check_target {
    struct check_target *outer;
    int kind, device;
    const ompt_data_t *data, *task, *target_task;
};

/* An operation on data that has begun; event is 0 when there is none. */
struct check_operation {
    unsigned event;
    int type;
    ompt_id_t id;
    size_t bytes;
    const void *source, *destination;
};

struct check_thread {
    struct check_thread *next;
    unsigned number;
    ompt_data_t *data;
    uint64_t word;
    struct check_task *current;
    /* The innermost implicit task, which has the thread's number in the team. */
    struct check_task *implicit;
    int begun, ended;
    int pending; /* kind of a mutex_acquire whose mutex_acquired has not come yet; 0: none */
    ompt_wait_id_t pending_wait;
    struct check_hold *holds;
    struct check_target *target; /* the innermost */
    struct check_operation operation;
};

/* The entry points that the checker calls. Each may be NULL. */
extern struct check_ask {
    ompt_get_thread_data_t thread_data;
    ompt_get_state_t state;
    ompt_get_task_info_t task;
    ompt_get_parallel_info_t region;
} check_ask;

#endif
