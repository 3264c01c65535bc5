package race

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"opari/internal/instrument"
	"opari/internal/omp"
	"opari/internal/pattern"
	"opari/parse/construct"
)

// text is a source file with its constructs. Of a file that cannot be read there is nothing.
type text struct {
	name       string
	lines      []string
	fortran    bool
	asksThread bool
	regions    []*region // the outer ones before the inner ones
}

// region is a construct in the source.
type region struct {
	*construct.Construct
	file       string
	begin, end int // lines
}

func (r *region) String() string {
	return r.Directive.Name + " at " + r.place()
}

func (r *region) place() string { return r.file + ":" + strconv.Itoa(r.begin) }

// is reports whether one of the directives that the name consists of is this one.
func (r *region) is(rows ...*omp.Directive) bool {
	return slices.ContainsFunc(r.Directive.Leaves, func(l *omp.Directive) bool {
		return slices.Contains(rows, l)
	})
}

// has reports whether the directive has a clause.
func (r *region) has(row *omp.Clause) bool { return r.Directive.Has(row) }

// text reads a source file once.
func (fs *Findings) text(name string) *text {
	t := fs.sources[name]
	if t == nil {
		t = fs.read(name)
		fs.sources[name] = t
	}
	return t
}

func (fs *Findings) read(name string) *text {
	t := &text{name: name}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(fs.folder, path)
	}
	lang, preprocessed, ok := instrument.Language(path)
	b, err := os.ReadFile(path)
	if name == "" || !ok || err != nil {
		return t
	}
	t.lines = strings.Split(string(b), "\n")
	t.fortran = lang == omp.Fortran
	t.asksThread = strings.Contains(strings.ToLower(string(b)), "omp_get_thread_num")
	u := instrument.Prepare(path, b, lang, preprocessed, &instrument.Options{Verify: "never"})
	if u.Tree == nil {
		return t
	}
	construct.Walk(u.Tree.Constructs, func(c *construct.Construct) {
		if c.Implicit && len(c.Directive.Leaves) == 0 {
			return
		}
		t.regions = append(t.regions, &region{
			Construct: c, file: name, begin: c.Directive.Pos.Line,
			end: u.File.Position(max(c.Extent.Start, c.Extent.End-1)).Line,
		})
	})
	return t
}

func (t *text) line(n int) string {
	if n < 1 || n > len(t.lines) {
		return ""
	}
	return t.lines[n-1]
}

// around returns the constructs with a line inside, the innermost first.
func (t *text) around(line int) []*region {
	var chain []*region
	for _, r := range t.regions {
		if r.Kind != construct.NoBlock && r.begin <= line && line <= r.end {
			chain = append(chain, r)
		}
	}
	slices.Reverse(chain)
	return chain
}

// asksThread reports whether the file of an access asks for the thread's number. Then each thread
// may have memory of its own.
func (fs *Findings) asksThread(a *Access) bool { return fs.text(a.File).asksThread }

var (
	word = pattern.Lazy{Text: `[A-Za-z_]\w*`}
	// literal is what holds words that name nothing.
	literal = pattern.Lazy{Text: `"(\\.|[^"])*"|'(\\.|[^'])*'|//.*|/\*.*?\*/`}
)

// sharedNames returns the variables that both lines name and no construct around one of them
// makes private. Where the lines assign to some of them, others do not count.
func (fs *Findings) sharedNames(a, b *Access) []string {
	names := fs.namesOf(a)
	other := fs.namesOf(b)
	names = slices.DeleteFunc(names, func(n string) bool { return !slices.Contains(other, n) })
	var assigned []string
	for _, n := range names {
		if a.write && assigns(a.Source, n) || b.write && assigns(b.Source, n) {
			assigned = append(assigned, n)
		}
	}
	if len(assigned) > 0 {
		return assigned
	}
	if len(names) > 3 {
		return nil // no name is likelier than the others
	}
	return names
}

func (fs *Findings) namesOf(a *Access) []string {
	t := fs.text(a.File)
	line := literal.Get().ReplaceAllString(a.Source, " ")
	if t.fortran {
		line, _, _ = strings.Cut(strings.ToLower(line), "!")
	}
	var names []string
	for _, at := range word.Get().FindAllStringIndex(line, -1) {
		n := line[at[0]:at[1]]
		rest := strings.TrimLeft(line[at[1]:], " ")
		isCall := strings.HasPrefix(rest, "(") && !t.fortran
		isMember := at[0] > 0 && (line[at[0]-1] == '.' ||
			strings.HasSuffix(line[:at[0]], "->"))
		if !isCall && !isMember && !keywords()[n] && !slices.Contains(names, n) &&
			!isPrivate(a, n) {
			names = append(names, n)
		}
	}
	return names
}

var privatizing = []*omp.Clause{
	omp.ClausePrivate, omp.ClauseFirstprivate, omp.ClauseLastprivate, omp.ClauseLinear,
	omp.ClauseReduction,
}

// isPrivate reports whether a construct around an access makes a variable private, or has it as
// the variable of its loop.
func isPrivate(a *Access, name string) bool {
	for _, r := range a.chain {
		if slices.Contains(r.Header.Variables, name) {
			return true
		}
		for _, c := range r.Directive.Clauses {
			if slices.Contains(privatizing, c.Row) && slices.Contains(c.Items, name) {
				return true
			}
		}
	}
	return false
}

// assigns reports whether a line changes a variable: x = e, x[i] += e, x++, --x.
func assigns(line, name string) bool {
	for _, at := range word.Get().FindAllStringIndex(line, -1) {
		if !strings.EqualFold(line[at[0]:at[1]], name) {
			continue
		}
		before, rest := strings.TrimRight(line[:at[0]], " "), afterIndex(line[at[1]:])
		if strings.HasSuffix(before, "++") || strings.HasSuffix(before, "--") ||
			strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--") ||
			assignment.Get().MatchString(rest) {
			return true
		}
	}
	return false
}

var assignment = pattern.Lazy{Text: `^([-+*/%&|^]|<<|>>)?=([^=]|$)`}

// afterIndex returns what follows the indices and members behind a name.
func afterIndex(s string) string {
	for {
		s = strings.TrimLeft(s, " ")
		switch {
		case strings.HasPrefix(s, "["), strings.HasPrefix(s, "("):
			depth, i := 0, 0
			for i = range s {
				if s[i] == '[' || s[i] == '(' {
					depth++
				} else if s[i] == ']' || s[i] == ')' {
					depth--
				}
				if depth == 0 {
					break
				}
			}
			s = s[i+1:]
		case strings.HasPrefix(s, "->"), strings.HasPrefix(s, "."), strings.HasPrefix(s, "%"):
			at := word.Get().FindStringIndex(s)
			if at == nil || strings.Trim(s[:at[0]], "->.% ") != "" {
				return s
			}
			s = s[at[1]:]
		default:
			return s
		}
	}
}

var keywords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields(`auto bool break case char class const constexpr continue
		default do double else end enddo endif false float for goto if int integer long loop
		new nullptr private public real register return short signed sizeof static std struct
		switch template then this true typedef union unsigned using void volatile while call
		size_t int32_t int64_t uint32_t uint64_t int8_t uint8_t print write read omp_get_thread_num
		omp_get_num_threads mod kind`) {
		m[k] = true
	}
	return m
})
