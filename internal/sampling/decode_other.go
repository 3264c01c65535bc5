//go:build !amd64

package sampling

// sampledRegisters is empty where instructions are not decoded.
const sampledRegisters = 0

func decode([]byte) instruction { return instruction{} }
