package usual

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"interregnum/internal/behaviour"
	"interregnum/internal/forecast/outlook"
	"interregnum/internal/phrase"
	"interregnum/plan"
)

// parseError parses a status from 400 to 599 and how often requests get it, such as 503:0.1%.
func parseError(text string) (behaviour.Error, error) {
	status, share, found := strings.Cut(text, ":")
	n, err := strconv.Atoi(status)
	if !found || err != nil || n < 400 || n > 599 {
		return behaviour.Error{}, fmt.Errorf("want a status from 400 to 599 and a percentage, such as 503:0.1%%, got %s", phrase.Quote(text))
	}
	p, err := outlook.ParseShare(share)
	return behaviour.Error{Status: n, Probability: p}, err
}

// parseEpisode parses an episode of a kind, such as 20s/7d or 5x/10m/1d@leader. Without an @ it is on everybody if it is a rollout
// or about messages, otherwise on one. back is how long an episode lasts if the text has a count in place of its length, as in
// 2/30d, which is one in 15 days.
func parseEpisode(kind behaviour.Kind, text string, back behaviour.Distribution) (e behaviour.Episode, err error) {
	e.Kind = kind
	rest, whom, named := strings.Cut(text, "@")
	if e.On = behaviour.Whom(whom); named && e.On != behaviour.Everybody && e.On != behaviour.One && e.On != behaviour.Leader {
		return e, fmt.Errorf("@%s: want @everybody, @one or @leader", phrase.Clip(whom))
	}
	if !named {
		e.On = behaviour.One
		if kind.OnMessages() {
			e.On = behaviour.Everybody
		}
	}
	if kind == behaviour.Rollout {
		if named && e.On != behaviour.Everybody {
			return e, fmt.Errorf("@%s: a rollout is on everybody", whom)
		}
		e.On, e.Rolling.Grace = behaviour.Everybody, plan.DefaultGracePeriod
	}
	parts := strings.Split(rest, "/")
	if kind == behaviour.Brownout {
		if e.Factor, err = parseFactor(parts[0]); err != nil || len(parts) != 3 {
			return e, fmt.Errorf("want a factor, how long and how often, such as 5x/10m/1d, got %s", phrase.Quote(text))
		}
		parts = parts[1:]
	}
	if len(parts) != 2 {
		return e, fmt.Errorf("want how long and how often, such as 20s/7d, got %s", phrase.Quote(text))
	}
	if e.Every, err = outlook.ParseTime(parts[1]); err != nil {
		return e, err
	}
	if e.Every == 0 {
		return e, fmt.Errorf("want a time above zero after the /, such as 20s/7d, got %s", phrase.Quote(text))
	}
	count, err := strconv.ParseFloat(parts[0], 64)
	switch {
	case err == nil && !kind.OnMessages() && kind != behaviour.Pause:
		if every := float64(e.Every) / count; count > 0 && every >= 1 && every < 1<<62 {
			e.Every, e.Lasts = time.Duration(every), back
			return e, nil
		}
		return e, fmt.Errorf("want a number above zero, and in which time, such as 2/30d, got %s", phrase.Quote(text))
	}
	e.Lasts, err = parseLength(parts[0])
	if err == nil && e.Lasts.Mean() == 0 && !kind.Starts() {
		err = fmt.Errorf("want a length above zero, such as 20s/7d, got %s", phrase.Quote(text))
	}
	return e, err
}

// parseFactor parses a factor such as 5x. It returns an error unless the factor is above 1 and at most a million.
func parseFactor(text string) (float64, error) {
	number, found := strings.CutSuffix(text, "x")
	factor, err := strconv.ParseFloat(number, 64)
	if err == nil && (!found || !(factor > 1) || factor > 1e6) {
		err = fmt.Errorf("want a factor above 1, such as 5x")
	}
	return factor, err
}

// list is a flag that can be given several times, and that checks its values.
type list struct {
	texts []string
	kind  string
	check func(text string) error
}

// Set implements pflag.Value. It adds a value to l.texts, or returns the error of l.check.
func (l *list) Set(text string) error {
	if err := l.check(text); err != nil {
		return err
	}
	l.texts = append(l.texts, text)
	return nil
}

// String implements pflag.Value. It returns all values, with spaces between them.
func (l *list) String() string { return strings.Join(l.texts, " ") }

// Type implements pflag.Value. The help shows it as the name of the value.
func (l *list) Type() string { return l.kind }
