package files

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// duration returns the value of a timing of c. If the program takes whole seconds, a number without a unit is one of seconds,
// and a flag or a field with a unit is an error. If no program is known, the error for a missing unit says what to do.
func (c *candidate) duration(r raw) (time.Duration, error) {
	whole := c.program != nil && c.program.wholeSeconds
	if whole && r.unit == 0 && !r.loose && !r.missing && !number.MatchString(r.text) && given(r.text) == nil {
		return 0, fmt.Errorf("%s takes a whole number of seconds, such as 15; got %s", c.program.Name, begins(r.text))
	}
	unit := r.in()
	if whole {
		unit = cmp.Or(unit, time.Second)
	}
	d, err := duration(c.program.goDuration(r.text), unit)
	if errors.As(err, new(noUnit)) && c.program == nil {
		err = fmt.Errorf("%w; if the program takes whole seconds, which nothing here tells, give the gate its timings as flags", err)
	}
	return d, err
}
