package corpus

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// dejaGnu holds what a test's { dg-... } comments request.
type dejaGnu struct {
	kind       string   // dg-do
	options    []string // dg-options: replaces the suite's; nil without one
	additional []string // dg-additional-options: added to them
	sources    []string // dg-additional-sources: names in the same folder
	env        []string // dg-set-target-env-var
	skip       string   // why the test is not for this machine
	targets    []string // the true ones besides effectiveTargets
}

var (
	testDirective = regexp.MustCompile(`(?m)\{\s*(dg-[a-z-]+)\s*(.*?)\}\s*(?:\*/|$)`)
	testToken     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{|\}|[^\s{}"]+`)
)

// effectiveTargets are the properties of an x86-64 machine with glibc and without an accelerator.
var effectiveTargets = strings.Fields(`
	lp64 size32plus tls_runtime tls vect_simd_clones lto fd_truncate __float128 float128
	sync_int_long sync_char_short large_long_double shared fpic alloca c99_runtime pthread
	sse2_runtime sse2 avx avx_runtime avx2_runtime`)

// The effective targets that a language adds; for C++ they are those of g++ 12's default
// standard.
var (
	targetsC   = []string{"c"}
	targetsCxx = strings.Fields("c++ c++11 c++14 c++17 c++17_only c++17_down")
)

const targetTriplet = "x86_64-pc-linux-gnu"

// parseDejaGnu reads the test directives of one source; targets are the true effective targets.
func parseDejaGnu(text string, targets []string) dejaGnu {
	d := dejaGnu{kind: "run", targets: targets}
	for _, m := range testDirective.FindAllStringSubmatch(text, -1) {
		d.apply(m[1], testToken.FindAllString(m[2], -1), m[2])
	}
	return d
}

// apply processes one directive with its tokens.
func (d *dejaGnu) apply(name string, tokens []string, raw string) {
	var quoted []string
	for _, t := range tokens {
		if strings.HasPrefix(t, `"`) {
			quoted = append(quoted, unquote(t))
		}
	}
	holds := d.selected(tokens)
	first := ""
	if len(tokens) > 0 {
		first = unquote(tokens[0])
	}
	switch {
	case name == "dg-do" && !holds:
		d.skip = "dg-do target"
	case name == "dg-do" && first != "":
		d.kind = first
	case name == "dg-options" && len(quoted) > 0 && holds:
		d.options = append([]string{}, strings.Fields(quoted[0])...)
	case name == "dg-additional-options" && len(quoted) > 0 && holds:
		d.additional = append(d.additional, strings.Fields(quoted[0])...)
	case name == "dg-require-effective-target" && !d.has(first):
		d.skip = "needs " + first
	case name == "dg-set-target-env-var" && len(tokens) >= 2:
		d.env = append(d.env, first+"="+unquote(tokens[len(tokens)-1]))
	case name == "dg-additional-sources" && len(quoted) > 0:
		d.sources = append(d.sources, strings.Fields(strings.Join(quoted, " "))...)
	case name == "dg-additional-sources":
		d.sources = append(d.sources, tokens...)
	case name == "dg-shouldfail", name == "dg-xfail-run-if", name == "dg-xfail-if":
		d.skip = name
	case name == "dg-skip-if" && strings.Contains(raw, "*-*-*"):
		d.skip = name
	}
}

// unquote removes the quotes of a token.
func unquote(t string) string {
	if len(t) >= 2 && t[0] == '"' {
		t = t[1 : len(t)-1]
	}
	return strings.ReplaceAll(t, `\"`, `"`)
}

// selected evaluates the { target ... } among the tokens; without one the directive holds.
func (d *dejaGnu) selected(tokens []string) bool {
	at := slices.Index(tokens, "target")
	if at < 0 {
		return true
	}
	s := selector{tokens: tokens[at+1:], has: d.has}
	return s.value()
}

// selector evaluates a target selector: names, braces, !, &&, ||. Two operands without an
// operator mean "or".
type selector struct {
	tokens []string
	next   int
	has    func(name string) bool
}

// value evaluates up to the closing brace of the level it starts on.
func (s *selector) value() bool {
	result, seen, operator, not := true, false, "||", false
	for s.next < len(s.tokens) {
		t := s.tokens[s.next]
		s.next++
		v := false
		switch t {
		case "}":
			return result
		case "!":
			not = !not
			continue
		case "&&", "||":
			operator = t
			continue
		case "{":
			v = s.value()
		default:
			v = s.has(unquote(t))
		}
		v = v != not
		switch {
		case !seen:
			result = v
		case operator == "&&":
			result = result && v
		default:
			result = result || v
		}
		seen, operator, not = true, "||", false
	}
	return result
}

// has reports whether a name, or a pattern of target triplets, is true of this machine and of the
// language.
func (d *dejaGnu) has(name string) bool {
	if strings.Contains(name, "*") {
		ok, err := path.Match(name, targetTriplet)
		return ok && err == nil
	}
	return slices.Contains(d.targets, name) || slices.Contains(effectiveTargets, name)
}
