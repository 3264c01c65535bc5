package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// descendants returns the processes that a process has started, directly or not, parents before
// children. Without /proc it returns none.
func descendants(pid int) []int {
	children := childrenOf
	if _, err := os.Stat("/proc/thread-self/children"); err != nil {
		children = childrenByParent()
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children(all[i])...)
	}
	return all[1:]
}

// childrenOf asks a kernel that lists the children, see proc(5). That is fast, so hardly any
// process starts in between.
func childrenOf(pid int) (children []int) {
	lists, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, name := range lists {
		text, _ := os.ReadFile(name)
		for word := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// childrenByParent works with any other kernel.
func childrenByParent() func(pid int) []int {
	children := make(map[int][]int)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		if text, err := os.ReadFile(name); err == nil {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			parent := parentOf(string(text))
			children[parent] = append(children[parent], child)
		}
	}
	return func(pid int) []int { return children[pid] }
}

// parentOf reads the parent from the text of /proc/PID/stat: the number, the name in parentheses,
// which may contain any character, the state, the parent.
func parentOf(stat string) int {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
