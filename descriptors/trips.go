package descriptors

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
	"opari/parse"
)

// Trip is one loop of a construct, going up from From to To by Step, To not included. The expressions may be evaluated once more
// before the construct: whether and how often that happens is not specified, OpenMP 5.2 [4.4.1], and they call nothing.
type Trip struct {
	From, To, Step string // C expressions
	Through        bool   // To is included
	// Untyped: the header does not declare the iteration variable, so it may be a pointer. The variable itself is not to be named: under
	// default(none) it is not visible before the loop.
	Untyped bool
}

// trips reads the headers of the loops of r. There are none where one of them is not in canonical form, may call something, or depends on
// another.
func (l *Lowering) trips(r *Region) []Trip {
	switch r.Kind {
	case omp.KindFor, omp.KindTaskloop, omp.KindLoop:
	default:
		return nil
	}
	c := r.Construct
	n := 1
	if k := c.Directive.Clause("collapse"); k != nil {
		var err error
		if n, err = strconv.Atoi(k.Args); err != nil || n < 1 {
			return nil
		}
	}
	if c.Conditional || len(c.Header.Loops) < n {
		return nil
	}
	trips := make([]Trip, n)
	for i, e := range c.Header.Loops[:n] {
		t, ok := readTrip(l.table.File.Text[e.Start:e.End], &c.Header)
		if !ok {
			return nil
		}
		trips[i] = t
	}
	return trips
}

var (
	// What an expression may consist of. No comment, string, call, assignment or lambda gets through.
	tripText = regexp.MustCompile(`^[\w\s+\-*/%()\[\].&|^~<>=!;]*$`)
	tripCall = regexp.MustCompile(`[\w)\]]\s*\(`)
	tripSet  = regexp.MustCompile(`\+\+|--|(^|[^<>=!])=([^=]|$)`)
	tripWord = regexp.MustCompile(`[A-Za-z_]\w*`)

	tripInit = regexp.MustCompile(`^((?:[A-Za-z_]\w*\s+)*)([A-Za-z_]\w*)\s*=([^=].*)$`)
	tripTest = regexp.MustCompile(`^([^<>=!]*)(<=|>=|!=|<|>)([^<>=!]*)$`)
	tripNext = regexp.MustCompile(`^(\+\+|--)?\s*(\w+)\s*(?:(\+\+|--)|([+-]?)=(.*))?$`)
)

// Integer types by the words that they consist of.
var integerWords = strings.Fields("int long short char unsigned signed size_t ssize_t ptrdiff_t intptr_t uintptr_t " +
	"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t")

func readTrip(header []byte, h *parse.LoopHeader) (t Trip, ok bool) {
	if len(header) > 400 || !tripText.Match(header) || bytes.Contains(header, []byte("//")) || bytes.Contains(header, []byte("/*")) {
		return t, false
	}
	parts := strings.Split(strings.Join(strings.Fields(string(header)), " "), ";")
	if len(parts) != 3 {
		return t, false
	}
	init := tripInit.FindStringSubmatch(strings.TrimSpace(parts[0]))
	test := tripTest.FindStringSubmatch(strings.TrimSpace(parts[1]))
	if init == nil || test == nil {
		return t, false
	}
	declared, v := strings.Fields(init[1]), init[2]
	for _, w := range declared {
		if !slices.Contains(integerWords, w) {
			return t, false
		}
	}
	t.Untyped = len(declared) == 0
	step, down, ok := readStep(strings.TrimSpace(parts[2]), v)
	if !ok {
		return t, false
	}
	first, bound, relation := strings.TrimSpace(init[3]), strings.TrimSpace(test[3]), test[2]
	if left := strings.TrimSpace(test[1]); left != v {
		if bound != v {
			return t, false
		}
		bound, relation = left, strings.Map(mirror, relation)
	}
	for _, e := range []string{first, bound, step} {
		if !isPlain(e, h.Variables) {
			return t, false
		}
	}
	t.Through = strings.HasSuffix(relation, "=") && relation != "!="
	if relation == "!=" && step != "1" {
		return t, false
	}
	t.From, t.To, t.Step = first, bound, step
	falls := relation[0] == '>' || relation == "!=" && down
	if falls { // from first down to bound: as often as from bound up to first
		t.From, t.To = bound, first
	}
	if falls != down {
		t.Step = "-(" + step + ")"
	}
	return t, true
}

func mirror(r rune) rune {
	switch r {
	case '<':
		return '>'
	case '>':
		return '<'
	}
	return r
}

// readStep reads i++, --i, i += e, i = i - e: the amount, and whether it is taken away.
func readStep(text, v string) (step string, down, ok bool) {
	m := tripNext.FindStringSubmatch(text)
	if m == nil || m[2] != v {
		return "", false, false
	}
	switch {
	case m[1]+m[3] == "++":
		return "1", false, true
	case m[1]+m[3] == "--":
		return "1", true, true
	case m[1] != "" || m[3] != "" || strings.TrimSpace(m[5]) == "":
		return "", false, false
	case m[4] != "":
		return strings.TrimSpace(m[5]), m[4] == "-", true
	}
	rest := strings.TrimSpace(m[5])
	if after, found := strings.CutPrefix(rest, v); found {
		after = strings.TrimSpace(after)
		if after != "" && (after[0] == '+' || after[0] == '-') && !strings.ContainsAny(after[1:], "+-<>&|^=") {
			return strings.TrimSpace(after[1:]), after[0] == '-', true
		}
	}
	return "", false, false
}

// isPlain reports whether e may be evaluated once more, outside of the loops with the given variables.
func isPlain(e string, variables []string) bool {
	if e == "" || tripCall.MatchString(e) || tripSet.MatchString(e) {
		return false
	}
	for _, w := range tripWord.FindAllString(e, -1) {
		if slices.Contains(variables, w) || slices.Contains([]string{"new", "delete", "throw", "co_await", "typename"}, w) {
			return false
		}
	}
	return true
}

// hintOf is the value of the hint clause of a critical: names of omp_sync_hint_t joined by | or +, or a number.
func hintOf(d *parse.Directive) omp.Schedule {
	c := d.Clause("hint")
	if c == nil {
		return 0
	}
	value := 0
	for _, word := range strings.FieldsFunc(c.Args, func(r rune) bool { return strings.ContainsRune("|+() \t", r) }) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "omp_sync_hint_"), "omp_lock_hint_")
		if n, err := strconv.ParseUint(word, 0, 8); err == nil {
			value |= int(n)
		} else if i := slices.Index([]string{"uncontended", "contended", "nonspeculative", "speculative"}, word); i >= 0 {
			value |= 1 << i
		}
	}
	return omp.Schedule(value)
}
