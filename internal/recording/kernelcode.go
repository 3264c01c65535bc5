package recording

import (
	"path/filepath"
	"slices"

	"opari/internal/sampling"
	"opari/internal/symbols"
)

// groupSampled is the group of the functions that samples and their callers stand in.
const groupSampled = "sampled code"

// sampledCode names the code of a record.
type sampledCode struct {
	record  *sampling.Record
	symbols *symbols.Files
	known   map[sampling.Address][]function
	regions []string                     // files of the regions, as the compiler got their names
	spelled map[string]map[string]string // by folder of the compiler and by path: the same file
}

func newSampledCode(r *sampling.Record, processes []*Process) *sampledCode {
	c := &sampledCode{
		record: r, symbols: symbols.New(), known: map[sampling.Address][]function{},
		spelled: map[string]map[string]string{},
	}
	seen := map[string]bool{"": true}
	for _, p := range processes {
		for _, region := range p.regions {
			if region != nil && !seen[region.File] {
				seen[region.File] = true
				c.regions = append(c.regions, region.File)
			}
		}
	}
	return c
}

func (c *sampledCode) close() { c.symbols.Close() }

// at names the functions at an address, the outermost first. Code without a name counts as one
// function of its file. The library's code is a function only where a sample stands in it, not
// where it calls the user's.
func (c *sampledCode) at(a sampling.Address) []function {
	list, known := c.known[a]
	if known {
		return list
	}
	if a.File >= 0 && int(a.File) < len(c.record.Files) {
		list = c.find(a)
	}
	if list == nil {
		list = []function{{name: c.unknown(a.File), group: groupSampled}}
	}
	c.known[a] = list
	return list
}

// unknown names code without a name.
func (c *sampledCode) unknown(file int32) string {
	if file < 0 || int(file) >= len(c.record.Files) {
		return "unknown code"
	}
	return "unknown code of " + filepath.Base(c.record.Files[file])
}

func (c *sampledCode) find(a sampling.Address) []function {
	offset := a.Offset
	if a.Return && offset > 0 {
		offset--
	}
	frames := c.symbols.At(c.record.Files[a.File], offset)
	if frames == nil {
		return nil
	}
	list := []function{}
	for i, f := range slices.Backward(frames) {
		if f.Function == symbols.Library && (a.Return || i > 0) {
			continue
		}
		at := function{name: f.Function, group: groupSampled}
		if f.File != "" && f.Line > 0 {
			at.file, at.line = c.spell(f.File, f.Directory), f.Line
		}
		if at.name == "" {
			at.name = c.unknown(a.File)
		}
		list = append(list, at)
	}
	return list
}

// spell returns the name by which the regions call a file, so that the two can be told to be one.
// It is relative if the compiler got it so.
func (c *sampledCode) spell(path, folder string) string {
	names, known := c.spelled[folder]
	if !known {
		names = map[string]string{}
		for _, file := range c.regions {
			full := file
			if !filepath.IsAbs(file) {
				full = filepath.Join(folder, file)
			}
			names[filepath.Clean(full)] = file
		}
		c.spelled[folder] = names
	}
	if name, is := names[path]; is {
		return name
	}
	return path
}
