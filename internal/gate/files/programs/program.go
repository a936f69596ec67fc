// Package programs has what is known of programs with leader election: their names, their defaults, what older releases of them did, and the
// languages that they are written in.
package programs

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/shell"
	"interregnum/internal/phrase"
)

// Program is what is known of a program, or of a library with which programs are made: what its code does if its settings do not
// say otherwise.
type Program struct {
	// Name is what people call it.
	Name string
	// names are what its image or its container is called, with words of sameProgram beside it. One with a slash is a name that
	// others have, too, and before it whose it is: the image's last two parts, or the namespace and name of an object.
	names []string
	// Vendors: each vendor has a program of its own, named after it, made of one library.
	Vendors bool
	// partOf is the name of the program whose image and chart hold this one too, "" for none. Then argument is the word of the command line
	// that starts it, and field the field around its settings in a chart's values, as setting.Normal has it.
	partOf, argument, field string
	// settings are in the names of its settings, together with those of the fields that they stand in, as setting.Normal has them.
	settings []string
	// Borrows: its settings have the names of another program's.
	Borrows bool
	// bareMillis: a duration without a unit is in milliseconds.
	bareMillis bool
	// WholeSeconds: its flags and fields take whole numbers of seconds, and nothing else.
	WholeSeconds bool
	// Profile is the name of the profile that is its client's algorithm; "" where that is client-go, of whatever version.
	Profile string
	// kinds are its documents of configuration: Kind, or the end of the API group before a slash, or both.
	kinds []string
	// charts are Helm charts of it that are not named as names has it.
	charts []string
	// Always: it elects unless it is told not to, and nothing else has its image.
	Always bool
	// ConfigRules: beside a file of configuration its flags for leader election win, and those for the client count for nothing.
	ConfigRules bool
	// Besides: it elects beside another program, in whose ConfigMap its settings are.
	Besides bool
	// coordinates: a feature gate can make its election a coordinated one.
	coordinates bool
	// Elects are its images, each by its last two parts, if its code elects unless it is told not to. command is the word of the command
	// line without which such an image does something else; "" if it does nothing else.
	Elects  []string
	command string
	// ChartElects: its chart turns election on, unless its values say otherwise.
	ChartElects bool
	// Enables is a flag, and in a chart a field, that turns election on, although its name does not speak of it; "" for none.
	Enables string
	// timings are its defaults. LeaseDuration may follow from RenewDeadline (afterRenew), or with it from RetryPeriod.
	timings    machine.Timings
	afterRenew time.Duration
	perRetry   timesRetry
	// ofLease: RenewDeadline is half of LeaseDuration, and RetryPeriod a quarter.
	ofLease          bool
	Timeout          Timeout
	Release          bool
	releaseGate      string
	Source           string
	releaseIsAssumed bool
	earlier          earlier
	// leases: no release of it has had another lock than a Lease.
	leases bool
	// releaseVaries: some versions release the lock, and others do not. Release, which is the worse, is then true.
	releaseVaries bool
	// Newer: its timings are those of newer versions, and older ones have others.
	Newer bool
	// Fixed: its timings are constants of its code, and no setting changes them.
	Fixed bool
	// QPS and Burst are the defaults of a client, of the kind OwnClient, that the program has for leader election alone. ClientSource is
	// where its code says so; "" where that is not known, and the numbers are 0.
	QPS          float64
	Burst        int
	ClientSource string
}

// OwnsClient tells whether the program has a client for leader election alone; false if p is nil.
func (p *Program) OwnsClient() bool { return p != nil && p.ClientSource != "" }

