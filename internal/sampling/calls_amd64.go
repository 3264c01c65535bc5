package sampling

// endsInCall reports whether code ends in an instruction that calls: call to a place, or through
// a register or memory, which are the forms of FF /2.
func endsInCall(code [longestCall]byte) bool {
	const end = longestCall
	if code[end-5] == 0xe8 {
		return true
	}
	for length := 2; length <= end; length++ {
		if code[end-length] != 0xff {
			continue
		}
		operand := code[end-length+1]
		if operand>>3&7 != 2 {
			continue
		}
		mode, register := operand>>6, operand&7
		needs := 2
		if mode != 3 && register == 4 {
			needs++ // scale, index and base
			if mode == 0 && length > 2 && code[end-length+2]&7 == 5 {
				needs += 4
			}
		}
		switch {
		case mode == 1:
			needs++
		case mode == 2, mode == 0 && register == 5:
			needs += 4
		}
		if needs == length {
			return true
		}
	}
	return false
}
