// Package rules makes alerting rules for Prometheus from the timings of one leader election.
package rules

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate"
	"interregnum/internal/phrase"
)

// Lease is the lock that rules are about.
type Lease struct {
	Namespace, Name string
	// Election is the label name of leader_election_master_status, which client-go sets to the lock's name. Pods is the namespace of
	// the processes, which Prometheus adds to it.
	Election, Pods string
	// Transitions is how many changes of the leader within an hour are too many.
	Transitions int
}

// file is a file of rules, as Prometheus reads it.
type file struct {
	Groups []group `yaml:"groups"`
}

// group is a group of a file of rules: Prometheus evaluates its rules together.
type group struct {
	Name  string `yaml:"name"`
	Rules []rule `yaml:"rules"`
}

// rule is one alerting rule. It fires once Expr has held for the time in For, at once if that is "".
type rule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for,omitempty"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// bounds are those of the buckets of apiserver_request_duration_seconds in seconds (Kubernetes v1.36,
// staging/src/k8s.io/apiserver/pkg/endpoints/metrics/metrics.go). Older servers have some of them.
var bounds = []float64{0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60}

// Bearable returns how long a request may take, in seconds: the highest bound of a bucket such that the target is safe up to it.
// It returns 0 if not even the lowest bound is safe, or if the gate cannot judge the target.
func Bearable(j *gate.Judgement) float64 {
	best := 0.0
	for _, b := range bounds {
		e := j.Environment
		e.MaxRoundTrip = time.Duration(b * float64(time.Second))
		other, err := gate.Judge(j.Target, &e)
		if err != nil || other.Verdict != gate.Safe {
			break
		}
		best = b
	}
	return best
}

