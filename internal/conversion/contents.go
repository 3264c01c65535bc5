package conversion

import (
	"slices"
	"strings"

	"opari/otf2"
)

// contents is what an archive of OTF2 defines.
type contents struct {
	resolution uint64
	texts      map[uint32]string
	comments   []string
	order      []uint64 // locations
	locations  map[uint64]*place
	process    map[uint64]uint32 // of OTF, by location
	owners     map[uint32]uint64 // the first location of each group
	ranks      map[uint32]int    // of location groups, in their order
	groups     []placeGroup
	regions    []*region
	members    map[uint32]*metric
	classes    []class
	comms      []*comm
	byComm     map[uint32]*comm
	losses     Losses
}

// place is a location.
type place struct {
	name  string
	group uint32
	cpu   bool
}

// placeGroup is a group of locations.
type placeGroup struct {
	name    string
	members []uint32
}

type region struct {
	id                      uint32
	name, description, file string
	begin, end              uint32
	role                    otf2.RegionRole
	paradigm                otf2.Paradigm
}

type metric struct {
	name, description, unit string
	mode                    otf2.MetricMode
	exponent                int64
}

// class is a class of metrics, or an instance of one.
type class struct {
	id      uint32
	members []uint64
}

type comm struct {
	id       uint32
	name     string
	paradigm otf2.Paradigm
	members  []uint32 // processes of OTF, by rank
}

// group is a group of OTF2 as it is defined.
type group struct {
	name     string
	kind     otf2.GroupType
	paradigm otf2.Paradigm
	flags    otf2.GroupFlag
	members  []uint64
}

// readContents reads the definitions of an archive.
func readContents(r *otf2.Reader) (*contents, error) {
	c := &contents{
		texts: map[uint32]string{}, locations: map[uint64]*place{}, process: map[uint64]uint32{},
		owners: map[uint32]uint64{}, ranks: map[uint32]int{}, members: map[uint32]*metric{},
		byComm: map[uint32]*comm{}, losses: Losses{},
	}
	groups := map[uint32]*group{}
	var order []uint32
	type rawComm struct{ id, name, group uint32 }
	var comms []rawComm
	text := func(id uint32) string { return c.texts[id] }
	h := &otf2.HandlerArray{
		ClockProperties: func(_, ticks, _, _, _ uint64) error { c.resolution = ticks; return nil },
		String:          func(_ uint64, id uint32, s string) error { c.texts[id] = s; return nil },
		SystemTreeNodeProperty: func(_ uint64, _, name uint32, kind otf2.Type, v uint64) error {
			switch {
			case kind != otf2.TypeString:
				c.losses.add("properties of machines that are no texts", 1)
			case strings.HasPrefix(text(name), comment):
				c.comments = append(c.comments, text(uint32(v)))
			default:
				c.comments = append(c.comments, text(name)+": "+text(uint32(v)))
			}
			return nil
		},
		LocationGroup: func(_ uint64, id, _ uint32, _ otf2.LocationGroupType, _, _ uint32) error {
			c.ranks[id] = len(c.ranks)
			return nil
		},
		Location: func(_, id uint64, name uint32, kind otf2.LocationType, _ uint64, in uint32,
		) error {
			if c.locations[id] != nil {
				return nil
			}
			c.locations[id] = &place{text(name), in, kind == otf2.LocationTypeCpuThread}
			c.order = append(c.order, id)
			if _, is := c.owners[in]; !is {
				c.owners[in] = id
			}
			return nil
		},
		Region: func(_ uint64, id, name, _, description uint32, r otf2.RegionRole, p otf2.Paradigm,
			_ otf2.RegionFlag, file, begin, end uint32,
		) error {
			c.regions = append(c.regions, &region{
				id, text(name), text(description), text(file), begin, end, r, p,
			})
			return nil
		},
		MetricMember: func(_ uint64, id, name, description uint32, _ otf2.MetricType,
			mode otf2.MetricMode, _ otf2.Type, _ otf2.Base, exponent int64, unit uint32,
		) error {
			c.members[id] = &metric{text(name), text(description), text(unit), mode, exponent}
			return nil
		},
		MetricClass: func(_ uint64, id uint32, members []uint64, _ otf2.MetricOccurrence,
			_ otf2.RecorderKind,
		) error {
			c.classes = append(c.classes, class{id, slices.Clone(members)})
			return nil
		},
		MetricInstance: func(_ uint64, id, of uint32, _ uint64, _ otf2.MetricScope, _ uint64,
		) error {
			for _, k := range c.classes {
				if k.id == of {
					c.classes = append(c.classes, class{id, k.members})
					break
				}
			}
			return nil
		},
		Group: func(_ uint64, id, name uint32, kind otf2.GroupType, p otf2.Paradigm,
			flags otf2.GroupFlag, members []uint64,
		) error {
			groups[id] = &group{text(name), kind, p, flags, slices.Clone(members)}
			order = append(order, id)
			return nil
		},
		Comm: func(_ uint64, id, name, of, _ uint32, _ otf2.CommFlag) error {
			comms = append(comms, rawComm{id, name, of})
			return nil
		},
		Any: func(r *otf2.Record) error {
			switch r.Type {
			case otf2.SystemTreeNodeRecord, otf2.ParadigmRecord, otf2.ParadigmPropertyRecord,
				otf2.SystemTreeNodeDomainRecord, otf2.MetricClassRecorderRecord:
			default:
				c.losses.add("definitions "+r.Type.String(), 1)
			}
			return nil
		},
	}
	if _, err := r.ReadGlobalDefinitions(h); err != nil {
		return nil, err
	}
	c.number()
	for _, id := range order {
		if g := groups[id]; g.kind == otf2.GroupTypeLocations {
			c.groups = append(c.groups, placeGroup{g.name, c.processes(g.members)})
		}
	}
	for _, m := range comms {
		g := groups[m.group]
		if g == nil {
			continue
		}
		k := &comm{id: m.id, name: text(m.name), paradigm: g.paradigm}
		k.members = c.ranked(g, groups, order)
		c.comms = append(c.comms, k)
		c.byComm[m.id] = k
	}
	return c, nil
}

// number gives each location the number of a process in OTF: its own and one, or one after the
// other if it has none that fits.
func (c *contents) number() {
	fits := !slices.ContainsFunc(c.order, func(id uint64) bool { return id >= groupThreads })
	for i, id := range c.order {
		if c.process[id] = uint32(i + 1); fits {
			c.process[id] = uint32(id + 1)
		}
	}
}

// processes returns the processes of locations; 0 stands for an unknown one.
func (c *contents) processes(locations []uint64) []uint32 {
	var out []uint32
	for _, id := range locations {
		out = append(out, c.process[id])
	}
	return out
}

// ranked returns the members of a communicator's group. They are numbers in the list of all
// locations of the paradigm, or locations.
func (c *contents) ranked(g *group, all map[uint32]*group, order []uint32) []uint32 {
	if g.flags&otf2.GroupFlagGlobalMembers != 0 || g.kind == otf2.GroupTypeCommLocations {
		return c.processes(g.members)
	}
	for _, id := range order {
		list := all[id]
		if list.kind != otf2.GroupTypeCommLocations || list.paradigm != g.paradigm {
			continue
		}
		var out []uint32
		for _, m := range g.members {
			if m < uint64(len(list.members)) {
				out = append(out, c.process[list.members[m]])
			} else {
				out = append(out, 0)
			}
		}
		return out
	}
	return nil
}
