//go:build !amd64

package sampling

// sampledRegisters is empty where instructions are not decoded.
const sampledRegisters = 0

// Unwinds says that callers can be found without frame pointers.
const Unwinds = false

var inDWARF []int8

func decode([]byte) instruction { return instruction{} }
