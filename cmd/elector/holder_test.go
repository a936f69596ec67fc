package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"interregnum/elector/ttl"
	"interregnum/internal/electorproc"
)

// toldLock answers what it is told.
type toldLock struct {
	ttl.Lock
	entry ttl.Entry
	err   error
}

func (l *toldLock) Identity() string                           { return "a" }
func (l *toldLock) Get(context.Context) (ttl.Entry, error)     { return l.entry, l.err }
func (l *toldLock) Replace(context.Context) (ttl.Entry, error) { return l.entry, l.err }
func (l *toldLock) Refresh(context.Context) (ttl.Entry, error) { return l.entry, l.err }
func (l *toldLock) Release(context.Context) error              { return l.err }

// TestHolder: /leader, the metrics and the log tell what the lock's last answer says, in the order of the answers.
func TestHolder(t *testing.T) {
	t.Parallel()
	var log electorproc.Buffer
	own := &lease{}
	c := &candidate{
		o: &options{id: "a", wait: -1}, log: newLogger(&log, "info"), lease: own, metrics: newMetrics("reports", own),
	}
	told := &toldLock{}
	lock := c.noted(told)
	get := func() { _, _ = lock.Get(t.Context()) }
	for _, step := range []struct {
		does   func()
		entry  ttl.Entry
		err    error
		holder string
		seen   float64
	}{
		{get, ttl.Entry{}, ttl.ErrAbsent, "", 0},
		{get, ttl.Entry{Holder: "b", Token: 1}, nil, "b", 1},
		{get, ttl.Entry{Holder: "c", Token: 2}, nil, "c", 2},
		{get, ttl.Entry{}, errors.New("no answer"), "c", 2},
		{get, ttl.Entry{Holder: "b", Token: 3}, nil, "b", 3},
		{func() { _, _ = lock.Replace(t.Context()) }, ttl.Entry{}, ttl.ErrTaken, "b", 3},
		{func() { _, _ = lock.Replace(t.Context()) }, ttl.Entry{Holder: "a", Token: 4}, nil, "a", 4},
		{func() { _, _ = lock.Refresh(t.Context()) }, ttl.Entry{Holder: "a", Token: 4}, nil, "a", 4},
		{func() { _ = lock.Release(t.Context()) }, ttl.Entry{}, nil, "", 4},
	} {
		told.entry, told.err = step.entry, step.err
		step.does()
		answer := httptest.NewRecorder()
		c.tellLeader(answer, httptest.NewRequest(http.MethodGet, "/leader", nil))
		require.JSONEq(t, `{"holder":"`+step.holder+`","id":"a","leading":false}`, answer.Body.String())
		require.Equal(t, step.seen, testutil.ToFloat64(c.metrics.transitions))
	}
	var holders []string
	for line := range strings.Lines(log.String()) {
		_, holder, _ := strings.Cut(line, `"holder":`)
		holders = append(holders, strings.Trim(holder, "\"}\n"))
	}
	require.Equal(t, []string{"b", "c", "b", "a", ""}, holders)
}

// TestNotAsked: a request that elector itself has given up is none of the lock's errors.
func TestNotAsked(t *testing.T) {
	t.Parallel()
	own := &lease{}
	c := &candidate{o: &options{id: "a"}, lease: own, metrics: newMetrics("reports", own)}
	c.asked("refresh", now(), context.Canceled)
	require.Empty(t, c.trouble)
	require.Zero(t, testutil.CollectAndCount(c.metrics.requests))
	c.asked("refresh", now(), context.DeadlineExceeded)
	require.NotEmpty(t, c.trouble)
	require.Equal(t, 1, testutil.CollectAndCount(c.metrics.requests))
}

// TestMetricsLint: names, types and help are as Prometheus has them.
func TestMetricsLint(t *testing.T) {
	t.Parallel()
	m := newMetrics("reports", &lease{})
	m.request("get", outcomeOK, 1)
	problems, err := testutil.GatherAndLint(m.registry)
	require.NoError(t, err)
	require.Empty(t, problems)
}

// TestLevels: the levels of the libraries, which lie between two, are shown as the lower one.
func TestLevels(t *testing.T) {
	t.Parallel()
	var out electorproc.Buffer
	log := newLogger(&out, "debug")
	for level := slog.LevelDebug; level <= slog.LevelError+1; level++ {
		log.Log(t.Context(), level, "text")
	}
	for level, lines := range map[string]int{"DEBUG": 4, "INFO": 4, "WARN": 4, "ERROR": 2} {
		require.Equal(t, lines, strings.Count(out.String(), `"level":"`+level+`"`), out.String())
	}
}