// Write writes to w, as YAML, the rules for the lock l, whose target the gate has judged, and before them a comment with the
// timings and up to which duration of requests they are safe. bearable is that duration in seconds, which Bearable returns; 0 if
// none is safe. An error is that of writing to w.
func Write(w io.Writer, l *Lease, j *gate.Judgement, bearable float64) error {
	g := group{Name: "leader-election-" + strings.Trim(notInName.ReplaceAllString(l.Namespace+"-"+l.Name, "-"), "-")}
	g.Rules = append(l.writes(j, bearable), l.leaders(j)...)
	timings := fmt.Sprintf("LeaseDuration %s, RenewDeadline %s, RetryPeriod %s", phrase.Duration(j.LeaseDuration), phrase.Duration(j.RenewDeadline), phrase.Duration(j.RetryPeriod))
	head := fmt.Sprintf("# Alerting rules for the Lease %s: %s, from %s.\n", phrase.OneLine(l.Namespace+"/"+l.Name), timings, phrase.OneLine(j.Position.String()))
	if bearable > 0 {
		head += fmt.Sprintf("# With these timings one leader works at a time as long as each request about the Lease takes %s at most,\n# and drift, pauses and draining are no more than simulate gate was told.\n", seconds(bearable))
	} else {
		head += fmt.Sprintf("# With these timings two leaders can work at once even if each request takes %s at most (simulate gate): no rule guards against that.\n", seconds(bounds[0]))
	}
	if _, err := io.WriteString(w, strings.Map(printable, strings.TrimSuffix(head, "\n"))+"\n"); err != nil {
		return err
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(file{[]group{g}}); err != nil {
		return err
	}
	return e.Close()
}

// notInName matches what a group's name has no need of.
var notInName = regexp.MustCompile(`[^A-Za-z0-9]+`)

// printable returns r, or -1 for a control character that a comment must not have. strings.Map drops a character for which it
// gets -1.
func printable(r rune) rune {
	if r < ' ' && r != '\n' || r == 0x7f {
		return -1
	}
	return r
}

// seconds returns a number of seconds as a text for people, such as 1.5s or 1m0s.
func seconds(s float64) string { return phrase.Duration(time.Duration(s * float64(time.Second))) }

// number returns a duration in seconds as a number without a unit, for an expression in PromQL.
func number(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// writes returns the rules about how long updates of Leases take, of all Leases, since the API server does not count them for
// each. bearable is what Bearable returns; if it is 0, there is no rule about slower updates than are safe.
func (l *Lease) writes(j *gate.Judgement, bearable float64) (all []rule) {
	const of = `{resource="leases",verb="PUT"`
	if bearable > 0 {
		// Of the buckets from there on the lowest that is kept has the least in it.
		kept := func(of string) string {
			return fmt.Sprintf("min(sum by (le) (increase(apiserver_request_duration_seconds_bucket%s,le=~\"%s\"}[10m])))", of, from(bearable))
		}
		all = append(all, l.rule("LeaseUpdatesSlowerThanSafe", "critical",
			fmt.Sprintf("sum(increase(apiserver_request_duration_seconds_count%s}[10m])) - %s > 0", of, kept(of)), "",
			"updates of Leases take longer than "+seconds(bearable),
			"Above that, two leaders of "+l.Namespace+"/"+l.Name+" can work at once. The API server counts the updates of all Leases together."),
			l.rule("LeaseBucketMissing", "warning",
				fmt.Sprintf("sum(apiserver_request_duration_seconds_count%s}) > 0 unless sum(apiserver_request_duration_seconds_bucket%s,le=~\"%s\"})", of, of, bucket(bearable)), "15m",
				"the bucket of "+seconds(bearable)+" is not kept",
				"Slow updates are noticed above the next bucket that is kept, if there is one: keep le="+strconv.FormatFloat(bearable, 'f', -1, 64)+
					" of apiserver_request_duration_seconds_bucket, which some configurations of Prometheus drop."))
	}
	half, above := j.RenewDeadline/2, ">"
	if top := time.Duration(bounds[len(bounds)-1] * float64(time.Second)); half >= top {
		half, above = top, ">=" // no quantile is above the highest bucket
	}
	return append(all, l.rule("LeaseUpdatesNearDeadline", "warning",
		fmt.Sprintf("histogram_quantile(0.99, sum by (le) (rate(apiserver_request_duration_seconds_bucket%s}[10m]))) %s %s", of, above, number(half)), "5m",
		"renewals take longer than the RenewDeadline bears",
		fmt.Sprintf("One in a hundred updates of Leases takes more than half of the RenewDeadline of %s: a second slow one in a row loses the lead.", phrase.Duration(j.RenewDeadline))))
}

// bucket returns a regular expression, escaped for PromQL, that matches the label le of the bucket with that bound, in seconds.
func bucket(bound float64) string {
	le := strings.ReplaceAll(strconv.FormatFloat(bound, 'f', -1, 64), ".", `\\.`)
	if bound == float64(int64(bound)) {
		le += `(\\.0)?`
	}
	return le
}

// from returns a regular expression, escaped for PromQL, that matches the labels le of all buckets whose bounds are at least bound,
// in seconds.
func from(bound float64) string {
	var all []string
	for _, b := range bounds {
		if b >= bound {
			all = append(all, bucket(b))
		}
	}
	return strings.Join(all, "|")
}

// leaders returns the four rules about who leads: nobody renews the Lease, no process reports that it leads, two report it, and
// the leader changes too often.
func (l *Lease) leaders(j *gate.Judgement) []rule {
	lease := fmt.Sprintf(`{namespace=%s,lease=%s}`, strconv.Quote(l.Namespace), strconv.Quote(l.Name))
	// A namespace is there where Prometheus finds pods by itself.
	status := fmt.Sprintf(`leader_election_master_status{name=%s,namespace=~%s}`, strconv.Quote(l.Election), strconv.Quote("("+regexp.QuoteMeta(l.Pods)+")?"))
	const each = "without (job, service, endpoint, container)" // a process that is scraped twice is one
	takeover := j.LeaseDuration + j.RetryPeriod*22/10 + j.Environment.MaxRoundTrip
	return []rule{
		l.rule("LeaderMissing", "critical", fmt.Sprintf("max(timestamp(kube_lease_renew_time%s) - kube_lease_renew_time%[1]s) > %s", lease, number(takeover)), "1m",
			"nobody renews the Lease",
			fmt.Sprintf("Another candidate takes over within %s of the last renewal, if one is there and reaches the API server.", phrase.Duration(takeover))),
		l.rule("LeaderNotReported", "warning", fmt.Sprintf("(sum(%s) or vector(0)) == 0", status), "5m",
			"no process says that it leads", "Either nobody leads, or the processes' metrics are not scraped."),
		l.rule("TwoLeaders", "critical", fmt.Sprintf("count(max %s (%s) == 1) > 1", each, status), "2m",
			"two processes say that they lead",
			"Processes are not scraped at the same instant, so that a change of the leader looks like two for one scrape interval. Shorter overlaps are not seen."),
		l.rule("TooManyLeaders", "warning", fmt.Sprintf("sum(max %s (changes(%s[1h]))) > %d or count(max %[1]s (max_over_time(%[2]s[1h])) == 1) > %[4]d", each, status, 2*l.Transitions, l.Transitions+1), "",
			"the leader changes too often", fmt.Sprintf("More than %d changes within an hour: each is one process that stops and one that begins, or that many processes have led, and one more.", l.Transitions)),
	}
}

// rule returns an alerting rule about the lock, with labels for the severity and the lock. It puts "LeaderElection" before alert,
// and the lock's name before summary. forText is how long expr must hold before the rule fires, "" for no time. The texts lose
// their control characters, and {{ becomes { {, which is no template.
func (l *Lease) rule(alert, severity, expr, forText, summary, description string) rule {
	clean := func(s string) string { return strings.ReplaceAll(strings.Map(printable, s), "{{", "{ {") }
	return rule{
		Alert: "LeaderElection" + alert, Expr: expr, For: forText, Labels: map[string]string{"severity": severity, "lock": clean(l.Namespace + "/" + l.Name)},
		Annotations: map[string]string{"summary": clean(l.Namespace + "/" + l.Name + ": " + summary), "description": clean(description)},
	}
}
