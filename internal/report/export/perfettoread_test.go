package export

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// This file reads Perfetto's format as its documentation says, from what protoc decodes. Nothing
// of the encoder is in it.

// node is a protobuf message, or a value without fields.
type node struct {
	value  string
	fields map[string][]*node
}

// protoc decodes a Trace. Fields that the schema lacks get numbers for names.
func protoc(t *testing.T, text []byte) []*node {
	t.Helper()
	cmd := exec.Command("protoc", "--decode=Trace", "--proto_path=testdata", "perfetto.proto")
	cmd.Stdin = bytes.NewReader(text)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("protoc: %v: %s", err, complaints.String())
	}
	root := &node{fields: map[string][]*node{}}
	stack := []*node{root}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		top := stack[len(stack)-1]
		if name, opens := strings.CutSuffix(line, " {"); opens {
			n := &node{fields: map[string][]*node{}}
			top.fields[name] = append(top.fields[name], n)
			stack = append(stack, n)
		} else if line == "}" {
			stack = stack[:len(stack)-1]
		} else {
			name, value, _ := strings.Cut(line, ": ")
			if quoted, is := strings.CutPrefix(value, `"`); is {
				// C's escapes are Go's, but for that of an apostrophe.
				if value, err = strconv.Unquote(`"` + strings.ReplaceAll(quoted, `\'`, "'")); err !=
					nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
			top.fields[name] = append(top.fields[name], &node{value: value})
		}
	}
	return root.fields["packet"]
}

// packets returns the packets of a file, those that are compressed as well.
func packets(t *testing.T, file []byte) []*node {
	t.Helper()
	var all []*node
	for _, p := range protoc(t, file) {
		zipped := p.text("compressed_packets")
		if zipped == "" {
			all = append(all, p)
			continue
		}
		if len(zipped) > 512<<10 {
			t.Errorf("%d bytes of compressed packets, readers take 512 KB", len(zipped))
		}
		z, err := zlib.NewReader(strings.NewReader(zipped))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, protoc(t, plain)...)
	}
	return all
}

// at follows the first field of each name; it returns nil where one is missing.
func (n *node) at(path ...string) *node {
	for _, name := range path {
		if n == nil || len(n.fields[name]) == 0 {
			return nil
		}
		n = n.fields[name][0]
	}
	return n
}

func (n *node) text(path ...string) string {
	if n = n.at(path...); n == nil {
		return ""
	}
	return n.value
}

func (n *node) number(t *testing.T, path ...string) int64 {
	t.Helper()
	text := n.text(path...)
	if text == "" {
		return 0
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%v: %v", path, err)
	}
	return v
}

// perfettoSequence is the state of a sequence of packets.
type perfettoSequence struct {
	valid       bool
	clock       string // the default for packets
	track       int64  // the default for events
	last        map[string]int64
	incremental map[string]bool
	interned    map[string]*node // by kind and number
}

// perfettoTrace is a trace as a viewer has it.
type perfettoTrace struct {
	events    map[int64][]string // by track, in the order of time
	tracks    map[int64]*node    // the descriptors
	processes map[int64]*node    // the same, by process
	flows     map[string][2]string
	counters  []string
}

// readPerfetto follows a file.
func readPerfetto(t *testing.T, file []byte) *perfettoTrace {
	t.Helper()
	expensive.Need(t, "protoc")
	trace := &perfettoTrace{
		events: map[int64][]string{}, tracks: map[int64]*node{}, processes: map[int64]*node{},
		flows: map[string][2]string{},
	}
	sequences := map[int64]*perfettoSequence{}
	for i, p := range packets(t, file) {
		for name := range p.fields {
			if _, err := strconv.Atoi(name); err == nil {
				t.Fatalf("packet %d has field %s, which the schema lacks", i, name)
			}
		}
		id := p.number(t, "trusted_packet_sequence_id")
		if id == 0 {
			t.Fatalf("packet %d belongs to no sequence", i)
		}
		s := sequences[id]
		flags := p.number(t, "sequence_flags")
		if flags&1 != 0 {
			s = &perfettoSequence{
				valid: true, interned: map[string]*node{}, last: map[string]int64{},
				incremental: map[string]bool{},
			}
			sequences[id] = s
		}
		if s == nil || flags&2 != 0 && !s.valid {
			t.Fatalf("packet %d needs a state that there is not", i)
		}
		s.read(t, p)
		if d := p.at("track_descriptor"); d != nil {
			uuid := d.number(t, "uuid")
			if old := trace.tracks[uuid]; old != nil &&
				(old.text("thread", "tid") != d.text("thread", "tid") ||
					old.text("parent_uuid") != d.text("parent_uuid")) {
				t.Fatalf("track %d is described twice, differently", uuid)
			}
			trace.tracks[uuid] = d
			if pid := d.number(t, "process", "pid"); pid != 0 {
				trace.processes[pid] = d
			}
		}
		if e := p.at("track_event"); e != nil {
			trace.event(t, s, s.time(t, p), e)
		}
	}
	return trace
}

