package replay

import "opari/internal/analysis"

// counts reports whether what happens at now counts, and not only the time up to it.
func (a *Replay) counts(now int64) bool {
	return !a.before(now) && !a.after(now)
}

// before reports whether what happens at now may be before the window.
func (a *Replay) before(now int64) bool {
	s := a.options.span
	return s != nil && now == s.From && s.From > a.options.whole.From
}

// after reports whether what happens at now may be after the window.
func (a *Replay) after(now int64) bool {
	s := a.options.span
	return s != nil && now == s.To && s.To < a.options.whole.To
}

// visit counts a visit of a path. Visits outside of the window do not count, and those that its
// edges cut count with the part inside.
func (a *Replay) visit(path *analysis.Path, thread int, enter, now int64) {
	if a.before(now) || a.after(enter) {
		return
	}
	if a.before(enter) || a.after(now) {
		a.result.Part.Cut++
	}
	path.Visit(thread, now-enter)
}
