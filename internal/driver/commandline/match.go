package commandline

import "strings"

// match finds the row for a word of the command line, and the value within the word. If several
// rows match, the longest name counts, as in the compilers: -include is not -I with the value
// nclude. It returns nil for an option without a row.
func match(word string) (row *option, value string) {
	for i := range options {
		o := &options[i]
		if row != nil && len(o.name) <= len(row.name) {
			continue
		}
		if word == o.name || o.joins() && strings.HasPrefix(word, o.name) {
			row = o
		}
	}
	if row == nil {
		return nil, ""
	}
	return row, word[len(row.name):]
}

// joins reports whether the value may follow the name in the same word.
func (o *option) joins() bool { return o.form == joined || o.form == either }

// needsNext reports whether the value is the next word because the word itself has none.
func (o *option) needsNext(value string) bool {
	return o.form == next || o.form == either && value == ""
}

// shortForm translates one of GCC's long names, which have two dashes, into the words of the
// short name. The value comes after an equals sign or in the next word. It returns nil for other
// words.
func shortForm(word string) []string {
	long, value, hasValue := strings.Cut(word, "=")
	for i := range options {
		o := &options[i]
		if o.long == "" || o.long != long && o.longAlias != long {
			continue
		}
		switch {
		case !hasValue && !strings.HasSuffix(o.name, "="):
			return []string{o.name}
		case hasValue && o.form == joined:
			return []string{o.name + value}
		case hasValue && o.form != alone:
			return []string{o.name, value}
		}
	}
	return nil
}
