package graph

// heads are the processes with a next step, as a heap: none is before head (i-1)/4 of head i. The
// keys stand beside each other, because a run may have thousands of processes.
type heads []head

type head struct {
	at int64
	// order is what comes first at one time: steps that others may wait for, then the process with
	// the smaller index.
	order uint64
	*reader
}

func (x *head) before(y *head) bool {
	return x.at < y.at || x.at == y.at && x.order < y.order
}

func headOf(p *reader) head {
	return head{p.at, uint64(p.kind)<<32 | uint64(p.index), p}
}

func (h *heads) push(p *reader) {
	*h = append(*h, headOf(p))
	for i := len(*h) - 1; i > 0; {
		parent := (i - 1) / 4
		if !(*h)[i].before(&(*h)[parent]) {
			return
		}
		(*h)[i], (*h)[parent] = (*h)[parent], (*h)[i]
		i = parent
	}
}

// passed moves the first head, whose process has read its next step, to its place.
func (h *heads) passed() {
	list := *h
	if p := list[0].reader; !p.ended {
		list[0] = headOf(p)
	} else {
		last := len(list) - 1
		list[0] = list[last]
		list = list[:last]
		*h = list
	}
	for i := 0; ; {
		first := 4*i + 1
		if first >= len(list) {
			return
		}
		least := first
		for k := first + 1; k < min(first+4, len(list)); k++ {
			if list[k].before(&list[least]) {
				least = k
			}
		}
		if !list[least].before(&list[i]) {
			return
		}
		list[i], list[least] = list[least], list[i]
		i = least
	}
}
