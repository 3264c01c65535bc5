package omp

import (
	"iter"
	"slices"
	"strings"
)

// Words is a list of words with blanks between them. A table of such texts needs no code to be
// made, and every process of opari has the tables.
type Words string

// All returns the words.
func (w Words) All() iter.Seq[string] { return strings.FieldsSeq(string(w)) }

// Join returns the words with between between them.
func (w Words) Join(between string) string {
	return strings.Join(slices.Collect(w.All()), between)
}

// Has reports whether word is one of the words.
func (w Words) Has(word string) bool {
	for have := range w.All() {
		if have == word {
			return true
		}
	}
	return false
}

// wordTable finds words by a hash of a few of their bytes. Every word of every directive is
// looked up here, and the hash of the built-in map takes several times as long for such short
// words.
type wordTable struct {
	fold  bool // words are compared without case
	words []string
	slots [wordSlots]uint8 // index in words plus 1; 0: free. A collision uses the next slot.
}

// wordSlots is a power of two, several times the number of words in the largest table.
const wordSlots = 512

func wordHash(s string) int {
	n := len(s)
	h := n + 31*int(s[0]|0x20) + 7*int(s[n>>1]|0x20) + 67*int(s[n-1]|0x20) + 131*int(s[n>>2]|0x20)
	return h & (wordSlots - 1)
}

// find returns the index of word, or -1.
func (t *wordTable) find(word string) int {
	if word == "" {
		return -1
	}
	for h := wordHash(word); t.slots[h] != 0; h = (h + 1) & (wordSlots - 1) {
		i := int(t.slots[h]) - 1
		if w := t.words[i]; w == word || t.fold && equalFold(w, word) {
			return i
		}
	}
	return -1
}

// add returns the index of word, and adds the word if it is new. A table holds at most 255 words.
func (t *wordTable) add(word string) int {
	if i := t.find(word); i >= 0 {
		return i
	}
	if len(t.words) == 255 {
		panic("omp: too many words for a table")
	}
	t.words = append(t.words, word)
	h := wordHash(word)
	for t.slots[h] != 0 {
		h = (h + 1) & (wordSlots - 1)
	}
	t.slots[h] = uint8(len(t.words))
	return len(t.words) - 1
}

// equalFold compares low, which has no capitals, with s in any case. Both are ASCII where they
// are equal.
func equalFold(low, s string) bool {
	if len(low) != len(s) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != low[i] {
			return false
		}
	}
	return true
}
