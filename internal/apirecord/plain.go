package apirecord

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names numbers the uids and the versions in one server's answers, in the order in which they first appear. Two servers that do
// the same get the same numbers. The zero value has numbered none.
type Names struct{ uids, versions numbers }

// numbers are values that have been seen; the index of each is its number.
type numbers struct{ values []string }

// numberOf returns the number of a value: its index among the values that were seen. A new value it adds, with the next number.
func (n *numbers) numberOf(value string) int {
	i := slices.Index(n.values, value)
	if i < 0 {
		i = len(n.values)
		n.values = append(n.values, value)
	}
	return i
}

const tokenField = "continue="

const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

var (
	uidAnywhere = regexp.MustCompile(uuid)
	// Where a version stands in an answer: in a field, or in the words of an error.
	versionInAnswer = regexp.MustCompile(`("resourceVersion":"|in the precondition \(|in record \(|current: )(\d+)`)
	// Where one stands in a request: in a body or in a query.
	versionInToken   = regexp.MustCompile(`("rv":)(\d+)`)
	tokenInRequest   = regexp.MustCompile(tokenField + `[A-Za-z0-9_-]+`)
	versionInRequest = regexp.MustCompile(`("resourceVersion":\s*"|resourceVersion=)(\d+)`)
)

// Translate returns a request with its uids and versions replaced, those in continue tokens too. Each one that n has numbered
// becomes the one with the same number in other. One that n has not numbered, or whose number other does not have, stays as it
// is.
func (n *Names) Translate(request string, other *Names) string {
	request = uidAnywhere.ReplaceAllStringFunc(request, func(uid string) string {
		return n.uids.translate(uid, &other.uids)
	})
	request = tokenInRequest.ReplaceAllStringFunc(request, func(found string) string {
		return tokenField + n.translateToken(strings.TrimPrefix(found, tokenField), other)
	})
	return versionInRequest.ReplaceAllStringFunc(request, func(found string) string {
		parts := versionInRequest.FindStringSubmatch(found)
		return parts[1] + n.versions.translate(parts[2], &other.versions)
	})
}

// translateToken returns a continue token with its version replaced as Translate does it. A token that cannot be decoded
// stays as it is.
func (n *Names) translateToken(token string, other *Names) string {
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return token
	}
	translated := versionInToken.ReplaceAllStringFunc(string(text), func(found string) string {
		parts := versionInToken.FindStringSubmatch(found)
		return parts[1] + n.versions.translate(parts[2], &other.versions)
	})
	return base64.RawURLEncoding.EncodeToString([]byte(translated))
}

// translate returns the value in other that has the number of value in n. If there is none it returns value itself.
func (n *numbers) translate(value string, other *numbers) string {
	if i := slices.Index(n.values, value); i >= 0 && i < len(other.values) {
		return other.values[i]
	}
	return value
}

// Plain returns a JSON text as a value to compare: with numbers for uids and versions, without times of creation, managed
// fields and nulls, with one text for all times of deletion, and with the content of continue tokens. It adds new uids and
// versions to n. It ends the test as failed if the text is no JSON.
func (n *Names) Plain(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(text, &v), "%s", text)
	strip(v)
	sorted, err := json.Marshal(v)
	require.NoError(t, err)
	named := uidAnywhere.ReplaceAllStringFunc(string(sorted), func(uid string) string {
		return "uid-" + strconv.Itoa(n.uids.numberOf(uid))
	})
	named = versionInAnswer.ReplaceAllStringFunc(named, func(found string) string {
		parts := versionInAnswer.FindStringSubmatch(found)
		return parts[1] + "version-" + strconv.Itoa(n.versions.numberOf(parts[2]))
	})
	v = nil
	require.NoError(t, json.Unmarshal([]byte(named), &v), "%s", named)
	return v
}

// strip changes a JSON value in place, at every depth, so that it can be compared. It removes the fields creationTimestamp and
// managedFields, and fields that are null. It replaces each deletionTimestamp by a fixed text, and each continue token by its
// content.
func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if k == "creationTimestamp" || k == "managedFields" || x == nil {
				delete(v, k)
				continue
			}
			if token, ok := x.(string); ok && k == "continue" {
				v[k] = position(token)
			}
			if k == "deletionTimestamp" {
				v[k] = "some time"
			}
			strip(x)
		}
	case []any:
		for _, x := range v {
			strip(x)
		}
	}
}

// position returns the content of a continue token as a JSON value, or the token itself if it cannot be decoded. The version in
// it goes into a field resourceVersion, in which Plain finds it.
func position(token string) any {
	text, err := base64.RawURLEncoding.DecodeString(token)
	var p map[string]any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err != nil || d.Decode(&p) != nil {
		return token
	}
	if version, ok := p["rv"].(json.Number); ok {
		delete(p, "rv")
		p["resourceVersion"] = version.String()
	}
	return p
}
