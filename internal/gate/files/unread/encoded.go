package unread

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"regexp"
	"strings"

	"interregnum/internal/gate/files/tree"

	"go.yaml.in/yaml/v3"
)

// base64Text matches a text in base64 that is long enough for a setting, perhaps as the data of a URL. Such a text may be in several lines.
var base64Text = regexp.MustCompile(`^(?:data:[^,]{0,100};base64,)?([A-Za-z0-9+/\s]{24,}={0,2})\s*$`)

// maxUnpacked is how much is looked at of the texts in a document that are packed, too.
const maxUnpacked = 1 << 20

// Encoded returns the word of the first mention of leader election in a value that is encoded in base64, perhaps of a text that gzip has packed, and
// the value's line in the document; "" if there is none. root is the document's; nil for no YAML.
func Encoded(root *yaml.Node) (word string, line int) {
	if root == nil {
		return "", 0
	}
	left := int64(maxUnpacked)
	tree.Each(root, func(n *yaml.Node) {
		if word != "" || n.Kind != yaml.ScalarNode {
			return
		}
		if match := base64Text.FindStringSubmatch(n.Value); match != nil {
			if mention, _ := Mention(decoded(match[1], &left)); mention != "" {
				word, line = mention, n.Line
			}
		}
	})
	return word, line
}

// decoded returns what a text in base64 stands for; nil if it is none. It unpacks left bytes at most, from which it takes what it has unpacked.
func decoded(text string, left *int64) []byte {
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	data, _ = io.ReadAll(io.LimitReader(unpacked, *left)) // what was read before an error counts, too
	*left -= int64(len(data))
	return data
}
