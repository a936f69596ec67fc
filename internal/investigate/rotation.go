package investigate

import (
	"cmp"
	"regexp"
	"strconv"

	"interregnum/internal/evidence"
)

// backup matches the file's name of an older part of a rotated log as kube-apiserver names it, dated one as logrotate does by dates, and
// numbered one as it does by numbers. The groups are what is before the stamp or the number, that, and what is behind it.
var (
	backup   = regexp.MustCompile(`\A(.*)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3})(\.[^./\\]+)?(?:\.gz)?\z`)
	dated    = regexp.MustCompile(`\A(.*\.log)-(\d{8}(?:\d\d)?)()(?:\.gz)?\z`)
	numbered = regexp.MustCompile(`\A(.*\.log)\.(\d{1,4})()(?:\.gz)?\z`)
	newest   = regexp.MustCompile(`\A(.*?)(?:\.gz)?\z`)
)

// part is which part of a rotated log a file is, by its name.
type part struct {
	// log is the name of the log, and form how its older parts are named; "" for the newest.
	log, form string
	// stamp is what tells the parts apart, number the same if it is one.
	stamp  string
	number int
}

// partOf returns which part of a rotated log a file is.
func partOf(file string) part {
	for form, names := range map[string]*regexp.Regexp{"stamp": backup, "date": dated, "number": numbered} {
		if m := names.FindStringSubmatch(file); m != nil {
			number, _ := strconv.Atoi(m[2])
			return part{m[1] + m[3], form, m[2], number}
		}
	}
	return part{log: newest.FindStringSubmatch(file)[1]}
}

// rotated tells whether the names of two sources say that they are different parts of one rotated log, of the same server. order
// is below zero if a is the older part, and above zero if b is.
func rotated(a, b *evidence.Source) (order int, one bool) {
	p, q := partOf(a.File), partOf(b.File)
	switch {
	case a.Process != b.Process || p.log != q.log || p.form != "" && q.form != "" && p.form != q.form:
		return 0, false
	case p.form == "" || q.form == "": // the newest comes last
		return cmp.Compare(len(q.form), len(p.form)), p.form != q.form
	case p.form == "number":
		return cmp.Compare(q.number, p.number), p.number != q.number
	}
	return cmp.Compare(p.stamp, q.stamp), p.stamp != q.stamp
}
