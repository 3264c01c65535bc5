package profile

// addSampleTo adds a sample to the thread's earlier ones. A path may list a thread twice: as
// the forking thread, and as a member of the team.
func addSampleTo(all []Sample, s Sample) []Sample {
	for i := range all {
		if o := &all[i]; o.Thread == s.Thread {
			if o.Count == 0 || s.Count > 0 && s.Min < o.Min {
				o.Min = s.Min
			}
			o.Max = max(o.Max, s.Max)
			o.Count += s.Count
			o.Incl += s.Incl
			o.Excl += s.Excl
			o.Body += s.Body
			o.Barrier += s.Barrier
			o.Wait += s.Wait
			o.Hold += s.Hold
			o.Chunks.add(s.Chunks)
			return all
		}
	}
	return append(all, s)
}
