package parse

import (
	"errors"

	"modernc.org/cc/v4"
)

// Types knows the types of the variables that are visible at the directives of one C file, in the one configuration
// that its flags select. It costs a run of the C front end, so it is made only when asked for.
type Types struct {
	unit *ccUnit
	at   map[*Construct]int // index of its statement in unit
}

// Var is what is known of a variable.
type Var struct {
	CType   string // as the front end writes it; good for reading, not for declaring
	Size    int64  // in bytes; -1: of variable length, incomplete or not known
	Array   bool
	Pointer bool // not an array, not a function
	Global  bool // has static storage: at file scope, extern or static
}

var errUnchecked = errors.New("the C front end refuses the types of this file")

// TypesOf has the C front end check the types of t's file. The options are those that t was made with. The error is the
// front end's first message.
func TypesOf(t *Tree, o Options) (*Types, error) {
	types := &Types{at: map[*Construct]int{}}
	constructs := written(t.Constructs)
	for i, c := range constructs {
		types.at[c] = i
	}
	u, err := readUnit(t.File, o, directiveExtents(constructs))
	if err != nil {
		return nil, err
	}
	if !u.types {
		return nil, errUnchecked
	}
	types.unit = u
	return types, nil
}

// Lookup is the variable that name means at the directive of c. It is not found where c is in no active branch, and where
// the name is that of no variable.
func (t *Types) Lookup(c *Construct, name string) (Var, bool) {
	i, ok := t.at[c]
	if !ok || !t.unit.statements[i].active || t.unit.statements[i].seq == 0 {
		return Var{}, false
	}
	seq := t.unit.statements[i].seq
	for s := t.unit.scopeAt(seq); s != nil; s = s.Parent {
		if d := declaredIn(s, name, seq); d != nil {
			return varOf(d), !d.IsTypename()
		}
	}
	return Var{}, false
}

// scopeAt is the innermost scope of the token whose sequence number is seq. A compound statement that starts with this
// token is not around it.
func (u *ccUnit) scopeAt(seq int) *cc.Scope {
	scope := u.fileScope
	for _, b := range u.blocks {
		if b.min < seq && seq <= b.max {
			scope = b.scope
		}
	}
	return scope
}

// declaredIn is the declaration of name in the scope, complete if one before seq is: `extern int a[]; int a[5];`.
func declaredIn(s *cc.Scope, name string, seq int) (found *cc.Declarator) {
	for _, n := range s.Nodes[name] {
		d, ok := n.(*cc.Declarator)
		if p, isParameter := n.(*cc.Parameter); isParameter {
			d, ok = p.Declarator, p.Declarator != nil
		}
		if ok && d.Visible() <= seq && (found == nil || found.Type().IsIncomplete()) {
			found = d
		}
	}
	return found
}

func varOf(d *cc.Declarator) Var {
	v := Var{Size: -1, Global: d.StorageDuration() == cc.Static && !d.IsParam()}
	typ := d.Type()
	if typ == nil {
		return v
	}
	v.CType = typ.String()
	switch typ.Kind() {
	case cc.Array:
		v.Array = true
		if a, ok := typ.(*cc.ArrayType); ok && a.IsVLA() {
			return v
		}
	case cc.Ptr:
		v.Pointer = true
	case cc.Function:
		return v
	}
	if n := typ.Size(); n >= 0 && !typ.IsIncomplete() {
		v.Size = n
	}
	return v
}
