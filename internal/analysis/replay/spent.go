package replay

import "opari/internal/analysis"

// spent is time by path. It has few entries, so a linear search is enough.
type spent []struct {
	path *analysis.Path
	time int64
}

func (s *spent) add(path *analysis.Path, time int64) {
	if time == 0 {
		return
	}
	for i := range *s {
		if e := &(*s)[i]; e.path == path {
			e.time += time
			return
		}
	}
	*s = append(*s, struct {
		path *analysis.Path
		time int64
	}{path, time})
}

// of returns the time of a path.
func (s spent) of(path *analysis.Path) int64 {
	for i := range s {
		if s[i].path == path {
			return s[i].time
		}
	}
	return 0
}

func (s spent) total() int64 {
	var sum int64
	for i := range s {
		sum += s[i].time
	}
	return sum
}

// most returns the path with the most time.
func (s spent) most() *analysis.Path {
	var path *analysis.Path
	var time int64 = -1
	for i := range s {
		if s[i].time > time {
			path, time = s[i].path, s[i].time
		}
	}
	return path
}
