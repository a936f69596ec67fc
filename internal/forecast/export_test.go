package forecast

import "interregnum/internal/few"

// LearnLess returns the options for a forecast that learns from few windows, which takes most of the time of a small forecast. It is as right, and less precise.
func (o *Options) LearnLess() *Options {
	o.learning = few.Of(learning)
	return o
}
