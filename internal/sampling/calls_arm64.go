package sampling

import "encoding/binary"

// endsInCall reports whether code ends in an instruction that calls: bl, blr, or blr with a
// pointer's signature.
func endsInCall(code [longestCall]byte) bool {
	i := binary.LittleEndian.Uint32(code[longestCall-4:])
	return i>>26 == 0x25 || i&0xfffffc1f == 0xd63f0000 || i&0xfefff800 == 0xd63f0800
}
