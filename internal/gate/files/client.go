package files

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"interregnum/internal/gate/files/scalar"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/internal/phrase"
)

// client is what a candidate's settings say of its client, by the field of a ClientConnectionConfiguration: qps and burst.
type client map[string]raw

// clientFlags are the flags of the client with which programs elect, as setting.Normal has them, and the fields that they set.
var clientFlags = map[string]string{
	"kubeapiqps": "qps", "kubeapiburst": "burst", // Kubernetes' own programs and many others
	"clientconnectionqps": "qps", "clientconnectionburst": "burst", // descheduler, pkg/descheduler/client/client.go; Capsule
	"clientratelimitqps": "qps", "clientratelimitburst": "burst", // Kyverno, cmd/internal/client.go
	"kubeclientqps": "qps", "kubeclientburst": "burst", // cluster-autoscaler, utils/kubernetes/client.go
	"kubernetesapiqps": "qps", "kubernetesapiburst": "burst", // cert-manager's configuration, pkg/controller/context.go; istiod
	"kubernetesclientqps": "qps", "kubernetesclientburst": "burst", // Contour, internal/k8s/clients.go
}

// clientFlag stores a flag in c.client if it sets qps or burst of the client with which the program elects. If it is about another
// client, or nobody knows of which, its name becomes one of c.otherLimits. name is the flag's name without its hyphens, and r the flag. If given
// is true, the value is r.text, which stood after the flag's =; otherwise it is next, the word after the flag, "" if there is none. A later flag
// replaces an earlier one, as in pflag.
func (c *candidate) clientFlag(name string, r raw, given bool, next string) {
	normal := setting.Normal(name)
	field := clientFlags[normal]
	if field == "" {
		limits := strings.HasSuffix(normal, "qps") || strings.HasSuffix(normal, "burst")
		if limits && !slices.Contains(c.otherLimits, r.name) {
			c.otherLimits = append(c.otherLimits, r.name)
		}
		return
	}
	if !given {
		r.text = next
	}
	c.setClient(field, r)
}

// ofFlag stores in c.client the value of a flag in field f, if the flag sets qps or burst and the value is not null. If the flag names the
// file of configuration of a program whose flags for the client then count for nothing, it sets c.configFlag and c.configPath.
func (w *walker) ofFlag(c *candidate, f tree.Field) {
	if f.Value.ShortTag() == "!!null" {
		return
	}
	c.clientFlag(f.Name, raw{name: phrase.Clip(f.Name), text: f.Value.Value, line: w.base + f.Line}, true, "")
	if c.program != nil && c.program.ConfigRules && setting.IsConfigFlag(f.Name) {
		c.configFlag, c.configPath = phrase.Clip(f.Name), f.Value.Value
	}
}

// setClient stores in c.client the setting r of a field, qps or burst, in place of an earlier one.
func (c *candidate) setClient(field string, r raw) {
	if c.client == nil {
		c.client = client{}
	}
	c.client[field] = r
}

// clientConnection stores in c.client the qps and burst of the field clientConnection, which component configurations have beside
// leaderElection, and of fields named after flags. beside are the fields there. It leaves out 0 and null of a clientConnection, which
// stand for the default, and null of the others.
func (w *walker) clientConnection(c *candidate, beside []tree.Field) {
	for _, f := range beside { // kops' kubeAPIQPS
		if f.Value.Kind == yaml.ScalarNode {
			w.ofFlag(c, f)
		}
	}
	for _, member := range w.Inside(beside, "clientConnection") {
		zero := member.Value.Value == "0" || member.Value.ShortTag() == "!!null" // which stand for the default
		if (member.Name == "qps" || member.Name == "burst") && !zero {
			r := raw{name: "clientConnection." + member.Name, text: member.Value.Value, line: w.base + member.Line}
			if member.Value.Kind != yaml.ScalarNode {
				r.text = tree.TemplateIn(member.Value)
			}
			c.setClient(member.Name, r)
		}
	}
}

// storeIn sets t.QPS and t.Burst from the settings qps and burst, where there are such. If a value cannot be read, t.ClientUnread
// says what is wrong with the first such value, and the number in t counts for nothing; it is nil if the value is a template or a
// variable.
func (l client) storeIn(t *Target) {
	for _, field := range []string{"qps", "burst"} {
		r, ok := l[field]
		if !ok {
			continue
		}
		err := scalar.Given(r.text)
		if err == nil && field == "qps" {
			var f float64
			f, err = strconv.ParseFloat(r.text, 32)
			t.QPS = new(f)
		} else if err == nil {
			var n int64
			n, err = strconv.ParseInt(r.text, 0, 32) // as pflag and YAML do
			t.Burst = new(int(n))
		}
		if err != nil && t.ClientUnread == "" {
			if t.ClientElsewhere = scalar.IsElsewhere(err); !t.ClientElsewhere {
				err = fmt.Errorf("want a number of requests, got %s", scalar.Begins(r.text))
			}
			t.ClientUnread = phrase.OneLine(r.name + ": " + err.Error())
		}
	}
}
