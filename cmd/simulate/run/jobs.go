package run

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"interregnum/cmd/simulate/internal/exit"
	"interregnum/cmd/simulate/internal/input"
	"interregnum/elector/machine"
	"interregnum/internal/check"
	"interregnum/internal/phrase"
	"interregnum/scenarios"
)

// job is one scenario to run. arg is how the command line named it.
type job struct {
	arg      string
	scenario *scenarios.Scenario
	// profile is the name of a profile that all candidates have got in place of their own; "" if they have their own.
	profile string
}

// jobs returns the jobs for all arguments, or for all scenarios that ship with --all. If an argument is bad input, it returns no
// jobs, so that nothing runs; the error has a line for each such argument. It also returns an error if a flag wants exactly one
// scenario and there is another number, or if a file of events would overwrite the scenario.
func (f *runFlags) jobs(stdin io.Reader, args []string) ([]job, error) {
	if f.all {
		return f.library()
	}
	var jobs []job
	var problems []string
	stdinRead := false
	for _, arg := range args {
		if arg == "-" && stdinRead {
			problems = append(problems, "standard input can be read only once")
			continue
		}
		stdinRead = stdinRead || arg == "-"
		found, err := f.named(stdin, arg)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		jobs = append(jobs, found...)
	}
	if problem := f.tooMany(jobs); problem != "" && len(problems) == 0 {
		problems = append(problems, problem)
	}
	for i := range jobs {
		if problem := f.tooLong(&jobs[i]); problem != "" {
			problems = append(problems, problem)
		}
	}
	if len(problems) > 0 {
		return nil, &exit.Error{Code: exit.BadInput, Text: strings.Join(problems, "\n")}
	}
	for _, out := range f.files {
		if out.path != "" && input.Same(args[0], out.path) {
			text := fmt.Sprintf("--%s %s would overwrite the scenario", out.name, out.path)
			return nil, &exit.Error{Code: exit.BadInput, Text: text}
		}
	}
	return jobs, nil
}

// library returns a job for each scenario that ships. It leaves out those that cannot have the profile of --profile, and adds their
// errors to f.leftOut. It returns an error if none can have it, or if the scenarios cannot be read.
func (f *runFlags) library() ([]job, error) {
	all, err := scenarios.Library()
	if err != nil {
		return nil, exit.With(exit.HarnessFailed, err)
	}
	jobs, err := f.several(all)
	if err != nil {
		return nil, exit.With(exit.BadInput, err)
	}
	return jobs, nil
}

// several returns a job for each of several shipped scenarios. A scenario that cannot have the profile of --profile is left out,
// and its error is added to f.leftOut. If none can have it, several returns the last error.
func (f *runFlags) several(all []*scenarios.Scenario) (jobs []job, err error) {
	for _, s := range all {
		j, unfit := f.job(s.Name, s)
		if unfit != nil {
			f.leftOut, err = append(f.leftOut, unfit), unfit
			continue
		}
		jobs = append(jobs, j)
	}
	if len(jobs) > 0 {
		err = nil
	}
	return jobs, err
}

// job returns a job for the scenario s, and changes s: it sets the seed and the profile that flags give. arg is how the command
// line named the scenario. It returns an error if s cannot have the profile.
func (f *runFlags) job(arg string, s *scenarios.Scenario) (job, error) {
	if f.seeded {
		s.Seed = f.seed
	}
	if f.profile != "" {
		if err := withProfile(s, f.profile); err != nil {
			return job{}, fmt.Errorf("%s cannot have --profile %s: %w", arg, f.profile, err)
		}
	}
	return job{arg: arg, scenario: s, profile: f.profile}, nil
}

// withProfile sets the profile of all candidates of s. If that changes a candidate, it also replaces s.Expect, which is for other
// profiles: all properties by which s is judged must hold. It returns an error if a candidate cannot have the profile, such as a
// coordinated candidate, which takes one profile only.
func withProfile(s *scenarios.Scenario, name string) error {
	p, _ := machine.ProfileNamed(name)
	changed := false
	for i := range s.Candidates {
		changed = changed || s.Candidates[i].Profile != p
		s.Candidates[i].Profile = p
	}
	if changed {
		s.Expect = check.KeepAsked(s.Expect, scenarios.ExpectHeld)
	}
	return s.Validate()
}

// named returns a job for the file or the shipped scenario that an argument names. For a pattern it returns a job for each
// shipped scenario that matches.
func (f *runFlags) named(stdin io.Reader, arg string) ([]job, error) {
	if !strings.ContainsAny(arg, "*?[") || input.IsFile(arg) {
		s, err := input.Scenario(stdin, arg)
		if err != nil {
			return nil, err
		}
		j, err := f.job(arg, s)
		return []job{j}, err
	}
	all, err := scenarios.Matching(arg)
	if err != nil {
		return nil, fmt.Errorf("%w (simulate list shows all)", err)
	}
	return f.several(all)
}

// tooMany returns an error text if a flag that is given wants exactly one scenario, and the arguments match another number; ""
// otherwise.
func (f *runFlags) tooMany(jobs []job) string {
	if len(jobs) == 1 {
		return ""
	}
	problem := func(flag string) string {
		return fmt.Sprintf("--%s is of one run, and %d scenarios match: want exactly one", flag, len(jobs))
	}
	for _, one := range f.files {
		if one.path != "" {
			return problem(one.name)
		}
	}
	if f.against != "" {
		return problem("against")
	}
	return ""
}

// tooLong returns an error text if a job's run would keep too many renewals for its result and its picture; "" otherwise. With --brief
// none are kept, except for the page of --html and for --against.
func (f *runFlags) tooLong(j *job) string {
	page := slices.ContainsFunc(f.files, func(one eventFlag) bool { return one.name == "html" && one.path != "" })
	n := input.Renewals(j.scenario)
	if n <= input.MaxRenewals || f.brief && !page && f.against == "" {
		return ""
	}
	remedy := ", or --brief, which keeps none"
	if page || f.against != "" {
		remedy = ""
	}
	return fmt.Sprintf("%s: a run of %s has some %d renewals, and no more than %d are kept; want a shorter horizon%s",
		j.arg, phrase.Duration(j.scenario.Horizon), n, input.MaxRenewals, remedy)
}

// command returns the command line that repeats the job.
func (j *job) command() string { return input.RunCommand(j.arg, j.scenario, j.profile) }
