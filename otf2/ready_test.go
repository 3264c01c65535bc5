package otf2

// The tests look at the table without an archive.
func init() { Ready() }
