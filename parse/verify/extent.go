package verify

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/cc/v4"

	"opari/internal/source"
	"opari/parse/ctext"
)

// A ccUnit is the front end's result for one file.
type ccUnit struct {
	file       *source.File
	statements []ccStatement // one for each mark; inactive if the mark is in no active branch
	unmarked   []int         // offsets in OpenMP pragmas without a mark, in active branches
}

// A ccStatement is the statement after a mark, as the front end sees it.
type ccStatement struct {
	active bool
	found  bool          // a statement starts with the token after the mark
	extent source.Extent // in the file; meaningless if one of the names below is set
	// The macros in whose expansion the statement starts and ends, and the other files where it
	// does; "" for none. A statement does not start or end inside an expansion that is the entire
	// statement, or its start or end.
	startMacro, endMacro string
	startFile, endFile   string
}

// ErrTooLarge says that the front end would need too much time and memory.
var ErrTooLarge = errors.New("the file is too large")

// errTime says that the front end took too long. It continues in the background, because Go
// cannot stop it.
var errTime = errors.New("it takes too long")

// readUnit lets the front end read the file, with a mark in place of each extent in marks. The
// error is the front end's first one, with its place.
func readUnit(f *source.File, o Options, marks []source.Extent) (*ccUnit, error) {
	if len(f.Text) > MaxText {
		return nil, ErrTooLarge
	}
	text, deep := normalise(f.Text, marks)
	if deep {
		return nil, errDeep
	}
	type result struct {
		u   *ccUnit
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{nil, fmt.Errorf("internal error of the C front end: %v", p)}
			}
			done <- r
		}()
		r.u, r.err = parseUnit(f, text, o, len(marks))
	}()
	limit := time.NewTimer(timeLimit)
	defer limit.Stop()
	select {
	case r := <-done:
		return r.u, r.err
	case <-limit.C:
		return nil, errTime
	}
}

func parseUnit(f *source.File, text []byte, o Options, marks int) (*ccUnit, error) {
	h, err := hostFor(o.CPPFlags)
	if err != nil {
		return nil, err
	}
	u := &ccUnit{file: f, statements: make([]ccStatement, marks)}
	ast, err := h.frontEnd(u, text)
	if err != nil {
		return nil, err
	}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		p := l.ExternalDeclaration.Position()
		if p.Filename != f.Name && (strings.HasPrefix(p.Filename, "<") || h.isSystem(p.Filename)) {
			continue
		}
		if o.Preprocessed && p.Offset < len(f.Text) && f.Position(p.Offset).System {
			continue
		}
		w := ccWalker{u: u, macros: ast.Macros, longest: map[int]int{}}
		w.node(reflect.ValueOf(l.ExternalDeclaration))
		w.place()
	}
	for _, id := range marksIn(ast.EOF.Sep()) {
		if id < marks {
			u.statements[id].active = true
		}
	}
	return u, nil
}

// A ccWalker visits one external declaration.
type ccWalker struct {
	u      *ccUnit
	macros map[string]*cc.Macro
	tokens []cc.Token // sorted by their sequence numbers once all are collected
	// By the number of a first token: the last token of the longest statement that starts there.
	longest map[int]int
}

// nodeFields holds, by the type of a node, the indexes of its fields that lead to tokens and
// nodes.
var nodeFields sync.Map // from reflect.Type to []int

var (
	tokenType = reflect.TypeFor[cc.Token]()
	nodeType  = reflect.TypeFor[cc.Node]()
)

func fieldsOf(t reflect.Type) (fields []int) {
	if known, ok := nodeFields.Load(t); ok {
		return known.([]int)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || f.Anonymous {
			continue
		}
		switch {
		case f.Type == tokenType && strings.HasPrefix(f.Name, "Token"),
			f.Type != tokenType && f.Type.Implements(nodeType):
			fields = append(fields, i)
		}
	}
	nodeFields.Store(t, fields)
	return fields
}

// node collects the tokens and statements of v, a pointer to a node. It returns the range of its
// tokens' numbers, or 0, 0 if it has none.
func (w *ccWalker) node(v reflect.Value) (lo, hi int) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0, 0
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return 0, 0
	}
	for _, i := range fieldsOf(v.Type()) {
		f := v.Field(i)
		l, h := 0, 0
		if f.Type() == tokenType {
			t := f.Interface().(cc.Token)
			if l = t.Seq(); l != 0 {
				w.tokens = append(w.tokens, t)
			}
			h = l
		} else {
			l, h = w.node(f)
		}
		if l != 0 && (lo == 0 || l < lo) {
			lo = l
		}
		hi = max(hi, h)
	}
	if statementNodes[v.Type()] {
		w.longest[lo] = max(w.longest[lo], hi)
	}
	return lo, hi
}

