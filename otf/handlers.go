package otf

// CopyHandlers returns handlers that write every record to w (OTF_HandlerArray_getCopyHandler).
// They copy records that the table does not have, and key-value lines, unchanged. Version and
// unique number are w's own.
func CopyHandlers(w *Writer) *HandlerArray {
	h := copyHandlers(w)
	h.DefVersion = func(uint32, uint32, string) error { return nil }
	h.DefUniqueId = func(uint32, uint64) error { return nil }
	h.Any = w.Write
	return h
}
