package parse

import (
	"opari/internal/omp"
	"slices"
)

// isLockRoutine reports whether name is that of a lock routine of the runtime.
func isLockRoutine(name string) bool { return slices.Contains(lockRoutines, name) }

// vocabulary finds the words of a file that are more than plain words: keywords, lock routines and the file's macros.
// Most words are told apart by their first byte and length.
type vocabulary struct {
	mask  [256]uint32 // by first byte: a bit for each length that a known word has, the last for all longer ones
	rough [256]uint32 // the same for the words that matter even inside an expression
	slots []wordSlot  // a power of two; open addressing
	used  int
}

type wordSlot struct {
	word string
	kind kind  // of the word when it is no macro
	def  int32 // the place of its newest definition in the table of macros; 0 for a word that is no macro
}

func newVocabulary(lang omp.Language) *vocabulary {
	v := &vocabulary{slots: make([]wordSlot, 512)}
	for w, k := range keywordsOf[lang] {
		v.slot(w).kind = k
		v.note(w, k == kLock || k == kPragmaOp)
	}
	return v
}

func lengthBit(n int) uint32 { return 1 << min(n, 31) }

func (v *vocabulary) note(word string, rough bool) {
	v.mask[word[0]] |= lengthBit(len(word))
	if rough {
		v.rough[word[0]] |= lengthBit(len(word))
	}
}

func hashWord[T []byte | string](w T) uint {
	h := uint32(2166136261)
	for i := range len(w) {
		h = (h ^ uint32(w[i])) * 16777619
	}
	return uint(h ^ h>>15)
}

// find is the slot of word, or nil.
func (v *vocabulary) find(word []byte) *wordSlot {
	m := uint(len(v.slots) - 1)
	for h := hashWord(word) & m; ; h = (h + 1) & m {
		s := &v.slots[h]
		if s.word == "" {
			return nil
		}
		if s.word == string(word) {
			return s
		}
	}
}

// slot is the slot of word, which is made when there is none. It is good until the next call.
func (v *vocabulary) slot(word string) *wordSlot {
	if 2*v.used >= len(v.slots) {
		old := v.slots
		v.slots = make([]wordSlot, 2*len(old))
		for _, s := range old {
			if s.word != "" {
				*v.free(s.word) = s
			}
		}
	}
	s := v.free(word)
	if s.word == "" {
		v.used++
		*s = wordSlot{word: word, kind: kWord}
	}
	return s
}

// free is the slot that word has or may have.
func (v *vocabulary) free(word string) *wordSlot {
	m := uint(len(v.slots) - 1)
	h := hashWord(word) & m
	for v.slots[h].word != "" && v.slots[h].word != word {
		h = (h + 1) & m
	}
	return &v.slots[h]
}
