package otf2

import "errors"

// Merge copies an archive. What single locations define becomes global: their own numbers are
// replaced by the global ones, and their times by those of the global clock. A time that the
// correction moves before that of the event before becomes equal to it; moved says how many.
func Merge(from, to string) (moved uint64, err error) {
	r, err := OpenReader(from, 64)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	w := NewWriter(to)
	w.Anchor = *r.Anchor
	w.Anchor.Version, w.Anchor.Format = version, format
	w.Anchor.Locations, w.Anchor.GlobalDefinitions, w.Anchor.Thumbnails = 0, 0, 0
	last := map[uint64]uint64{}
	h := &HandlerArray{
		UnknownRecord: func(uint64, uint64, uint8) error { return nil },
		Any: func(r *Record) error {
			if r.Type.Info().In(Events) {
				if before := last[r.Location]; r.Time < before {
					r.Time = before
					moved++
				}
				last[r.Location] = r.Time
			}
			c := *r // the writer adds to the attributes
			return w.Write(&c)
		},
	}
	for _, read := range []func(*HandlerArray) (uint64, error){
		r.ReadGlobalDefinitions, r.ReadEvents, r.ReadSnapshots, r.ReadMarkers,
	} {
		if _, err := read(h); err != nil {
			return moved, errors.Join(err, w.Close())
		}
	}
	for _, id := range r.locations {
		w.Location(id).Define()
	}
	return moved, w.Close()
}
