package forecast

// enough tells whether no more windows are needed, since losses and the time without a leader are as precise as was asked. A
// metric that only windows with a further episode show is too rare for that: its precision does not count. So the number of
// windows does not depend on what was seen of it.
func (c *campaign) enough() bool {
	for _, m := range []metric{losses, leaderless} {
		if !c.looked(m) || c.alone(m) > 0 && c.width(m) > c.o.Precision {
			return false
		}
	}
	return true
}

// looked tells whether there are enough windows to trust what they show of a metric. If windows without a further episode show
// the metric, leaderless time needs c.least windows, and other metrics need no more than there are. If no such window shows it,
// c.unseen windows are needed, unless the metric cannot be above 0.
func (c *campaign) looked(m metric) bool {
	if c.alone(m) > 0 {
		return m != leaderless || c.windows >= c.least()
	}
	return sum(c.set, c.samples, m, c.usual).High == 0 || c.windows >= c.unseen
}

// least returns the smallest number of windows with which the time without a leader counts as precise; 0 if no gap was seen. Its
// interval is narrow as long as no gap was seen that is rare and much longer than the others; a forecast that ended then would
// say too little. After that many windows, such a gap, if none of them had it, adds less than the precision. The number is never
// above c.unseen. A rule that ends by a precision needs a least number: Glynn, Whitt: The asymptotic validity of sequential
// stopping rules for stochastic simulations, 1992.
func (c *campaign) least() int {
	gaps, time := 0.0, 0.0
	for _, s := range c.samples {
		for _, g := range s.gaps {
			gaps += s.rate / float64(s.n) * g.weight
			time += s.rate / float64(s.n) * g.weight * g.seconds
		}
	}
	if time == 0 {
		return 0
	}
	longest := c.set.unit(leaderless) * gaps / time // as a multiple of the mean
	return min(c.unseen, int(min(z*z*longest/c.o.Precision, unseen)))
}

// alone returns in how many windows without a further episode the metric is not 0.
func (c *campaign) alone(m metric) (n int) {
	for _, s := range c.samples {
		if !s.further {
			n += s.seen[m]
		}
	}
	return n
}

// width returns how far a metric's interval reaches up or down, whichever is more, as a share of its value; 0 if nothing was
// seen.
func (c *campaign) width(m metric) float64 {
	e := sum(c.set, c.samples, m, c.usual)
	if e.Value == 0 {
		return 0
	}
	return max(e.High-e.Value, e.Value-e.Low) / e.Value
}
