package investigate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/evidence"
)

// failures returns the lines of the window by which the process says that a request failed. Lines about a request that was not sent, or
// was cancelled, or that was to release the lock, do not count.
func (w *window) failures() (all []*evidence.Saying) {
	for _, s := range slices.Concat(w.failedAtOnce(), w.said()) {
		if s.Step == evidence.Failed && w.earlier(s) && !releases(s) && !unsent(s.Text) {
			all = append(all, s)
		}
	}
	return all
}

// failedAtOnce returns the lines by which the process says that the attempt failed by which its last write was sent, where the server's
// clock does not show that they are later than that write: a line that is stamped no earlier than the record, and that ends an attempt,
// is of that attempt or of a later one. The process must say next of its turning points that it gave up at its deadline: it had no
// answer until then. There are none if it is not known how the pod stamps its records.
func (w *window) failedAtOnce() (all []*evidence.Saying) {
	lines := w.said()
	if len(lines) == 0 || len(w.pod.known) == 0 {
		return nil
	}
	gaveUp := lines[len(lines)-1]
	if gaveUp.Step != evidence.Lost || !atDeadline(gaveUp) {
		return nil
	}
	stamped := w.last.Record.Renew.Add(w.t.stamp)
	for _, s := range w.pod.sayings[w.pod.notBefore(w.last.Record.Renew):] {
		if s == lines[0] {
			break
		}
		if !s.At.Before(stamped) && s.Source == gaveUp.Source && endsAttempt(s) {
			all = append(all, s)
		}
	}
	return all
}

// endsAttempt tells whether a line says, in client-go's words, that an attempt to renew failed. After one that the first write of an
// attempt failed another write of that attempt can follow, and succeed.
func endsAttempt(s *evidence.Saying) bool {
	text := strings.ToLower(s.Text)
	return s.Step == evidence.Failed && !strings.Contains(text, "optimistically") &&
		(strings.HasPrefix(text, "failed to update l") || strings.HasPrefix(text, "error retrieving "))
}

// unanswered returns the lines of the window by which the process says that a request had no answer in time.
func (w *window) unanswered() (all []*evidence.Saying) {
	for _, s := range w.failures() {
		if lacksAnswer(s.Text) && says(s.Text, timeouts) {
			all = append(all, s)
		}
	}
	return all
}

// unreachable returns Unreachable if the process says that its requests had no answer, while the server received no
// write of it; otherwise no cause ("").
func (w *window) unreachable() (l Link, cause Cause) {
	if len(w.tried(w.own())) > 0 {
		return l, ""
	}
	late, all := w.unanswered(), []*evidence.Saying(nil)
	for _, s := range w.failures() {
		if lacksAnswer(s.Text) {
			all = append(all, s)
		}
	}
	for _, s := range all {
		l.Places, cause = append(l.Places, s.Place), Unreachable
	}
	l.Text = "its own log says that requests had no answer in time, and the server has logged no write of it " + w.meanwhile()
	if len(late) < len(all) {
		l.Text = "its own log says that requests failed, and the server has logged no write of it " + w.meanwhile() + ": " + quoted(all)
	}
	return l, cause
}

// stated returns the cause for which the server refused the holder's requests, or failed, if the holder's own log says that of each
// request that failed in the window, while the server has logged no write of it; otherwise no cause ("").
func (w *window) stated() (l Link, cause Cause) {
	if len(w.tried(w.own())) > 0 {
		return l, ""
	}
	all := w.failures()
	for _, s := range all {
		why := answerOf(s.Text)
		if why == "" || cause != "" && why != cause {
			return Link{}, ""
		}
		l.Places, cause = append(l.Places, s.Place), why
	}
	l.Text = "its own log says what the server answered, and the server has logged no write of it " + w.meanwhile() + ": " + quoted(all)
	return l, cause
}

// gaveUp returns what is known if no cause is: by the line s of its own log the process gave up at its deadline.
func (w *window) gaveUp(s *evidence.Saying) Link {
	l := Link{[]evidence.Place{s.Place}, "its own log says that it gave up at its deadline, and nothing logged shows why it could not renew"}
	none := ": the server logged no write of it " + w.meanwhile()
	if all := w.failures(); len(all) > 0 {
		l.Text = "its own log says that it gave up at its deadline, and that requests had failed before: " + quoted(all)
		none = ";" + none[1:]
		for _, f := range all {
			l.Places = append(l.Places, f.Place)
		}
	}
	if len(w.tried(w.own())) == 0 {
		l.Text += none
	}
	return l
}

// meanwhile returns the words for the time of which the requests that tried returns are: the whole window or, if it leaves out some,
// until the term was over.
func (w *window) meanwhile() string {
	if all := w.own(); len(w.tried(all)) < len(all) {
		return "before its term was over"
	}
	return "meanwhile"
}

// quoted returns what the last lines say, in quotes: at most mostQuotes different texts.
func quoted(all []*evidence.Saying) string {
	var texts []string
	for i := len(all) - 1; i >= 0 && len(texts) < mostQuotes; i-- {
		if text := fmt.Sprintf("%q", quote(all[i]).Text); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	slices.Reverse(texts)
	return strings.Join(texts, ", ")
}

// address matches the address of a request in an error, in which a part such as timeout=5s can stand.
var address = regexp.MustCompile(`https?://[^\s"]+`)

// timeouts are the words of errors about a request that had no answer in time, and unconnected those about a connection that could not
// be made, or broke.
var (
	timeouts    = []string{"deadline exceeded", "timeout", "timed out", "connection lost"}
	unconnected = []string{"connection refused", "connection reset", "no route to host", "unreachable", "no such host", "i/o error", "eof", "tls: ", "x509: "}
)

// says tells whether the text of an error has one of these words, but for its addresses.
func says(text string, words []string) bool {
	text = strings.ToLower(address.ReplaceAllString(text, ""))
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// unsent tells whether the text of an error is about a request that the client's limiter did not let go, or that was cancelled.
func unsent(text string) bool { return says(text, []string{"client rate limiter", "context canceled"}) }

// lacksAnswer tells whether the text of an error says that a request had no answer. It is false for a request that is unsent.
func lacksAnswer(text string) bool {
	return !unsent(text) && answerOf(text) == "" && (says(text, timeouts) || says(text, unconnected))
}

// answers has, for some causes, the words of errors with which a server answers.
var answers = []struct {
	cause Cause
	words []string
}{
	{Rejected, []string{"unauthorized", "must be logged in to the server", "provide credentials"}},
	{Forbidden, []string{"forbidden"}},
	{Throttled, []string{"too many requests"}},
	{Failing, []string{"etcdserver: ", "internal error occurred", "unable to return a response", "currently unable to handle the request"}},
}

// answerOf returns the cause of which the text of an error says that the server answered it, "" if it says none.
func answerOf(text string) Cause {
	for _, a := range answers {
		if says(text, a.words) {
			return a.cause
		}
	}
	return ""
}
