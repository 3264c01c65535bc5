/* platform.h: atomics, branch hints, thread-local storage and attributes for the bridge and the
 * recorders. */
#ifndef OPARI_PLATFORM_H
#define OPARI_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

/* A record of a trace is a word of 64 bits, and so are handles of OMPT. */
#if UINTPTR_MAX < UINT64_MAX
#error "the measurement library needs a 64-bit machine; opari-instrumented programs run without it"
#endif

/* Code outside the path of events is compiled for size, because every program contains the
 * library. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define OPARI_FOR_SIZE _Pragma("GCC push_options") _Pragma("GCC optimize(\"Os\")")
#define OPARI_FOR_SPEED _Pragma("GCC pop_options")
#else
#define OPARI_FOR_SIZE
#define OPARI_FOR_SPEED
#endif

#define OPARI_LIKELY(x) __builtin_expect(!!(x), 1)
#define OPARI_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define OPARI_COLD __attribute__((cold, noinline))
#define OPARI_NOINLINE __attribute__((noinline)) /* runs seldom, but fast */
#define OPARI_MAYBE __attribute__((unused)) /* unused where the library intercepts no runtime */
/* Functions that each parallel region calls one after the other lie side by side. Elsewhere the
 * linker's order made the same instructions up to 4 ns per region faster or slower. */
#define OPARI_TEAM __attribute__((section(".text.opari_team"), aligned(64)))
#define OPARI_INLINE static inline __attribute__((always_inline))

/* Local-exec in the static library, initial-exec in the shared one: access costs one instruction,
 * without a call or an allocation. */
#ifdef OPARI_SHARED
#define OPARI_TLS __thread __attribute__((tls_model("initial-exec")))
#else
#define OPARI_TLS __thread __attribute__((tls_model("local-exec")))
#endif

#define OPARI_LOAD(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define OPARI_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define OPARI_ACQUIRE(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define OPARI_RELEASE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

/* Orders this thread's writes for its own signal handlers. It costs no instruction. */
#define OPARI_SIGNAL_FENCE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* Declares to ThreadSanitizer an order that it does not see, because the OpenMP runtime ensures it:
 * a record goes from the thread that wrote it to the one that reads it. */
#ifdef __SANITIZE_THREAD__
extern void __tsan_release(void *address);
extern void __tsan_acquire(void *address);
#define OPARI_HANDS_OVER(p) __tsan_release(p)
#define OPARI_TAKES_OVER(p) __tsan_acquire(p)
#else
#define OPARI_HANDS_OVER(p) ((void)(p))
#define OPARI_TAKES_OVER(p) ((void)(p))
#endif

#endif
