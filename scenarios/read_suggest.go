package scenarios

import "interregnum/internal/phrase"

// unknown returns the message for a name that is not allowed, with the nearest allowed name if one is close. what is the kind
// of name, such as field.
func unknown(what, name string, allowed []string) string {
	return "unknown " + what + phrase.DidYouMean(name, allowed)
}
