package sampling

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestDecode checks how instructions find their memory.
func TestDecode(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("instructions of %s are not decoded", runtime.GOARCH)
	}
	const next = 0x400000
	registers := make([]uint64, 16) // 0x1000, 0x2000 and so on
	for i := range registers {
		registers[i] = uint64(i+1) << 12
	}
	const rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r13 = 0x1000, 0x2000, 0x3000, 0x4000,
		0x5000, 0x6000, 0x7000, 0x8000, 0x9000, 0xe000
	for _, c := range []struct {
		code, text string
		want       Access
	}{
		{"488b07", "mov rax, [rdi]", Access{rdi, 8, false}},
		{"488907", "mov [rdi], rax", Access{rdi, 8, true}},
		{"8b4508", "mov eax, [rbp+8]", Access{rbp + 8, 4, false}},
		{"c60105", "mov byte [rcx], 5", Access{rcx, 1, true}},
		{"410fb64500", "movzx eax, byte [r13+0]", Access{r13, 1, false}},
		{"48034610", "add rax, [rsi+16]", Access{rsi + 16, 8, false}},
		{"48014610", "add [rsi+16], rax", Access{rsi + 16, 8, true}},
		{"48830001", "add qword [rax], 1", Access{rax, 8, true}},
		{"48ff03", "inc qword [rbx]", Access{rbx, 8, true}},
		{"f0480fc102", "lock xadd [rdx], rax", Access{rdx, 8, true}},
		{"f0480fb10a", "lock cmpxchg [rdx], rcx", Access{rdx, 8, true}},
		{"4887442408", "xchg [rsp+8], rax", Access{rsp + 8, 8, true}},
		{"483b07", "cmp rax, [rdi]", Access{rdi, 8, false}},
		{"48390f", "cmp [rdi], rcx", Access{rdi, 8, false}},
		{"f60701", "test byte [rdi], 1", Access{rdi, 1, false}},
		{"ff37", "push qword [rdi]", Access{rdi, 8, false}},
		{"488b0510000000", "mov rax, [rip+16]", Access{next + 16, 8, false}},
		{"830510000000" + "01", "add dword [rip+16], 1", Access{next + 16, 4, true}},
		{"488b04cf", "mov rax, [rdi+rcx*8]", Access{rdi + 8*rcx, 8, false}},
		{"4b8944c5f8", "mov [r13+r8*8-8], rax", Access{r13 + 8*r8 - 8, 8, true}},
		{"8b04cd00001000", "mov eax, [rcx*8+0x100000]", Access{8*rcx + 0x100000, 4, false}},
		{"f20f1007", "movsd xmm0, [rdi]", Access{rdi, 8, false}},
		{"f20f114708", "movsd [rdi+8], xmm0", Access{rdi + 8, 8, true}},
		{"f20f5804c6", "addsd xmm0, [rsi+rax*8]", Access{rsi + 8*rax, 8, false}},
		{"f30f1007", "movss xmm0, [rdi]", Access{rdi, 4, false}},
		{"0f2907", "movaps [rdi], xmm0", Access{rdi, 16, true}},
		{"660f2e07", "ucomisd xmm0, [rdi]", Access{rdi, 8, false}},
		{"dd07", "fld qword [rdi]", Access{rdi, 8, false}},
		{"dd1f", "fstp qword [rdi]", Access{rdi, 8, true}},
		{"c5fb1007", "vmovsd xmm0, [rdi]", Access{rdi, 8, false}},
		{"c5fb114708", "vmovsd [rdi+8], xmm0", Access{rdi + 8, 8, true}},
		{"c5fb580510000000", "vaddsd xmm0, xmm0, [rip+16]", Access{next + 16, 8, false}},
		{"c5fd110407", "vmovupd [rdi+rax], ymm0", Access{rdi + rax, 32, true}},
		{"c4c17c1045 00", "vmovups ymm0, [r13+0]", Access{r13, 32, false}},
		{"c4e2f9b807", "vfmadd231pd xmm0, xmm0, [rdi]", Access{rdi, 0, false}},
		{"62f17c481107", "vmovups [rdi], zmm0", Access{rdi, 64, true}},
		{"62f17c48114701", "vmovups [rdi+64], zmm0", Access{}},
		{"488d4708", "lea rax, [rdi+8]", Access{}},
		{"0f1f440000", "nop [rax+rax]", Access{}},
		{"0f1807", "prefetchnta [rdi]", Access{}},
		{"644889042510000000", "mov fs:[16], rax", Access{}},
		{"4801c8", "add rax, rcx", Access{}},
		{"c5f877", "vzeroupper", Access{}},
		{"488b", "cut", Access{}},
		{"c5fb10", "cut", Access{}},
		{"", "nothing", Access{}},
	} {
		code, err := hex.DecodeString(spaceless(c.code))
		if err != nil {
			t.Fatal(err)
		}
		var got Access
		i := decode(code)
		if i.memory {
			got = Access{i.address(registers, next), i.size, i.write}
		}
		if i.length != len(code) && c.text != "cut" {
			t.Errorf("%s: length %d, not %d", c.text, i.length, len(code))
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
}

func spaceless(s string) string {
	text := ""
	for _, c := range s {
		if c != ' ' {
			text += string(c)
		}
	}
	return text
}

// TestAccesses compares the accesses of samples with what a program does for 200 ms each.
func TestAccesses(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("instructions of %s are not decoded", runtime.GOARCH)
	}
	out, pid, r := recorded(t, Options{Rate: 1000}, built(t, "accesses"))
	var from, size [3]uint64
	if _, err := fmt.Sscanf(out, "%v %d %v %d %v %d", &from[0], &size[0], &from[1], &size[1],
		&from[2], &size[2]); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	var reads, writes [3]int
	all := mainThread(t, r, pid).Samples
	for _, s := range all {
		for i := range from {
			if a := s.Access; a.Address >= from[i] && a.Address < from[i]+size[i] {
				if a.Size != 8 || a.Address%8 != 0 {
					t.Errorf("an access of %d bytes at %x", a.Size, a.Address)
				}
				if a.Write {
					writes[i]++
				} else {
					reads[i]++
				}
			}
		}
	}
	t.Logf("%d samples: reads %v, writes %v", len(all), reads, writes)
	if reads[0]+reads[1]+writes[2] != 0 {
		t.Errorf("reads %v, writes %v", reads, writes)
	}
	if writes[0] < 50 || writes[1] < 20 || reads[2] < 20 {
		t.Errorf("of %d samples: reads %v, writes %v", len(all), reads, writes)
	}
}

