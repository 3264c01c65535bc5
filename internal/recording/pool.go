package recording

import (
	"strconv"

	"opari/otf"
)

// pool keeps one copy of what many processes of a program share: regions by their lines, lists of
// ranks by their text, tables of definitions by their path.
type pool struct {
	open    otf.Opener // opens the files of the recordings
	regions map[string]*Region
	texts   map[string]string
	ranks   map[string][]int
	tables  map[string]*table // by path
}

func newPool(open otf.Opener) *pool {
	return &pool{
		open: open, regions: map[string]*Region{}, texts: map[string]string{},
		ranks: map[string][]int{}, tables: map[string]*table{},
	}
}

// text returns the kept copy of a string.
func (k *pool) text(s string) string {
	one, known := k.texts[s]
	if !known {
		k.texts[s], one = s, s
	}
	return one
}

// members returns the ranks of a list in a world of this size.
func (k *pool) members(text string, size int) []int {
	key := strconv.Itoa(size) + ":" + text
	list, known := k.ranks[key]
	if !known {
		list = ranks(text, size)
		k.ranks[key] = list
	}
	return list
}
