package kubernetes_test

import "strings"

// kindsBodies are parts of requests.
var kindsBodies = strings.NewReplacer(
	"$POD", `"spec":{"containers":[{"name":"c","image":"i"}]}`,
	"$WORK", `"spec":{"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}`,
	"$JOB", `"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}`,
	"$CRON", `"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}`,
	"$BUDGET", `"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"x"}}}`,
	"$63", strings.Repeat("a", 63),
)

// kindsCase is a sequence of requests, and the paths of what is compared of the last answer.
type kindsCase struct {
	name, shown string
	requests    []string
}

var kindsCases = []kindsCase{
	{"stringData is merged into data", "data stringData", []string{
		`POST v1/secrets {"metadata":{"name":"s"},"data":{"a":"eA==","k":"eA=="},"stringData":{"a":"b"}}`,
		`GET v1/secrets/s`,
	}},
	{"stringData in a patch", "data stringData", []string{
		`POST v1/secrets {"metadata":{"name":"s"},"data":{"a":"eA=="}}`,
		`MERGE v1/secrets/s {"stringData":{"c":"d"}}`,
		`APPLY v1/secrets/s {"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"e":"f"}}`,
		`GET v1/secrets/s`,
	}},
	{"stringData in an update", "data stringData", []string{
		`POST v1/secrets {"metadata":{"name":"s"},"stringData":{"a":"b"}}`,
		`PUT v1/secrets/s {"metadata":{"name":"s"},"stringData":{"c":"d"}}`,
	}},
}
