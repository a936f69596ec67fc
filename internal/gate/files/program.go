package files

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/internal/phrase"
)

// Program is what is known of a program, or of a library with which programs are made: what its code does if its settings do not
// say otherwise.
type Program struct {
	// Name is what people call it.
	Name string
	// names are words in the name of its image or its container. One with a slash is the image's last two parts.
	names []string
	// settings are in the names of its settings, together with those of the fields that they stand in, as normal has them.
	settings []string
	// borrows: its settings have the names of another program's.
	borrows bool
	// bareMillis: a duration without a unit is in milliseconds.
	bareMillis bool
	// wholeSeconds: its flags and fields take whole numbers of seconds, and nothing else.
	wholeSeconds bool
	// Profile is the name of the profile that is its client's algorithm; "" where that is client-go, of whatever version.
	Profile string
	// kinds are its documents of configuration: Kind, or the end of the API group before a slash, or both.
	kinds []string
	// charts are Helm charts of it that are not named as names has it.
	charts []string
	// always: it elects unless it is told not to, and nothing else has its image.
	always bool
	// elects are its images, each by its last two parts, if its code elects unless it is told not to. command is the word of the command
	// line without which such an image does something else; "" if it does nothing else.
	elects  []string
	command string
	// enables is a flag that turns election on, although its name does not speak of it; "" for none.
	enables string
	// timings are its defaults. LeaseDuration may follow from RenewDeadline (afterRenew), or with it from RetryPeriod.
	timings    timings
	afterRenew time.Duration
	perRetry   timesRetry
	// ofLease: RenewDeadline is half of LeaseDuration, and RetryPeriod a quarter.
	ofLease          bool
	Timeout          Timeout
	Release          bool
	releaseGate      string
	Source           string
	releaseIsAssumed bool
	// releaseVaries: some versions release the lock, and others do not. Release, which is the worse, is then true.
	releaseVaries bool
	// Newer: its timings are those of newer versions, and older ones have others.
	Newer bool
	// fixed: its timings are constants of its code, and no setting changes them.
	fixed bool
	// Client is the kind of a client that the program has for leader election alone, and ClientSource where its code says so; "" where
	// that is not known.
	Client, ClientSource string
}

// timesRetry says how many RetryPeriods a program makes of LeaseDuration and of RenewDeadline, as plain numbers; 0 if it does
// not.
type timesRetry struct{ lease, renew time.Duration }

// SomeVersions is the source of a release that only some versions of a program make.
const SomeVersions = "some versions"

// ReleaseSource returns the source of Release: Source, "assumed" where no code says it, or SomeVersions.
func (p *Program) ReleaseSource() string {
	switch {
	case p.releaseIsAssumed:
		return "assumed"
	case p.releaseVaries:
		return SomeVersions
	}
	return p.Source
}

// programNamed returns the known program after which an image or, failing that, a container is named; nil if there is none.
// Either name can be "". It is also nil if the image's name is that of another program with a known one's name in it, such as an
// operator's.
func programNamed(image, container string) *Program {
	base, parent := imageName(image)
	for _, name := range []string{base, container} {
		for i := range programs {
			if slices.ContainsFunc(programs[i].names, func(known string) bool { return isNamed(name, parent, known) }) {
				return &programs[i]
			}
		}
		if isOther(base) {
			return nil // an operator's container may have the name of what it operates
		}
	}
	return nil
}

// isOther tells whether the name of an image has the name of a known program in it as whole words. programNamed calls it for
// names after which no program is named, so that other words must make it another program's, such as cluster-autoscaler-operator.
func isOther(base string) bool {
	name := "-" + normalWords(base) + "-"
	return slices.ContainsFunc(programs, func(p Program) bool {
		return slices.ContainsFunc(p.names, func(known string) bool { return strings.Contains(name, "-"+known+"-") })
	})
}

// isNamed tells whether an image or a container is named after a known program. name is the container's name or the last part
// of the image's, and folder the part before that. known is one of Program.names.
func isNamed(name, folder, known string) bool {
	if below, last, ok := strings.Cut(known, "/"); ok {
		return hasWords(name, last) && hasWords(folder, below)
	}
	return hasWords(name, known)
}

// imageName returns the last part of an image's name, without tag and digest, and the part before it; that is "." if there is
// none.
func imageName(image string) (base, parent string) {
	name, _, _ := strings.Cut(image, "@")
	folder, base := path.Split(name)
	base, _, _ = strings.Cut(base, ":")
	return base, path.Base(folder)
}

