// Package noise says what the differences between runs of a program mean.
package noise

import (
	"math"
	"slices"
)

// Confidence is the probability that a difference lies in its interval.
const Confidence = 0.95

// Shift estimates by how much b's values exceed a's. The difference lies between low and high
// with at least the confidence above. known is false with one value on each side, which reveals
// nothing of the noise.
//
// With enough values, Shift returns the Hodges-Lehmann estimate: the median of all differences.
// Its interval is that of the Mann-Whitney rank test, which assumes nothing about the noise and
// which an outlier moves little. That test needs at least four values on each side. With fewer,
// Shift returns Student's interval with the pooled variance of both sides.
func Shift(a, b []float64) (estimate, low, high float64, known bool) {
	differences := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			differences = append(differences, y-x)
		}
	}
	slices.Sort(differences)
	estimate = Median(differences)
	if k := rankQuantile(len(a), len(b)); k > 0 {
		return estimate, differences[k-1], differences[len(differences)-k], true
	}
	freedom := len(a) + len(b) - 2
	if freedom < 1 {
		return estimate, math.Inf(-1), math.Inf(1), false
	}
	squares, mean := 0.0, [2]float64{}
	for side, values := range [][]float64{a, b} {
		m := 0.0
		for _, x := range values {
			m += x / float64(len(values))
		}
		for _, x := range values {
			squares += (x - m) * (x - m)
		}
		mean[side] = m
	}
	estimate = mean[1] - mean[0]
	half := Student(freedom) * math.Sqrt(squares/float64(freedom)*(1/float64(len(a))+
		1/float64(len(b))))
	return estimate, estimate - half, estimate + half, true
}

// Median returns the middle of sorted values, and 0 for no values.
func Median(sorted []float64) float64 {
	n := len(sorted)
	switch {
	case n == 0:
		return 0
	case n%2 == 1:
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// rankQuantile returns which of the n*m sorted differences bounds the interval, counted from 1
// and from either end. It is the largest k for which the Mann-Whitney statistic U is below k
// with a probability of at most (1-Confidence)/2. The result is 0 if there are too few values.
func rankQuantile(n, m int) int {
	left := (1 - Confidence) / 2
	if n > 100 || m > 100 { // close enough to the normal distribution
		mean, sigma := float64(n*m)/2, math.Sqrt(float64(n*m*(n+m+1))/12)
		return int(mean - 1.959964*sigma)
	}
	// ways[u] counts the orders of i values among m with U = u. The loop computes the
	// Mann-Whitney recurrence as a product of Gaussian binomials.
	ways := make([]float64, n*m+1)
	ways[0] = 1
	for i := 1; i <= n; i++ {
		for u := n * m; u >= m+i; u-- {
			ways[u] -= ways[u-m-i]
		}
		for u := i; u <= n*m; u++ {
			ways[u] += ways[u-i]
		}
	}
	total, sum := 0.0, 0.0
	for _, w := range ways {
		total += w
	}
	for k := range ways {
		sum += ways[k]
		if sum > left*total {
			return k
		}
	}
	return 0
}

// Student returns the quantile of Student's distribution for a two-sided interval.
func Student(freedom int) float64 {
	table := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	const z = 1.959964 // of the normal distribution, for the Cornish-Fisher series
	f := float64(freedom)
	return z + (z*z*z+z)/(4*f) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*f*f) +
		(3*math.Pow(z, 7)+19*math.Pow(z, 5)+17*z*z*z-15*z)/(384*f*f*f)
}
