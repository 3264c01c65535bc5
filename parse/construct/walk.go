package construct

// Walk calls f for each construct of the forest, outer before inner, in the order of the text.
func Walk(forest []*Construct, f func(*Construct)) {
	for _, c := range forest {
		f(c)
		Walk(c.Inner, f)
	}
}
