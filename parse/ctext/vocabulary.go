package ctext

import (
	"slices"
	"sync"

	"opari/internal/omp"
)

// IsLockRoutine reports whether name is the name of a lock routine of the runtime.
func IsLockRoutine(name string) bool {
	is := func(r omp.LockRoutine) bool { return r.Name == name }
	return slices.ContainsFunc(omp.LockRoutines, is)
}

// controls holds the keywords that begin or part a statement: if, for, case and their like.
var controls = sync.OnceValue(func() *Vocabulary {
	v := &Vocabulary{slots: make([]Slot, 32)}
	keywordsOf(omp.C, func(word string, k Kind) {
		if If <= k && k <= Default {
			v.Slot(word).Kind = k
			v.Note(word, false)
		}
	})
	return v
})

// IsControl reports whether word, which is not empty, is a keyword that begins or parts a
// statement.
func IsControl(word []byte) bool {
	v := controls()
	return v.Mask[word[0]]&LengthBit(len(word)) != 0 && v.Find(word) != nil
}

// Branching is what a directive of the preprocessor does to the branches of the text.
type Branching uint8

// The ways of branching.
const (
	NoBranching Branching = iota
	OpensBranch           // #if, #ifdef, #ifndef
	PartsBranch           // #elif, #elifdef, #elifndef, #else
	ClosesBranch
)

// BranchingOf returns what the directive whose first word is word does.
func BranchingOf[T []byte | string](word T) Branching {
	switch string(word) {
	case "if", "ifdef", "ifndef":
		return OpensBranch
	case "elif", "elifdef", "elifndef", "else":
		return PartsBranch
	case "endif":
		return ClosesBranch
	}
	return NoBranching
}

// Vocabulary finds the words of a file that are more than identifiers: keywords, lock routines
// and the file's macros. Mask, by first byte and length, rules out most identifiers without a
// look-up.
type Vocabulary struct {
	// By first byte: one bit for each length of a known word, the highest for all longer ones.
	Mask  [256]uint32
	rough [256]uint32 // the same for the words that matter inside expressions too
	slots []Slot      // a hash table with open addressing; the length is a power of two
	used  int
}

// Slot is what a vocabulary knows of a word.
type Slot struct {
	Word string
	Kind Kind // of the word while it is no macro
	// The index of its newest definition in the table of macros; 0 for a word that is no macro.
	Def int32
}

// NewVocabulary returns a vocabulary with the keywords of a language and the lock routines.
func NewVocabulary(lang omp.Language) *Vocabulary {
	v := &Vocabulary{slots: make([]Slot, 512)}
	keywordsOf(lang, func(word string, k Kind) {
		v.Slot(word).Kind = k
		v.Note(word, k == Lock || k == PragmaOperator)
	})
	return v
}

// LengthBit returns the bit of Mask for words of n bytes.
func LengthBit(n int) uint32 { return 1 << min(n, 31) }

// Note makes the lexer look up word. With rough it does so inside brackets and expressions too.
func (v *Vocabulary) Note(word string, rough bool) {
	v.Mask[word[0]] |= LengthBit(len(word))
	if rough {
		v.rough[word[0]] |= LengthBit(len(word))
	}
}

func hashWord[T []byte | string](w T) uint {
	h := uint32(2166136261)
	for i := range len(w) {
		h = (h ^ uint32(w[i])) * 16777619
	}
	return uint(h ^ h>>15)
}

// Find returns the slot of word, or nil.
func (v *Vocabulary) Find(word []byte) *Slot {
	m := uint(len(v.slots) - 1)
	for h := hashWord(word) & m; ; h = (h + 1) & m {
		s := &v.slots[h]
		if s.Word == "" {
			return nil
		}
		if s.Word == string(word) {
			return s
		}
	}
}

// Slot returns the slot of word and makes one if there is none. The pointer is valid until the
// next call.
func (v *Vocabulary) Slot(word string) *Slot {
	if 2*v.used >= len(v.slots) {
		old := v.slots
		v.slots = make([]Slot, 2*len(old))
		for _, s := range old {
			if s.Word != "" {
				*v.free(s.Word) = s
			}
		}
	}
	s := v.free(word)
	if s.Word == "" {
		v.used++
		*s = Slot{Word: word, Kind: Word}
	}
	return s
}

// free returns the slot that holds word, or the empty one in which it belongs.
func (v *Vocabulary) free(word string) *Slot {
	m := uint(len(v.slots) - 1)
	h := hashWord(word) & m
	for v.slots[h].Word != "" && v.slots[h].Word != word {
		h = (h + 1) & m
	}
	return &v.slots[h]
}