// otherPrograms are words after the name of a program that make it the name of another one: cluster-autoscaler-operator.
var otherPrograms = []string{
	"operator", "provider", "simulator", "exporter", "syncer", "recovery", "adapter", "webhook", "plus", "plugin", "ui", "extender", "optimizer",
	"loadtester", "viz", "cli", "mesh", "wrapper", "proxy",
}

// hasWords tells whether words are part of name as whole words, such as csi-provisioner in mirrored-csi-provisioner. It is
// false if one of otherPrograms comes after them.
func hasWords(name, words string) bool {
	_, after, found := strings.Cut("-"+normalWords(name)+"-", "-"+words+"-")
	return found && !slices.ContainsFunc(strings.Split(after, "-"), func(word string) bool {
		return slices.Contains(otherPrograms, word)
	})
}

// programOfChart returns the known program that a Helm chart installs, by the last part of the chart's name; nil if there is
// none.
func programOfChart(chart string) *Program {
	name := path.Base(chart)
	for i := range programs {
		if slices.Contains(programs[i].charts, name) {
			return &programs[i]
		}
	}
	return programNamed("", name)
}

// normalWords returns a name in lower case, with hyphens in place of underscores and dots.
func normalWords(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
}

// componentOf returns the last part of an image's name, which names the program in it, cut as phrase.Clip cuts it.
func componentOf(image string) string {
	base, _ := imageName(image)
	return phrase.Clip(base)
}

// programOfKind returns the known program whose configuration documents have that apiVersion and kind; nil if there is
// none.
func programOfKind(apiVersion, kind string) *Program {
	group, _, _ := strings.Cut(apiVersion, "/")
	for i := range programs {
		for _, known := range programs[i].kinds {
			wanted, in, both := strings.Cut(known, ".")
			if !both && kind == known || both && (wanted == "" || wanted == kind) && strings.HasSuffix("."+group, "."+in) {
				return &programs[i]
			}
		}
	}
	return nil
}

// javaDuration is a duration as Flink writes it, such as 15 s or 1 min, in lower case. Without a unit it is milliseconds.
var javaDuration = regexp.MustCompile(`^([0-9]+) *(ms|milli|millisecond|s|sec|second|m|min|minute|h|hour|)s?$`)

// goDuration returns the text of a duration in Go's form if the program's profile is fabric8 and the text is in a form of Java:
// Flink's, or that of ISO 8601, such as PT15S. A number without a unit gets ms if p.bareMillis is true. goDuration returns any
// other text as it is. p can be nil.
func (p *Program) goDuration(text string) string {
	if p == nil || p.Profile != fabric8 {
		return text
	}
	lower := strings.ToLower(text)
	if iso, ok := strings.CutPrefix(lower, "pt"); ok {
		return iso
	}
	part := javaDuration.FindStringSubmatch(lower)
	switch {
	case part == nil:
		return text
	case part[2] == "" && p.bareMillis:
		return part[1] + "ms"
	case part[2] == "":
		return text
	case strings.HasPrefix(part[2], "ms"), strings.HasPrefix(part[2], "milli"):
		return part[1] + "ms"
	}
	return part[1] + part[2][:1]
}

// fill returns the timings with each 0 replaced by the program's default, or by the common one if p is nil. Some programs compute
// a default from a timing that is set.
func (p *Program) fill(set timings) timings {
	if p == nil {
		return timings{cmp.Or(set.lease, common.lease), cmp.Or(set.renew, common.renew), cmp.Or(set.retry, common.retry)}
	}
	if set.retry > 0 && p.perRetry.lease > 0 {
		set.lease = cmp.Or(set.lease, p.perRetry.lease*set.retry)
		set.renew = cmp.Or(set.renew, p.perRetry.renew*set.retry)
	}
	if set.lease > 0 && p.ofLease {
		set.renew, set.retry = cmp.Or(set.renew, set.lease/2), cmp.Or(set.retry, set.lease/4)
	}
	if set.renew > 0 && p.afterRenew > 0 {
		set.lease = cmp.Or(set.lease, set.renew+p.afterRenew)
	}
	return timings{
		cmp.Or(set.lease, p.timings.lease), cmp.Or(set.renew, p.timings.renew), cmp.Or(set.retry, p.timings.retry),
	}
}
