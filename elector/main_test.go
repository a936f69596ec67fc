package elector_test

import (
	"strings"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"

	"interregnum/elector"
	"interregnum/internal/newest"
)

// metric is where the metrics of both packages go; each takes a provider only once.
var metric recorder

func TestMain(m *testing.M) {
	newest.Ensure(rest.AnonymousClientConfig) // what is compared with the library is compared with its newest version
	elector.SetProvider(nil)
	elector.SetProvider(ourProvider{})
	elector.SetProvider(nobody{})
	leaderelection.SetProvider(theirProvider{})
	goleak.VerifyTestMain(m)
}

type ourProvider struct{}

func (ourProvider) NewLeaderMetric() elector.LeaderMetric { return &metric }

type theirProvider struct{}

func (theirProvider) NewLeaderMetric() leaderelection.LeaderMetric { return &metric }

// nobody comes too late.
type nobody struct{}

func (nobody) NewLeaderMetric() elector.LeaderMetric { panic("a second provider was used") }

// recorder writes metrics to the journal of the test that runs.
type recorder struct {
	j *journal
	// hooked, if there is one, is called first.
	hooked func()
}

func (r *recorder) set(j *journal)     { r.j = j }
func (r *recorder) hook(before func()) { r.hooked = before }

func (r *recorder) write(what, name string) {
	if r.hooked != nil {
		r.hooked()
	}
	if r.j != nil {
		r.j.log("metric %s %s", what, name)
	}
}

func (r *recorder) On(name string)                { r.write("on", name) }
func (r *recorder) Off(name string)               { r.write("off", name) }
func (r *recorder) SlowpathExercised(name string) { r.write("slow path", name) }

// sometimes is what parity has to be shown on.
var sometimes = []string{
	"get", "create", "update", "metric on", "metric off", "metric slow path", "context canceled",
	"context deadline exceeded", "crash handler", "by panic", "by goexit", "by return", "new leader",
	"started leading", "stopped leading", "healthy false", `new leader ""`,
}

func count(seen map[string]int, lines []string) {
	for _, l := range lines {
		for _, word := range sometimes {
			if strings.Contains(l, word) {
				seen[word]++
			}
		}
	}
}
