package forecast

// enough tells whether no more windows are needed: losses and the time without a leader are as precise as was asked. What only
// further episodes bring is too rare for that. So that it ends at the same number of windows whatever was seen of it, it is not
// asked how precise it is.
func (c *campaign) enough() bool {
	for _, m := range []metric{losses, leaderless} {
		if !c.looked(m) || c.alone(m) > 0 && c.width(m) > c.o.Precision {
			return false
		}
	}
	return true
}

// looked tells whether there are enough windows to trust what they show of a metric. If windows without a further episode show
// it, the time without a leader needs the least number, and other metrics need none. If none shows it, c.unseen of them are
// needed, unless it cannot be above 0.
func (c *campaign) looked(m metric) bool {
	if c.alone(m) > 0 {
		return m != leaderless || c.windows >= c.least()
	}
	return sum(c.set, c.samples, m, c.usual).High == 0 || c.windows >= c.unseen
}

// least returns how many windows there are at least before the time without a leader counts as precise. Its interval is narrow as long as no gap
// was seen that is rare and much longer than the others, and a forecast that ended then would say too little. In so many windows such a gap, if it
// was in none, adds less than the precision; but they are not more than where nothing at all is seen. That a rule which ends by a precision needs
// a least number is no news: Glynn, Whitt: The asymptotic validity of sequential stopping rules for stochastic simulations, 1992.
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

// alone returns in how many windows without a further episode something was seen.
func (c *campaign) alone(m metric) (n int) {
	for _, s := range c.samples {
		if !s.further {
			n += s.seen[m]
		}
	}
	return n
}

// width returns the half width of a metric's interval as a share of its value, 0 if nothing is seen.
func (c *campaign) width(m metric) float64 {
	e := sum(c.set, c.samples, m, c.usual)
	if e.Value == 0 {
		return 0
	}
	return max(e.High-e.Value, e.Value-e.Low) / e.Value
}
