// Package unread finds the settings of leader election that a document mentions, and that nothing has read.
package unread

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// mentions are words that only stand where leader election is set. The name of a role, leader-election-role, is none.
var mentions = regexp.MustCompile(`(?i)lease[-_.]?duration|renew[-_.]?deadline|leader[-_.a-z]*retry[-_.]?period|` +
	`(?:^|[\s"'\[,=])--?[\w-]*leader[-_.]?elect|` +
	`(?-i:\b[A-Z][A-Z0-9_]*_LEADER_?ELECTION\w*)|leader[-_.]?elect[\w.-]*["']?[:=]\s*(?:["'\w!$]|\{\s*[^}\s])|election[-_.]?(?:ttl|id)\b`)

var schema = regexp.MustCompile(`CustomResourceDefinition|openAPIV3Schema|"\$schema"|"openapi"|(?m)^(?:\$schema|properties):`)

// comment matches a line that is a comment and nothing else. An empty line before it stays: lines are counted afterwards.
var comment = regexp.MustCompile(`(?m)^[ \t]*#.*$`)

// WithoutComments returns a text with nothing in place of its comments, in as many lines.
func WithoutComments(text []byte) []byte { return comment.ReplaceAll(text, nil) }

// Mention returns the word of the first mention of leader election in a document, and its line there; "" if there is none, or the document is a
// schema.
func Mention(text []byte) (word string, line int) {
	if isSchema(text) {
		return "", 0
	}
	text = WithoutComments(text)
	at := mentioned(text)
	if at == nil {
		return "", 0
	}
	word = strings.TrimFunc(string(text[at[0]:at[1]]), func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'[,=:{", r) })
	word, _, _ = strings.Cut(strings.SplitN(word, "\n", 2)[0], ":")
	word, _, _ = strings.Cut(word, "=")
	return word, 1 + bytes.Count(text[:at[0]+bytes.Index(text[at[0]:], []byte(word))], []byte("\n"))
}

// IsMentioned tells whether a text mentions leader election.
func IsMentioned(text []byte) bool { return mentioned(text) != nil }

// mentioned returns the start and end of the first mention of leader election in text, other than of the kubelet's
// lease, DHCP or Kafka; nil where there is none.
func mentioned(text []byte) []int {
	for _, at := range mentions.FindAllIndex(text, -1) {
		before := strings.TrimRight(setting.Normal(string(text[max(0, at[0]-8):at[0]])), " ")
		if !setting.EndsIn(before, []string{"node", "dhcp", "unclean"}) && !bytes.Contains(text[at[0]:at[1]], []byte("UNCLEAN")) {
			return at
		}
	}
	return nil
}

// schemaTypes are the types of a JSON Schema, and schemaWords some of the names that describe a value in one without its type.
var (
	schemaTypes = []string{"string", "object", "integer", "number", "boolean", "array", "null"}
	schemaWords = []string{"$ref", "anyOf", "oneOf", "allOf", "enum", "const", "properties", "items"}
)

// IsSchemaField tells whether a field has a schema, which has the names of settings, but no settings: it is called openAPIV3Schema, or
// properties, and each of its fields is described as in a schema. In a field properties others, such as KubeVela and Pulumi, have what
// is set.
func IsSchemaField(name string, n *yaml.Node) bool {
	if name != "properties" || n.Kind != yaml.MappingNode {
		return name == "openAPIV3Schema"
	}
	for i := 1; i < len(n.Content); i += 2 {
		if !describesValue(tree.Resolve(n.Content[i])) {
			return false
		}
	}
	return true
}

// describesValue tells whether a node is a schema: an empty mapping, a boolean, or a mapping with a type or with one of schemaWords.
func describesValue(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return n.ShortTag() == "!!bool"
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		typed := name == "type" && (value.Kind == yaml.SequenceNode || slices.Contains(schemaTypes, value.Value))
		if typed || slices.Contains(schemaWords, name) || strings.HasPrefix(name, "x-kubernetes-") {
			return true
		}
	}
	return len(n.Content) == 0
}

// isSchema tells whether a text has a word that only schemas have, such as CustomResourceDefinition. A schema has the names of
// settings, but no settings.
func isSchema(text []byte) bool {
	return schema.Match(text)
}

// kinds are lines that say the kind of an object, and rights are the kinds that run nothing but have the names of leases.
var (
	kinds  = regexp.MustCompile(`(?m)^kind: *["']?(\w+)`)
	rights = regexp.MustCompile(`^(?:Cluster)?Role(?:Binding)?$|WebhookConfiguration$|^Service(?:Account)?$`)
)

// RunsNothing tells whether a text that cannot be parsed has objects of known kinds alone, and only such as run no program.
func RunsNothing(text []byte) bool {
	all := kinds.FindAllSubmatch(text, -1)
	return len(all) > 0 && !slices.ContainsFunc(all, func(kind [][]byte) bool { return !rights.Match(kind[1]) })
}
