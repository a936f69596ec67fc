package forecast

import "math"

// fewOrdered is up to how many values the ranks of a quantile's interval are computed exactly.
const fewOrdered = 2000

// ranks returns between which ranks, among n independent values in ascending order, the quantile of p lies in 95 % of all cases, each
// as a share of n, 0 to 1. low is 0 if the quantile may be below all values, and high is above 1 if it may be above all: so it is with
// p = 0.99 and fewer than 368 values. How many of the values are below the quantile is binomially distributed (David, Nagaraja: Order
// Statistics, 2003, section 7.1).
func ranks(n int, p float64) (low, high float64) {
	if n > fewOrdered {
		half := z * math.Sqrt(p*(1-p)/float64(n))
		return p - half, p + half
	}
	const rare = 0.025
	first, last := 0, n+1 // the quantile is above the first value, and below the last one, where values count from 1
	below := 0.0          // how likely fewer than k values are below the quantile
	for k := 1; k <= n; k++ {
		below += binomial(n, k-1, p)
		if below <= rare {
			first = k
		}
		if 1-below <= rare {
			last = min(last, k)
		}
	}
	share := func(rank int) float64 { return (float64(rank) - 0.5) / float64(n) }
	return max(0, share(first)), share(last)
}

// binomial returns how likely k of n independent events happen, each with the probability p, which must be above 0 and below 1.
func binomial(n, k int, p float64) float64 {
	of := func(x int) float64 {
		v, _ := math.Lgamma(float64(x + 1))
		return v
	}
	return math.Exp(of(n) - of(k) - of(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}
