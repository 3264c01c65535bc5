package construct

// Walk calls f for each construct of the forest, the outer before the inner, in the order of the
// text.
func Walk(forest []*Construct, f func(*Construct)) {
	for _, c := range forest {
		f(c)
		Walk(c.Inner, f)
	}
}
