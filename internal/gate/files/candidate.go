package files

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/plan"
)

// raw is a setting as a file has it: what its name says, and its value as text.
type raw struct {
	setting.Setting
	// name is the flag, variable or field.
	name string
	text string
	line int
	// wholeSeconds: in this place a number without unit is one of seconds.
	wholeSeconds bool
	// loose: a value that is neither true nor false perhaps has another meaning, and is no error.
	loose bool
	// missing: there is a name, and no value or more than one.
	missing bool
}

// timed is a timing, with the setting that gives it and the position of that setting.
type timed struct {
	d   time.Duration
	raw raw
	at  Position
}

// candidate is what can become a target: a container, or a configuration. It is not a candidate of an election.
type candidate struct {
	pos       Position
	component string
	// things are the walker's. layered: a condition says already that nothing else is put over it.
	things  []thing
	layered bool
	// image is the name of the container's image, "" where there is none.
	image string
	// cluster is the walker's. tagged is its image, if that is the image of program; "" otherwise.
	cluster, tagged string
	program         *programs.Program
	raws            []raw
	// set has the timings that are given; failed says that one was given and cannot be used.
	set                  map[setting.Key]timed
	release, releaseSaid bool
	// hasFlag has the flags of the command line, without hyphens before them, that are not false.
	hasFlag map[string]bool
	// gates are the feature gates that flags or fields set.
	gates  programs.Gates
	failed bool
	lock   plan.Lock
	client client
	// otherLimits are the names of flags that limit the requests of another client, or of one that is not known.
	otherLimits []string
	// configMap is the ConfigMap, namespace/name, that the candidate stands in, "" for none. mounts are the ConfigMaps that a
	// container mounts, one of which perhaps has its configuration.
	configMap string
	mounts    []string
	// config is the configuration that a container mounts; nil if there is none or nobody can tell which. off tells that a ConfigMap
	// that it mounts turns leader election off. others are the files that have a ConfigMap of the same name, which perhaps counts
	// instead.
	config *candidate
	off    bool
	others []string
	// taken tells that the candidate is judged as a part of a container, or that its container does not elect, so that it is no target of its own.
	taken bool
	// configFlag is the flag that names a file of configuration, and configPath that file; "" where there is none.
	configFlag, configPath string
	// elsewhere names, in words, the Secret or ConfigMap whose variables are not known here, "" if there is none. several tells that
	// files have that ConfigMap, but that nobody can tell its values.
	elsewhere string
	several   bool
	// instead are the ConfigMaps, namespace/name, that perhaps count in place of those from which variables are taken.
	instead []string
	// assumed is the file of a ConfigMap in whose namespace the container is assumed to be; "" where nothing is.
	assumed string
	// data is the ConfigMap whose keys are the settings.
	data string
	// variable: a setting is that of a variable, or may be. variablesOf names the ConfigMaps that its variables are from.
	variable    bool
	variablesOf []string
	// provided are conditions, in words to follow "if", under which the settings are read rightly.
	provided []string
	// within are the names of the fields that the settings stand in, as one word, and beside those of other variables, both as
	// normal has them.
	within string
	beside []string
	// language is that of the program, "" for Go and where none is recognised. started: what starts the program tells it.
	language string
	started  bool
	// present: a ConfigMap that it mounts is in one of the files.
	present bool
	// alone: its program elects by default, and nothing says that it has several replicas.
	alone bool
	// replicas is how many pods the file says that there are; 0 where it does not.
	replicas int
	// together are the container's variables that are settings only because they stand together.
	together map[string]setting.Setting
	// empty is the first timing that has no value; nil if there is none.
	empty *raw
	// managed tells that a generated client, which is not client-go, has written the object.
	managed bool
}

// provide adds to c.provided the conditions that it does not have.
func (c *candidate) provide(conditions ...string) {
	for _, condition := range conditions {
		if !slices.Contains(c.provided, condition) {
			c.provided = append(c.provided, condition)
		}
	}
}

// addMention adds a setting to c that has no value: c is settled although its file may set nothing.
func (c *candidate) addMention() {
	c.raws = append(c.raws, raw{Setting: setting.Setting{Key: setting.Mention, Certain: true}})
}

// isBeside tells whether the candidate is an election beside that of the program that mounts its ConfigMap.
func (c *candidate) isBeside() bool { return c.program != nil && c.program.Besides }

// in returns the unit of a value that is a number without a unit; 0 if such a value is an error.
func (r *raw) in() time.Duration {
	if r.Unit == 0 && r.wholeSeconds {
		return time.Second
	}
	return r.Unit
}

// timings returns those in c.set; 0 for one that is not there.
func (c *candidate) timings() machine.Timings {
	return machine.Timings{
		LeaseDuration: c.set[setting.LeaseDuration].d, RenewDeadline: c.set[setting.RenewDeadline].d, RetryPeriod: c.set[setting.RetryPeriod].d,
	}
}

// setsAll tells whether all three timings are in c.set.
func (c *candidate) setsAll() bool {
	t := c.timings()
	return min(t.LeaseDuration, t.RenewDeadline, t.RetryPeriod) > 0
}

// isSilent tells whether the file has no setting of leader election for the candidate, which elects only because its program
// always does, or does by default.
func (c *candidate) isSilent() bool {
	return !slices.ContainsFunc(c.raws, func(r raw) bool { return r.name != "" })
}

// leaders is a word that only programs with a leader have in their names.
var leaders = regexp.MustCompile("(?i)leader|election|elector")

// isAboutLeaders tells whether the program is known, or whether the name of its image or object, of a field around the
// settings or of another variable speaks of a leader.
func (c *candidate) isAboutLeaders() bool {
	return c.program != nil || leaders.MatchString(c.image+" "+c.pos.Object+" "+c.pos.Part+" "+c.within+" "+strings.Join(c.beside, " "))
}

// speaksOf tells whether a word, in the form of setting.Normal, is part of the name of a setting, of the names of the fields around the
// settings, or of the name of another variable of the container.
func (c *candidate) speaksOf(word string) bool {
	has := func(name string) bool { return strings.Contains(name, word) }
	return has(c.within) || slices.ContainsFunc(c.beside, has) ||
		slices.ContainsFunc(c.raws, func(r raw) bool { return has(c.within + setting.Normal(r.name)) })
}

// tag returns the release of the candidate's program.
func (c *candidate) tag() programs.Tag { return c.program.TagIn(c.image, c.tagged, c.cluster) }