// Defaults returns the program's default timings with slashes between, such as 15s/10s/2s.
func (p *Program) Defaults() string {
	return fmt.Sprintf("%v/%v/%v", p.timings.LeaseDuration, p.timings.RenewDeadline, p.timings.RetryPeriod)
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

// Named returns the known program after which an image or, failing that, a container is named; nil if there is none.
// Either name can be "". It is also nil if the image's name is that of another program with a known one's name in it, such as an
// operator's.
func Named(image, container string) *Program {
	base, parent := imageName(image)
	for _, name := range []string{base, container} {
		for i := range programs {
			if programs[i].isNamed(name, parent) {
				return &programs[i]
			}
		}
		if isOther(base) {
			return nil // an operator's container may have the name of what it operates
		}
		parent = ""
	}
	return nil
}

// Started returns the known program that a command line starts. One of its first two words names it, since it may be the argument of
// another, as in /hyperkube kube-scheduler; after a wrapper, one of the words before the first setting does. It returns nil if there is none.
func Started(words []shell.Word) *Program {
	most := min(2, len(words))
	if most > 0 && shell.IsWrapper(words[0].Text) {
		most = len(words)
	}
	for i, it := range words[:most] {
		flag, _, _ := strings.Cut(it.Text, "=")
		name, _ := imageName(it.Text)
		switch {
		case shell.IsFlag(it.Text) && setting.Of(strings.TrimLeft(flag, "-")).Key != setting.None:
			return nil
		case shell.IsFlag(it.Text):
			continue
		case i > 0 && path.Base(words[i-1].Text) == "hyperkube" && !strings.HasPrefix(name, "kube-"):
			name = "kube-" + name // as before v1.17
		}
		if p := Named("", name); p != nil {
			return p
		}
	}
	return nil
}

// StartedBy returns the program that the image of p holds, too, and that a word of the command line starts; p if there is none.
func (p *Program) StartedBy(words []shell.Word) *Program {
	return p.part(func(part *Program) bool {
		return slices.ContainsFunc(words, func(w shell.Word) bool { return w.Text == part.argument })
	})
}

// Within returns the program that the chart of p installs, too, and that is meant by the names of fields, which are one word as setting.Normal has
// it; p if there is none.
func (p *Program) Within(fields string) *Program {
	return p.part(func(part *Program) bool { return strings.Contains(fields, part.field) })
}

// part returns the program that the image and the chart of p hold, too, and that is tells to be meant; p if there is none. p can be nil.
func (p *Program) part(is func(part *Program) bool) *Program {
	for i := range programs {
		if p != nil && programs[i].partOf == p.Name && is(&programs[i]) {
			return &programs[i]
		}
	}
	return p
}

// OfSettings returns the first known program of whose words (Program.settings) one is in the names of settings, or of what is around these,
// as speaks tells; nil if there is none.
func OfSettings(speaks func(word string) bool) *Program {
	for i := range programs {
		if slices.ContainsFunc(programs[i].settings, speaks) {
			return &programs[i]
		}
	}
	return nil
}

// isOther tells whether the name of an image is that of another program with the name of a known one in it as whole words, such as
// cluster-autoscaler-operator. A name that others have, too, is none of another program: nobody knows.
func isOther(base string) bool {
	return slices.ContainsFunc(programs, func(p Program) bool {
		return slices.ContainsFunc(p.names, func(known string) bool {
			own := path.Base(known)
			_, _, found := cutWords(base, own)
			return found && !p.hasWords(base, own) && own != "operator" && own != "controller"
		})
	})
}

// isNamed tells whether an image or a container is named after the program. name is the container's name or the last part of
// the image's, and folder the part before that, "" or "." if there is none. If a known name has a slash, either folder must
// have its first half and name the other, or name must have both, with a hyphen between.
func (p *Program) isNamed(name, folder string) bool {
	return slices.ContainsFunc(p.names, func(known string) bool {
		if below, last, ok := strings.Cut(known, "/"); ok {
			return p.hasWords(name, last) && p.hasWords(folder, below) || p.hasWords(name, below+"-"+last)
		}
		return p.hasWords(name, known)
	})
}

// imageName returns the last part of an image's name, without tag and digest, and the part before it; that is "." if there is
// none.
func imageName(image string) (base, parent string) {
	folder, base := path.Split(Untagged(image))
	return base, path.Base(folder)
}

// Untagged returns an image's whole name, without tag and digest.
func Untagged(image string) string {
	name, _, _ := strings.Cut(image, "@")
	folder, base := path.Split(name)
	base, _, _ = strings.Cut(base, ":")
	return folder + base
}

// sameProgram are words beside the name of a program that leave it the same one: who copies or builds it, how, for which machine,
// and what of it an object has. Any other word makes it another program, as in cluster-autoscaler-operator and fleet-agent.
var sameProgram = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(`
		mirror mirrored mirrors copy cache proxied hardened upstream custom my library
		docker io gcr ghcr quay ecr k8s k8sgcr registry kubernetes google containers sig storage csi longhornio bitnami rancher jetstack
		fluxcd openshift okd ose origin chainguard ironbank ocp eks aks gke
		amd64 arm64 arm arm32v7 arm64v8 armv7 ppc64le s390x x86 linux windows
		alpine bullseye bookworm debian distroless scratch slim ubi ubi7 ubi8 ubi9 ubi10 rhel7 rhel8 rhel9 rhel10 wolfi fips iptables chroot
		ci dev debug race unstable nightly edge complete
		aws azure alibabacloud
		leader election config configuration conf cm configmap settings args yaml yml json lock lease`) {
		words[word] = true
	}
	return words
}()

// releaseWord is a word that tells a release, and no program.
var releaseWord = regexp.MustCompile(`^v?[0-9]+$`)

// cutWords returns the words of name before and after known, if known is part of it as whole words, such as csi-provisioner in
// mirrored-csi-provisioner.
func cutWords(name, known string) (before, after []string, found bool) {
	if len(name) < len(known) {
		return nil, nil, false
	}
	first, last, found := strings.Cut("-"+NormalWords(name)+"-", "-"+known+"-")
	if !found {
		return nil, nil, false
	}
	isHyphen := func(r rune) bool { return r == '-' }
	return strings.FieldsFunc(first, isHyphen), strings.FieldsFunc(last, isHyphen), true
}

