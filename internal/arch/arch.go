// Package arch has no code: its tests hold the architecture's rules (ARCHITECTURE.md).
package arch
