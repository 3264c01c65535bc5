package otf

import "bytes"

// checkRecord checks the record buf[at:end].
func (c *checker) checkRecord(at, end int) {
	b, r := c.file, &c.record
	word := at
	if b.buf[word] == '#' {
		word++
	}
	for word < end && b.buf[word] >= 'A' && b.buf[word] <= 'Z' {
		word++
	}
	var k *RecordKind
	if word-at == 1 {
		k = c.letters[b.kind][b.buf[at]]
	}
	if k == nil {
		k = keywords()[b.kind][string(b.buf[at:word])]
		if word-at == 1 {
			c.letters[b.kind][b.buf[at]] = k
		}
	}
	if k == nil {
		c.once(true, at, "unknown record %.20q (libotf 1.12 knows more than the table)",
			bytes.ToValidUTF8(b.buf[at:max(word, min(at+1, end))], nil))
		return
	}
	b.describe(r)
	r.Type = k.Type
	if err := parseRecord(k, b.buf, word, r); err != nil {
		c.say(false, err.at, "%s", err.what)
		return
	}
	if k.File == Definitions {
		c.define(k, at, r)
	}
	c.checkReferences(k, at, r)
	if b.kind == Events && (k.Type == EnterRecord || k.Type == LeaveRecord) {
		c.checkNesting(k, at, r)
	}
}

// define records a definition. Global ones come first, so it sees a stream's own definition that
// differs from the global one of the same token.
func (c *checker) define(k *RecordKind, at int, r *Record) {
	switch k.Type {
	case DefinitionCommentRecord, DefCreatorRecord, DefVersionRecord, DefUniqueIdRecord,
		DefTimerResolutionRecord:
		return
	}
	token, line := uint32(r.Values[0]), string(appendRecord(nil, r, FormatShort))
	known := c.defined[k.Type]
	if known == nil {
		known = map[uint32]string{}
		c.defined[k.Type] = known
	}
	if old, twice := known[token]; twice && old != line {
		c.say(r.Stream != 0, at, "%s %d was defined before, differently", k.Name, token)
	}
	known[token] = line
}

// checkReferences checks that the tokens in r are defined, once for each token. It checks no
// references between definitions, because they may refer to later ones.
func (c *checker) checkReferences(k *RecordKind, at int, r *Record) {
	if k.File == Definitions {
		return
	}
	if !c.met[k.Type] {
		c.met[k.Type], c.references[k.Type] = true, referencesOf(k)
	}
	for i := range c.references[k.Type] {
		x := &c.references[k.Type][i]
		token := r.Process
		if x.field.Kind != Process {
			token = uint32(r.Values[x.field.Slot])
		}
		word, bit := token/64, uint64(1)<<(token%64)
		small := int(word) < len(x.known)
		if token == 0 || small && x.known[word]&bit != 0 {
			continue
		}
		if !c.isDefined(x.to, token) {
			c.once(true, at, "no definition of %s %d", x.to, token)
		} else if small {
			x.known[word] |= bit
		}
	}
}

// referencesOf returns the fields of a record that refer to definitions.
func referencesOf(k *RecordKind) []reference {
	var all []reference
	for i := range k.Fields {
		f := &k.Fields[i]
		if to, refers := referred[f.Name]; refers && f.Kind != Text && f.Kind != Members {
			all = append(all, reference{field: f, to: to})
		}
	}
	return all
}

// isDefined reports whether a token is defined. A group of processes may take the place of a
// process, and vice versa (A.1.18).
func (c *checker) isDefined(to RecordType, token uint32) bool {
	if _, known := c.defined[to][token]; known || to != DefProcessRecord {
		return known
	}
	_, known := c.defined[DefProcessGroupRecord][token]
	return known
}

// checkNesting checks r against its process's call stack.
func (c *checker) checkNesting(k *RecordKind, at int, r *Record) {
	function := uint32(r.Values[0])
	calls := c.last.calls
	if k.Type == EnterRecord {
		calls.stack, calls.line = append(calls.stack, function), c.line
		return
	}
	stack := calls.stack
	top := len(stack) - 1
	switch {
	case top < 0:
		c.say(false, at, "process %d leaves function %d and is in none", r.Process, function)
		return
	case function != 0 && stack[top] != function:
		c.say(false, at, "process %d leaves function %d and is in %d", r.Process,
			function, stack[top])
	}
	calls.stack = stack[:top]
}
