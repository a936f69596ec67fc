package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// serve starts an HTTP server for health checks, metrics and the leader's name, if --listen is given, and returns a function
// that stops it. Without --listen that function does nothing. It returns an error if it cannot listen.
func (p *program) serve(c *candidate) (stop func(), err error) {
	if c.o.listen == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", c.o.listen)
	if err != nil {
		return nil, &exitError{code: exitFailed, text: "--listen: expected an address that is free: " + err.Error()}
	}
	if p.listening != nil {
		p.listening(listener.Addr().String())
	}
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", checked(c.watchDog.Check))
	mux.Handle("GET /readyz", checked(c.ready))
	mux.Handle("GET /metrics", promhttp.HandlerFor(c.metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /leader", c.tellLeader)
	// Who asks and does not read, or asks no more, must not take the file descriptors that elector needs.
	server := &http.Server{
		Handler: mux, ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute,
	}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			c.log.Error("the HTTP server has ended", "err", err)
		}
	}()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
	}, nil
}

// checked returns an HTTP handler that answers ok if check returns nil, and otherwise status 503 with the error.
func checked(check func(*http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := check(r); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
}

// ready returns nil if the candidate could take over the lock. It returns an error if a right to write the lock is missing, or
// if for as long as a lease lasts the lock has not answered, or all writes to it have failed. While --observe watches without errors in Kubernetes, an answer
// never becomes too old.
func (c *candidate) ready(*http.Request) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	// A watch says nothing while nothing happens.
	watching := c.o.observe && c.o.at.kind == onKubernetes && c.trouble == ""
	switch {
	case c.missingRight() != "":
		return errors.New(c.missingRight())
	case c.writes.failing(c.o.lease, c.o.quiet()):
		return errors.New("the lock answers, and every write to it has failed for a --lease-duration: " + c.writes.why)
	case !c.answered.IsZero() && (watching || time.Since(c.answered) < c.o.lease):
		return nil
	case c.trouble != "":
		return errors.New(c.trouble)
	}
	return errors.New("the lock has not answered yet")
}

// tellLeader answers GET /leader in JSON: who holds the lock, who this candidate is, and whether it leads. It is for programs
// that run beside this one.
func (c *candidate) tellLeader(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	answer := struct {
		Holder  string `json:"holder"`
		ID      string `json:"id"`
		Leading bool   `json:"leading"`
	}{c.holder, c.o.id, c.leading}
	c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
