package profile

import (
	"fmt"
	"strings"

	"opari/internal/analysis"
)

// Processors is what the kernel knows of the threads of a run. A profile has it from opari run.
type Processors struct {
	Allowed int   `json:"allowed"`   // number of processors that the program could use; 0: unknown
	Used    int64 `json:"used_ns"`   // time of all threads on a processor
	Waited  int64 `json:"waited_ns"` // time in which they could have run, and had none
}

// WithProcessors returns the text of a profile with o in its header. It keeps the text if the
// header has that already.
func WithProcessors(text []byte, o Processors) []byte {
	return withHeader(text, "processors", fmt.Sprintf(`{"allowed":%d,"used_ns":%d,"waited_ns":%d}`,
		o.Allowed, o.Used, o.Waited))
}

// withHeader returns the text of a profile with one more key in its header. It keeps the text if
// the header has the key already.
func withHeader(text []byte, key, value string) []byte {
	head, rest, _ := strings.Cut(string(text), "\n")
	body, is := strings.CutSuffix(head, "}")
	if !is || strings.Contains(body, `,"`+key+`":`) {
		return text
	}
	return fmt.Appendf(nil, "%s,%q:%s}\n%s", body, key, value, rest)
}

// addTo gives a result what o says. A profile does not say which thread waited.
func (o *Processors) addTo(r *analysis.Result) {
	if o == nil || len(r.Threads) == 0 {
		return
	}
	r.Threads[0].Used, r.Threads[0].Waited = o.Used, o.Waited
	r.Machines = []analysis.Machine{{Cores: o.Allowed}}
}
