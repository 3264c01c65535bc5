package parse

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// generated returns a file with n regions, ten to a function and four lines each.
func generated(n int) []byte {
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n#include <omp.h>\n#define N 1000\nstatic double a[N], " +
		"b[N];\n")
	for i := 0; i < n; i += 10 {
		fmt.Fprintf(&b, `
/* kernel %d: touches a and b */
static double kernel_%d(int n, double *restrict x, const double *y)
{
    double sum = 0.0;
#pragma omp parallel shared(sum) num_threads(4)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            x[i] = y[i] * 2.0 + a[i %% N];
#pragma omp critical(name_%d)
        { sum += x[0]; }
#pragma omp single
        printf("kernel %%d: %%g\n", %d, sum);
#pragma omp barrier
#pragma omp master
        { b[0] = sum; }
#pragma omp atomic
        sum += 1.0;
    }
#pragma omp parallel for reduction(+: sum) private(n)
    for (int i = 0; i < N; i++)
        sum += a[i] + b[i];
#pragma omp parallel sections
    {
        a[0] = 1; b[0] = 2;
    }
#pragma omp flush
    if (n > 0 && x[n - 1] != y[n - 1])
        return sum; // done
    else
        return -sum;
}
`, i, i, i, i)
	}
	return []byte(b.String())
}

func BenchmarkFile(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		text := generated(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				tree, ds := File(source.New("f.c", text), Options{})
				if len(ds) > 0 || len(tree.Constructs) == 0 {
					b.Fatal(ds)
				}
			}
			b.ReportMetric(float64((cpuTime()-start).Nanoseconds())/float64(b.N)/float64(n),
				"cpu-ns/region")
		})
	}
}

// cpuTime returns the processor time that the process has used, including the garbage
// collector's. Wall time would depend on the other users of the machine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPlain reads a file without directives.
func BenchmarkPlain(b *testing.B) {
	text := []byte(strings.ReplaceAll(string(generated(100_000)), "#pragma omp", "#pragma not"))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		File(source.New("f.c", text), Options{})
	}
}

// TestMemory bounds the memory for a construct, besides the text, its directive and the table of
// lines.
func TestMemory(t *testing.T) {
	const n = 100_000
	text := generated(n)
	f := source.New("f.c", text)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	tree, _ := File(f, Options{Lang: omp.C})
	runtime.GC()
	runtime.ReadMemStats(&after)
	count, clauses := 0, 0
	construct.Walk(tree.Constructs, func(c *construct.Construct) {
		count++
		clauses += len(c.Directive.Clauses)
	})
	// A clause shares its arrays with its neighbours; its items are strings of 16 bytes.
	directives := count*int(unsafe.Sizeof(directive.Directive{})) +
		clauses*int(unsafe.Sizeof(directive.Clause{})+48)
	beyond := (int(after.HeapAlloc) - int(before.HeapAlloc) - directives) / count
	t.Logf("%d constructs: %d bytes each beyond the directive", count, beyond)
	if beyond > 250 {
		t.Errorf("a construct takes %d bytes beyond its directive", beyond)
	}
	runtime.KeepAlive(tree)
}
