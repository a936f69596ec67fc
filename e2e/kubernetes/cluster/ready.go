package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"k8s.io/client-go/rest"
)

// ready waits until the API server says that it is ready and has the namespace default. It returns an error if that takes longer
// than limit, or if the API server or etcd ends first.
func (c *Cluster) ready(limit time.Duration) error {
	client, err := rest.HTTPClientFor(c.Config("admin"))
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	client.Timeout = 5 * time.Second
	until := time.Now().Add(limit)
	for _, path := range []string{"/readyz", "/api/v1/namespaces/default"} {
		for {
			err := ask(client, c.url+path)
			if err == nil {
				break
			}
			if time.Now().After(until) {
				return fmt.Errorf("kube-apiserver is not ready after %v: %w", limit, err)
			}
			select {
			case <-c.api.done:
				return fmt.Errorf("kube-apiserver has ended: %w", errors.Join(c.api.err, err))
			case <-c.etcd.done:
				return fmt.Errorf("etcd has ended: %w", errors.Join(c.etcd.err, err))
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	return nil
}

// ask sends a GET to url, and returns an error unless the answer is status 200.
func ask(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", url, answer.Status)
	}
	return nil
}

// shownLines is how many lines of each log are shown at most.
const shownLines = 40

// logs returns the last shownLines lines of the log of each of the three servers, under its name; none of a server that was not
// started.
func (c *Cluster) logs() string {
	var b bytes.Buffer
	for _, name := range []string{"etcd.log", "apiserver.log", controllersLog} {
		text, _ := os.ReadFile(c.file(name)) // none: it has not been started
		lines := bytes.SplitAfter(text, []byte("\n"))
		if n := len(lines); n > shownLines {
			lines = lines[n-shownLines:]
		}
		fmt.Fprintf(&b, "the end of %s:\n%s", name, bytes.Join(lines, nil))
	}
	return b.String()
}
