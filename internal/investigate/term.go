package investigate

import "regexp"

// clientGoAgent matches the user agents that client-go makes by default: program/version (os/arch) kubernetes/commit.
var clientGoAgent = regexp.MustCompile(`^\S+/\S+ \(\w+/\w+\) kubernetes/`)

// foreign tells whether a user agent is perhaps that of another client than client-go: it is not of the form of clientGoAgent, or not
// logged.
func foreign(agent string) bool { return !clientGoAgent.MatchString(agent) }

// termsOf divides writes into terms, by holder. A write that names nobody ends a term, and belongs to none. The term is released
// by it only if it follows the term's last write.
func termsOf(writes []Write) (terms []Term) {
	open := false
	for i := range writes {
		w := &writes[i]
		last := len(terms) - 1
		switch {
		case w.Record.Holder == "":
			if open && w.Follows {
				terms[last].Released = w.Received
			}
			open = false
		case open && terms[last].Holder == w.Record.Holder:
			terms[last].Last = i
			terms[last].Foreign = terms[last].Foreign || foreign(w.By)
		default:
			terms = append(terms, Term{Holder: w.Record.Holder, First: i, Last: i, Foreign: foreign(w.By)})
			open = true
		}
	}
	return terms
}