// TestBehind checks which access a sample in some code is about.
func TestBehind(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("instructions of %s are not decoded", runtime.GOARCH)
	}
	// Code before is as compilers align it: with instructions of one byte.
	const nops = "909090909090909090909090909090909090909090909090"
	registers := make([]uint64, 16)
	registers[5] = 0x1000 // rdi
	for _, c := range []struct {
		text, before, from string
		want               Access
	}{
		{"behind mov [rdi], rax", "488907", "4883c001", Access{0x1000, 8, true}},
		{"behind that and an add to rax", "488907" + "4883c001", "90", Access{0x1000, 8, true}},
		{"behind that and an add to rdi", "488907" + "4883c701", "90", Access{}},
		{"behind mov rdi, [rdi]", "488b3f", "90", Access{}},
		{"behind mov [rip+16], al", "880510000000", "90", Access{0x400010, 1, true}},
		{"at mov [rdi+8], rax", "90", "48894708", Access{0x1008, 8, true}},
		{"between two", "488907", "48894708", Access{0x1000, 8, true}},
		{"behind a call", "488907" + "e800000000", "90", Access{}},
		{"behind a jump that was not taken", "488907" + "7410", "90", Access{0x1000, 8, true}},
		{"the begin of a loop", "488907", "48ffc9" + "75fb", Access{}},
		{"where a branch ends", "7403" + "488907", "90", Access{}},
		{"a load, adding, a store", "488b07", "4883c001" + "488907", Access{0x1000, 8, true}},
		{"the same at the load", "90", "488b07" + "4883c001" + "488907", Access{0x1000, 8, true}},
		{"a store elsewhere", "488b07", "4883c001" + "48894708", Access{0x1000, 8, false}},
		{"a store that jumps over", "488b07", "7404" + "488907", Access{0x1000, 8, false}},
		{"a store by a new rdi", "488b07", "4883c708" + "488907", Access{0x1000, 8, false}},
		{
			"the same, by the next instruction", "8b0510000000", "ffc0" + "890508000000",
			Access{0x400010, 4, true},
		},
		{"too far", "488907" + "909090", "90", Access{}},
	} {
		before, err := hex.DecodeString(nops + c.before)
		if err != nil {
			t.Fatal(err)
		}
		from, err := hex.DecodeString(c.from)
		if err != nil {
			t.Fatal(err)
		}
		var got Access
		if is := accessAt(append(before, from...), len(before)); is.known {
			got = Access{is.address(registers, uint64(0x400000+is.next)), is.size, is.write}
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 { // any bytes must do
		code := make([]byte, 1+random.IntN(before+after))
		for i := range code {
			code[i] = byte(random.Uint32())
		}
		accessAt(code, random.IntN(len(code)))
	}
}

// BenchmarkAccess is the cost of a sample's access at a place that is known, and of a new place.
func BenchmarkAccess(b *testing.B) {
	code := bytes.Repeat([]byte{0x48, 0x89, 0x07, 0x48, 0x83, 0xc0, 0x01}, (before+after)/7)
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			accessAt(code, before+3)
		}
	})
	b.Run("known", func(b *testing.B) {
		s, registers := newStacks(), make([]uint64, 16)
		p := &process{maps: []mapping{{0x1000, 0x2000, 0, 0}}}
		s.decoded[Address{Offset: 8}] = accessAt(code, before+3)
		for b.Loop() {
			if s.access(p, 0x1008, registers).Size != 8 {
				b.Fatal("no access")
			}
		}
	})
}
