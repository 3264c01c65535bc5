// Package arch holds no code: its test keeps the rooms of the house apart (ARCHITECTURE.md).
package arch