// hasWords tells whether known is part of name as whole words, and all other words are of sameProgram or tell a release, or repeat
// words of known, as in mirrored-kube-vip-kube-vip. Before the name of a program that has vendors, all words may come.
func (p *Program) hasWords(name, known string) bool {
	before, after, found := cutWords(name, known)
	other := func(word string) bool {
		return !sameProgram[word] && !releaseWord.MatchString(word) && !slices.Contains(strings.Split(known, "-"), word)
	}
	return found && (p.Vendors || !slices.ContainsFunc(before, other)) && !slices.ContainsFunc(after, other)
}

// OfObject returns the known program after which a ConfigMap or a Lease is named; nil if there is none.
func OfObject(namespace, name string) *Program { return Named(namespace+"/"+name, "") }

// OfChart returns the known program that a Helm chart installs, by the last part of the chart's name; nil if there is
// none.
func OfChart(chart string) *Program {
	name := path.Base(chart)
	for i := range programs {
		if slices.Contains(programs[i].charts, name) {
			return &programs[i]
		}
	}
	return Named("", name)
}

// OfWorkload returns the known program after which a Deployment or its like is named; nil if there is none. Where namespace
// is "", each of the folders of the file, in which that is said, may be it, as in clusters/a/flux-system.
func OfWorkload(namespace, name, file string) *Program {
	if namespace != "" || name == "" {
		return cmp.Or(OfObject(namespace, name), OfChart(name))
	}
	program := OfChart(name)
	for folder := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(file)), "/") {
		if owners[folder] {
			program = cmp.Or(program, OfObject(folder, name))
		}
	}
	return program
}

// owners has whose the programs are, as their names say it before a slash.
var owners = func() map[string]bool {
	all := map[string]bool{}
	for _, p := range programs {
		for _, name := range p.names {
			if owner, _, ok := strings.Cut(name, "/"); ok {
				all[owner] = true
			}
		}
	}
	return all
}()

// OfSubchart returns the known program after which, or after whose chart, a field is named exactly; nil if there is none.
func OfSubchart(field string) *Program {
	for i := range programs {
		if slices.Contains(programs[i].charts, field) || slices.Contains(programs[i].names, field) {
			return &programs[i]
		}
	}
	return nil
}

var hyphens = strings.NewReplacer("_", "-", ".", "-")

// NormalWords returns a name in lower case, with hyphens in place of underscores and dots.
func NormalWords(name string) string {
	return strings.ToLower(hyphens.Replace(name))
}

// LastPart returns the last part of an image's name, which names the program in it, cut as phrase.Clip cuts it.
func LastPart(image string) string {
	base, _ := imageName(image)
	return phrase.Clip(base)
}

// OfKind returns the known program whose configuration documents have that apiVersion and kind; nil if there is
// none.
func OfKind(apiVersion, kind string) *Program {
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

// GoDuration returns the text of a duration in Go's form if the program's profile is fabric8 and the text is in a form of Java:
// Flink's, or that of ISO 8601, such as PT15S. A number without a unit gets ms if p.bareMillis is true. GoDuration returns any
// other text as it is. p can be nil.
func (p *Program) GoDuration(text string) string {
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

// Fill returns the timings with each 0 replaced by the program's default, or by the common one if p is nil. Some programs compute
// a default from a timing that is set.
func (p *Program) Fill(set machine.Timings) machine.Timings {
	defaults := common
	if p != nil {
		defaults = p.timings
		if set.RetryPeriod > 0 {
			set.LeaseDuration = cmp.Or(set.LeaseDuration, p.perRetry.lease*set.RetryPeriod)
			set.RenewDeadline = cmp.Or(set.RenewDeadline, p.perRetry.renew*set.RetryPeriod)
		}
		if p.ofLease {
			set.RenewDeadline, set.RetryPeriod = cmp.Or(set.RenewDeadline, set.LeaseDuration/2), cmp.Or(set.RetryPeriod, set.LeaseDuration/4)
		}
		if set.RenewDeadline > 0 && p.afterRenew > 0 {
			set.LeaseDuration = cmp.Or(set.LeaseDuration, set.RenewDeadline+p.afterRenew)
		}
	}
	return machine.Timings{
		LeaseDuration: cmp.Or(set.LeaseDuration, defaults.LeaseDuration),
		RenewDeadline: cmp.Or(set.RenewDeadline, defaults.RenewDeadline),
		RetryPeriod:   cmp.Or(set.RetryPeriod, defaults.RetryPeriod),
	}
}

// ElectsByDefault tells whether the image is one of p.elects, whose program elects unless it is told not to, and the command
// line has the word p.command, if p has one. It is false if p is nil.
func (p *Program) ElectsByDefault(image string, words []shell.Word) bool {
	if p == nil {
		return false
	}
	base, parent := imageName(image)
	return slices.Contains(p.Elects, parent+"/"+base) &&
		(p.command == "" || slices.ContainsFunc(words, func(w shell.Word) bool { return w.Text == p.command }))
}