// statementNodes are the nodes that count as a statement after a mark.
var statementNodes = map[reflect.Type]bool{
	reflect.TypeFor[cc.Statement]():           true,
	reflect.TypeFor[cc.BlockItem]():           true,
	reflect.TypeFor[cc.ExternalDeclaration](): true,
}

// place finds the marks and the statements after them.
func (w *ccWalker) place() {
	slices.SortFunc(w.tokens, func(a, b cc.Token) int { return cmp.Compare(a.Seq(), b.Seq()) })
	for i := range w.tokens {
		ids := marksIn(w.tokens[i].Sep())
		if len(ids) == 0 {
			continue
		}
		s := w.statement(i)
		for _, id := range ids {
			if id < len(w.u.statements) {
				w.u.statements[id] = s
			}
		}
	}
}

// statement returns the outermost statement that starts with the i-th token.
func (w *ccWalker) statement(i int) ccStatement {
	s := ccStatement{active: true}
	last, ok := w.longest[w.tokens[i].Seq()]
	if !ok {
		return s
	}
	s.found = true
	e, _ := slices.BinarySearchFunc(w.tokens, last, func(t cc.Token, seq int) int {
		return cmp.Compare(t.Seq(), seq)
	})
	s.extent.Start, _, s.startMacro, s.startFile = w.edge(i, i-1)
	_, s.extent.End, s.endMacro, s.endFile = w.edge(e, e+1)
	return s
}

// edge returns where the file has the i-th token: its extent, or that of the macro call that it
// comes from. macro is set if the neighbouring token comes from the same call. file is set if the
// token is in another file.
func (w *ccWalker) edge(i, neighbour int) (start, end int, macro, file string) {
	t := w.tokens[i]
	p := t.Position()
	text := w.u.file.Text
	if p.Filename != w.u.file.Name || p.Offset >= len(text) {
		return 0, 0, "", p.Filename
	}
	start = p.Offset
	raw := text[start:]
	if !ctext.IsWord[raw[0]] || ctext.IsDigit(raw[0]) ||
		bytes.HasPrefix(raw, t.Src()) && !isWordAt(raw, len(t.Src())) {
		return start, start + tokenLenIn(raw, t.Src()), "", ""
	}
	n := 0
	for isWordAt(raw, n) {
		n++
	}
	name := string(raw[:n])
	if 0 <= neighbour && neighbour < len(w.tokens) {
		if q := w.tokens[neighbour].Position(); q.Filename == p.Filename && q.Offset == p.Offset {
			return start, start + n, name, ""
		}
	}
	end = start + n
	if m := w.macros[name]; m == nil || m.IsFnLike {
		end = macroCallEnd(text, end)
	}
	return start, end, "", ""
}

func isWordAt(s []byte, i int) bool { return i < len(s) && ctext.IsWord[s[i]] }

// tokenLenIn returns the length of a token in the file, where a digraph is longer than its
// meaning.
func tokenLenIn(raw, token []byte) int {
	if len(raw) > 1 && len(token) == 1 && digraphAt(raw[0], raw[1]) == token[0] {
		return 2
	}
	return len(token)
}

// macroCallEnd returns the offset after the arguments of the macro whose name ends at i, or i if
// no parenthesis follows.
func macroCallEnd(text []byte, i int) int {
	depth := 0
	for k := i; k < len(text); {
		switch c := text[k]; {
		case c == '/' && ctext.CommentLen(text[k:]) > 0:
			if k+1 < len(text) && text[k+1] == '/' {
				for k < len(text) && text[k] != '\n' {
					k++
				}
			} else {
				k += ctext.CommentLen(text[k:])
			}
		case ctext.IsBlank(c) || c == '\\' && ctext.SpliceLen(text[k:]) > 0:
			k++
		case c == '(':
			depth++
			k++
		case depth == 0:
			return i
		case c == ')':
			k++
			if depth--; depth == 0 {
				return k
			}
		case c == '"' || c == '\'':
			k = ctext.AfterLiteral(text, k)
		default:
			k++
		}
	}
	return i
}
