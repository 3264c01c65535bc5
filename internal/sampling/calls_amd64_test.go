package sampling

import (
	"encoding/hex"
	"strings"
	"testing"
)

// TestEndsInCall tries instructions that call, and others.
func TestEndsInCall(t *testing.T) {
	for text, want := range map[string]bool{
		"90 90 e8 01 02 03 04": true,  // call place
		"90 90 e9 01 02 03 04": false, // jmp place
		"90 90 90 90 90 ff d0": true,  // call *rax
		"90 90 90 90 90 ff e0": false, // jmp *rax
		"90 90 90 90 ff 50 08": true,  // call *8(rax)
		"90 90 90 ff 54 24 08": true,  // call *8(rsp)
		"90 ff 15 01 02 03 00": true,  // call *place(rip)
		"ff 94 24 00 01 00 00": true,  // call *256(rsp)
		"ff 14 c5 00 10 00 00": true,  // call *table(,rax,8)
		"90 90 90 90 ff 14 c8": true,  // call *(rax,rcx,8)
		"90 90 90 90 48 89 c3": false, // mov
	} {
		var code [longestCall]byte
		if _, err := hex.Decode(code[:], []byte(strings.ReplaceAll(text, " ", ""))); err != nil {
			t.Fatal(err)
		}
		if got := endsInCall(code); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
