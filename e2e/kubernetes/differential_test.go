package kubernetes_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"interregnum/internal/apirecord"
	"interregnum/simlock/fakekube"
)

var (
	sequences = flag.Int("differential.sequences", 200, "how many random sequences TestDifferential compares")
	first     = flag.Uint64("differential.first", 0, "the seed of the first")
	report    = flag.Int("differential.report", 5, "how many differences are shown before it gives up")
	recording = flag.Bool("differential.record", false, "write testdata/apiserver/random.json: what the real server answered")
)

// length is how many requests a sequence has.
const length = 40

// side is one of the two servers.
type side struct {
	url    string
	client http.RoundTripper
	names  apirecord.Names
	// recorded is where what is compared is recorded, nil for nowhere.
	recorded *[]apirecord.Request
}

// answer is what a server answered, numbered as in apirecord.
type answer struct {
	code    int
	text    []byte
	plain   any
	warning []string
}

// TestDifferential sends random requests on the objects that locks are kept in to fakekube and to the real server, and
// compares the whole answers. The first difference ends a sequence.
func TestDifferential(t *testing.T) {
	c := theServer(t)
	config := c.Config("admin")
	config.WarningHandler = rest.NoWarnings{}
	client, err := rest.TransportFor(config)
	require.NoError(t, err)
	var recorded *[]apirecord.Request
	if *recording {
		recorded = new([]apirecord.Request)
		defer func() { require.NoError(t, apirecord.Write("../../testdata/apiserver/random.json", *recorded)) }()
	}
	namespaces := kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces()
	different := 0
	run := func(name string, requests int, next func(g *generator, i int) call) {
		g := &generator{namespace: "differential-" + strings.ReplaceAll(name, " ", "-"), objects: map[string]map[string]any{}}
		_, err := namespaces.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: g.namespace}},
			metav1.CreateOptions{})
		require.NoError(t, err)
		real := &side{url: c.URL(), client: client, recorded: recorded}
		if text := duel(t, name, g, requests, next, real); text != "" {
			different++
			assert.Fail(t, "fakekube differs", "%s\n%s", name, text)
		}
	}
	run("scripted", len(scripted), func(g *generator, i int) call { return scriptedCall(i, g.namespace) })
	for seed := *first; seed < *first+uint64(*sequences) && different < *report; seed++ {
		random := rand.New(rand.NewPCG(seed, 1))
		run(fmt.Sprintf("seed %d", seed), length, func(g *generator, _ int) call {
			g.Rand = random
			return g.call()
		})
	}
}

// duel returns what is different, or nothing.
func duel(
	t *testing.T, name string, g *generator, requests int, next func(g *generator, i int) call, real *side,
) string {
	var server fakekube.Server
	fake := &side{url: "http://fakekube", client: server.ConfigFor("admin").Transport}
	fake.send(t, call{method: "POST", path: "/api/v1/namespaces", contentType: "application/json", agent: "one",
		body: `{"metadata":{"name":"first"}}`}) // so that version 1 is none of the sequence's
	fake.names = apirecord.Names{}
	var history strings.Builder
	for i := range requests {
		c := next(g, i)
		fmt.Fprintf(&history, "%s %s %.300s\n", c.method, c.path, c.body)
		there := c
		there.path = fake.names.Translate(c.path, &real.names)
		there.body = fake.names.Translate(c.body, &real.names)
		a, b := fake.send(t, c), real.send(t, there)
		if tolerated(c, a, b) {
			continue
		}
		a.plain, b.plain = fake.names.Plain(t, a.text), real.names.Plain(t, b.text)
		real.remember(fmt.Sprintf("%s, request %d", name, i), there, b)
		if text := compared(a, b); text != "" {
			return history.String() + text
		}
		g.learn(c, a)
	}
	return ""
}

func compared(fake, real answer) string {
	if fake.code == real.code && assert.ObjectsAreEqual(real.plain, fake.plain) &&
		slices.Equal(real.warning, fake.warning) {
		return ""
	}
	return fmt.Sprintf("real: %d %s %q\nfake: %d %s %q", real.code, show(real.plain), real.warning,
		fake.code, show(fake.plain), fake.warning)
}

func show(plain any) string {
	text, _ := json.Marshal(plain)
	return string(text)
}

func (s *side) send(t *testing.T, c call) answer {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), c.method, s.url+c.path, bytes.NewReader([]byte(c.body)))
	require.NoError(t, err)
	q.Header.Set("User-Agent", c.agent)
	q.Header.Set("Content-Type", c.contentType)
	if c.accept != "" {
		q.Header.Set("Accept", c.accept)
	}
	r, err := s.client.RoundTrip(q)
	require.NoError(t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	if strings.Contains(c.path, "watch=1") && r.StatusCode == http.StatusOK { // events, one a line
		text = slices.Concat([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(text), []byte("\n"), []byte(",")), []byte("]"))
	}
	return answer{code: r.StatusCode, text: text, warning: r.Header.Values("Warning")}
}

func (s *side) remember(name string, c call, a answer) {
	if s.recorded == nil {
		return
	}
	r := apirecord.Request{Name: name, Method: c.method, Path: c.path, User: "admin", ContentType: c.contentType,
		Status: a.code, Response: a.text}
	if json.Valid([]byte(c.body)) {
		r.Request = json.RawMessage(c.body)
	} else {
		r.Text = c.body
	}
	if len(a.warning) > 0 {
		r.Headers = map[string]string{"Warning": a.warning[0]}
	}
	*s.recorded = append(*s.recorded, r)
}

// learn remembers what fakekube answered.
func (g *generator) learn(c call, a answer) {
	var obj object
	if json.Unmarshal(a.text, &obj) != nil {
		return
	}
	meta, ok := obj["metadata"].(object)
	if !ok {
		return
	}
	if v, ok := meta["resourceVersion"].(string); ok {
		g.versions = append(g.versions, v)
	}
	if token, ok := meta["continue"].(string); ok {
		g.next = token
		g.nextPath, _, _ = strings.Cut(c.path, "?")
	}
	if u, ok := meta["uid"].(string); ok {
		g.uids = append(g.uids, u)
	}
	if name, ok := meta["name"].(string); ok && a.code < 300 && !strings.Contains(c.path, "dryRun") {
		path, _, _ := strings.Cut(c.path, "?")
		if c.method == "POST" {
			path += "/" + name
		}
		g.objects[path] = obj
	}
}

// tolerated says whether an answer may differ in more than numbers; docs/electiontest.md has the reasons. Neither server is then in
// another state than the other.
func tolerated(c call, fake, real answer) bool {
	u, err := url.Parse(c.path)
	if err != nil {
		return false
	}
	query := u.Query()
	version := query.Get("resourceVersion")
	switch {
	case c.method == "GET" && version != "" && !query.Has("watch") && query.Get("continue") == "" && found(real) && found(fake):
		// From a cache, which may be behind, and names its own version; not so where a version is wanted exactly.
		limit, _ := strconv.Atoi(query.Get("limit"))
		match := query.Get("resourceVersionMatch")
		exact := match == "Exact" || match == "" && limit > 0 && version != "0"
		return !exact
	case real.code == http.StatusUnprocessableEntity && fake.code == real.code:
		// The words are those of k8s.io/apimachinery, of which the two have different versions; or they show the
		// whole object, with managed fields.
		return bytes.Contains(real.text, []byte("metadata.ownerReferences")) ||
			bytes.Contains(real.text, []byte(`"field":"patch"`))
	}
	return false
}

// found: the server knows whether the object is there.
func found(a answer) bool { return a.code == http.StatusOK || a.code == http.StatusNotFound }
