package otf

import (
	"encoding/binary"
	"math/bits"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	// padding is how many bytes after a text must be readable: parseHex loads eight at a time.
	padding = 16
)

// hexValues holds the values of digits 0-9a-f, and noHex for other bytes.
var hexValues = func() (out [256]uint8) {
	for c := range out {
		out[c] = noHex
	}
	for v, c := range []byte("0123456789abcdef") {
		out[c] = uint8(v)
	}
	return
}()

const noHex = 0xff

// hexDigits counts the leading bytes of x, from the lowest one, that are digits 0-9a-f. Adding
// 0x80-k to a byte below 0x80 sets its highest bit if it is at least k. It carries nothing into
// the next byte.
func hexDigits(x uint64) int {
	low := x &^ highs
	digit := (low + (0x80-'0')*ones) &^ (low + (0x80-'9'-1)*ones)
	letter := (low + (0x80-'a')*ones) &^ (low + (0x80-'f'-1)*ones)
	other := (^(digit | letter) | x) & highs
	return bits.TrailingZeros64(other) >> 3
}

// join returns the number of eight digits, the first one in the lowest byte. A zero byte is a
// zero digit.
func join(x uint64) uint64 {
	x = x&(0x0f*ones) + 9*(x>>6&ones)
	x = (x<<4 | x>>8) & 0x00ff00ff00ff00ff
	x = (x<<8 | x>>16) & 0x0000ffff0000ffff
	return (x<<16 | x>>32) & 0xffffffff
}

// parseHex reads the number at b[at:] and returns where it ends. Without a digit it reads 0, and
// of too many digits the last 16 count, both as in the C library. At least padding bytes must
// follow at.
func parseHex(b []byte, at int) (uint64, int) {
	x := binary.LittleEndian.Uint64(b[at:])
	n := hexDigits(x)
	if n < 8 {
		return join(x << (64 - 8*uint(n))), at + n
	}
	value := join(x)
	for at += 8; at+8 <= len(b); at += 8 {
		x = binary.LittleEndian.Uint64(b[at:])
		n = hexDigits(x)
		if n < 8 {
			return value<<(4*uint(n)) | join(x<<(64-8*uint(n))), at + n
		}
		value = value<<32 | join(x)
	}
	for ; at < len(b) && hexDigits(uint64(b[at])) > 0; at++ {
		value = value<<4 | join(uint64(b[at])<<56)
	}
	return value, at
}

// parseDigits is parseHex for numbers of few digits, as most tokens are.
func parseDigits(b []byte, at int) (uint64, int) {
	value := uint64(0)
	for ; hexValues[b[at]] != noHex; at++ {
		value = value<<4 | uint64(hexValues[b[at]])
	}
	return value, at
}

// spread returns the text of the eight digits of v, the first one in the lowest byte.
func spread(v uint32) uint64 {
	x := uint64(v)
	x = (x>>16 | x<<32) & 0x0000ffff0000ffff
	x = (x>>8 | x<<16) & 0x00ff00ff00ff00ff
	x = (x>>4 | x<<8) & (0x0f * ones)
	return x + '0'*ones + (x+6*ones)>>4&ones*('a'-'0'-10)
}

// digitsOf returns how many digits v has.
func digitsOf(v uint64) int { return (bits.Len64(v|1) + 3) >> 2 }

// putHex writes v to b and returns its length. b has room for 16 bytes, whatever v is.
func putHex(b []byte, v uint64) int {
	n := digitsOf(v)
	if n <= 8 {
		binary.LittleEndian.PutUint64(b, spread(uint32(v))>>(64-8*uint(n)))
		return n
	}
	binary.LittleEndian.PutUint64(b, spread(uint32(v>>32))>>(128-8*uint(n)))
	binary.LittleEndian.PutUint64(b[n-8:], spread(uint32(v)))
	return n
}

// appendHex appends the digits of v to b.
func appendHex(b []byte, v uint64) []byte {
	var digits [16]byte
	n := putHex(digits[:], v)
	return append(b, digits[:n]...)
}