// read takes what a packet changes for its sequence.
func (s *perfettoSequence) read(t *testing.T, p *node) {
	t.Helper()
	if d := p.at("trace_packet_defaults"); d != nil {
		s.clock = d.text("timestamp_clock_id")
		s.track = d.number(t, "track_event_defaults", "track_uuid")
	}
	if d := p.at("interned_data"); d != nil {
		for kind, entries := range d.fields {
			for _, e := range entries {
				key := kind + e.text("iid")
				if old := s.interned[key]; old != nil && old.text("name") != e.text("name") ||
					e.text("iid") == "0" {
					t.Fatalf("%s is interned twice, differently", key)
				}
				s.interned[key] = e
			}
		}
	}
	if c := p.at("clock_snapshot"); c != nil {
		for _, c := range c.fields["clocks"] {
			id := c.text("clock_id")
			s.incremental[id] = c.text("is_incremental") == "true"
			s.last[id] = c.number(t, "timestamp")
		}
		if s.last["6"] != 0 {
			t.Fatal("the snapshot is not one of the start")
		}
	}
}

// time returns the time of a packet, on the clock of the trace.
func (s *perfettoSequence) time(t *testing.T, p *node) int64 {
	t.Helper()
	if p.at("timestamp") == nil {
		t.Fatal("an event has no time")
	}
	now := p.number(t, "timestamp")
	if s.clock != "" && s.incremental[s.clock] {
		now += s.last[s.clock]
		s.last[s.clock] = now
	}
	return now
}

func (trace *perfettoTrace) event(t *testing.T, s *perfettoSequence, now int64, e *node) {
	t.Helper()
	track := s.track
	if e.at("track_uuid") != nil {
		track = e.number(t, "track_uuid")
	}
	if trace.tracks[track] == nil && e.text("type") != "TYPE_INSTANT" {
		t.Fatalf("an event is on track %d, which is not described yet", track)
	}
	switch e.text("type") {
	case "TYPE_SLICE_BEGIN":
		text := fmt.Sprintf("%d begin %s", now, s.names(t, e))
		if iid := e.text("source_location_iid"); iid != "" {
			at := s.interned["source_locations"+iid]
			text += fmt.Sprintf(" %s:%s", at.text("file_name"), at.text("line_number"))
		}
		trace.events[track] = append(trace.events[track], text)
	case "TYPE_SLICE_END":
		trace.events[track] = append(trace.events[track], fmt.Sprintf("%d end", now))
	case "TYPE_INSTANT":
		text := fmt.Sprintf("%d on %d %s", now, track, s.names(t, e))
		for _, a := range e.fields["debug_annotations"] {
			text += fmt.Sprintf(" %s=%s",
				s.interned["debug_annotation_names"+a.text("name_iid")].text("name"),
				a.text("uint_value"))
		}
		from, to := e.text("flow_ids"), e.text("terminating_flow_ids")
		flow := trace.flows[from+to]
		end := 0
		if to != "" {
			end = 1
		}
		if from+to == "" || flow[end] != "" {
			t.Fatalf("flow %q again: %s", from+to, text)
		}
		flow[end] = text
		trace.flows[from+to] = flow
	case "TYPE_COUNTER":
		d := trace.tracks[track]
		trace.counters = append(trace.counters, fmt.Sprintf("%d %s of %s, unit %s: %s", now,
			d.text("name"), d.text("parent_uuid"), d.text("counter", "unit"),
			e.text("counter_value")))
	default:
		t.Fatalf("an event of type %s", e.text("type"))
	}
}

// names returns an event's name and category.
func (s *perfettoSequence) names(t *testing.T, e *node) string {
	t.Helper()
	name := s.interned["event_names"+e.text("name_iid")]
	category := s.interned["event_categories"+e.text("category_iids")]
	if name == nil || category == nil {
		t.Fatalf("name %s or category %s is unknown", e.text("name_iid"),
			e.text("category_iids"))
	}
	return name.text("name") + " (" + category.text("name") + ")"
}

// checkNesting checks that slices are nested and times do not decrease.
func (trace *perfettoTrace) checkNesting(t *testing.T) {
	t.Helper()
	for track, events := range trace.events {
		last, open := int64(0), 0
		for i, e := range events {
			words := strings.Fields(e)
			now, err := strconv.ParseInt(words[0], 10, 64)
			if err != nil || now < last {
				t.Fatalf("track %d, event %d: %s after %d", track, i, e, last)
			}
			last = now
			if open++; words[1] == "end" {
				open -= 2
			}
			if open < 0 {
				t.Fatalf("track %d, event %d ends nothing", track, i)
			}
		}
		if open != 0 {
			t.Fatalf("track %d: %d are open at the end", track, open)
		}
	}
	if slices.Contains(slices.Collect(func(yield func(bool) bool) {
		for _, f := range trace.flows {
			if !yield(f[0] != "" && f[1] != "") {
				return
			}
		}
	}), false) {
		t.Fatalf("flows without an end: %v", trace.flows)
	}
}
