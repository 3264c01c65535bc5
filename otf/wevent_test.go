package otf

import (
	"math/rand/v2"
	"testing"

	"opari/internal/expensive"
)

// randomEvents writes random records: enters and leaves by their functions, or all by Write.
func randomEvents(seed uint64, general bool) string {
	random := rand.New(rand.NewPCG(seed, 5))
	files := memory{}
	w := NewWriter("t", 1, NewFileManagerOf(4, files.open))
	w.SetFormat(Format(random.IntN(2)))
	w.SetBufferSizes(1 << random.IntN(14))
	time := uint64(1) << random.IntN(64)
	functions := []uint32{1, 0x12, 0x112, 0x101, 0x1234567, 0x12345678, 0xffffffff, 0}
	functions = functions[:1+random.IntN(len(functions))]
	var process uint32
	step, rare := 1+random.IntN(20), 1+random.IntN(40)
	for range random.IntN(400) {
		if random.IntN(10*rare) == 0 {
			process = []uint32{1, 2, 0xa, 0xffffffff}[random.IntN(4)]
		}
		time += uint64(random.IntN(1 << random.IntN(step)))
		if random.IntN(1000) == 0 {
			time -= min(time, uint64(random.IntN(3)))
		}
		r := Record{Type: EnterRecord + RecordType(random.IntN(2)), Time: time, Process: process}
		r.Values[0] = uint64(functions[random.IntN(len(functions))])
		if random.IntN(20*rare) == 0 {
			r.Values[1] = 7
		}
		switch f, source := uint32(r.Values[0]), uint32(r.Values[1]); {
		case random.IntN(15*rare) == 0:
			other(w, random, time, process+uint32(random.IntN(2)), general)
		case random.IntN(100) == 0:
			_ = w.Stream(1).Flush()
		case general:
			_ = w.Write(&r)
		case r.Type == EnterRecord:
			_ = w.WriteEnter(time, f, process, source)
		default:
			_ = w.WriteLeave(time, f, process, source)
		}
	}
	_ = w.Close()
	return files.text("t.1.events")
}

// other writes a counter or a message.
func other(w *Writer, random *rand.Rand, time uint64, process uint32, general bool) {
	number := func() uint64 {
		if random.IntN(2) == 0 {
			return []uint64{0, 1, 0x101, 0x201, 0x12, 0x1234567, 0x12345678}[random.IntN(7)]
		}
		return random.Uint64() >> random.IntN(64)
	}
	r := Record{Type: CounterRecord, Time: time, Process: process}
	r.Values[0], r.Values[1] = uint64(uint32(number())), number()
	if random.IntN(2) == 0 {
		if general {
			_ = w.Write(&r)
		} else {
			_ = w.WriteCounter(time, process, uint32(r.Values[0]), r.Values[1])
		}
		return
	}
	var v [4]uint32
	for i := range v {
		v[i] = uint32(number())
		r.Values[i] = uint64(v[i])
	}
	r.Type = SendMsgRecord
	if process%2 == 0 {
		r.Type = RecvMsgRecord
	}
	switch {
	case general:
		_ = w.Write(&r)
	case r.Type == SendMsgRecord:
		_ = w.WriteSendMsg(time, process, v[0], v[1], v[2], v[3], 0)
	default:
		_ = w.WriteRecvMsg(time, process, v[0], v[1], v[2], v[3], 0)
	}
}

// TestShort checks that enters and leaves give the same bytes as records of any type, whatever is
// between them. TestSameBytes compares with the C library.
func TestShort(t *testing.T) {
	for seed := range expensive.Tries(uint64(5000)) {
		if short, general := randomEvents(seed, false), randomEvents(seed, true); short != general {
			t.Fatalf("seed %d: %s", seed, firstDifference(short, general))
		}
	}
}
