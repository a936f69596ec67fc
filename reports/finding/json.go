// Package finding writes what was found for programs, and for pages that others show: as JSON, JUnit, Markdown and SARIF.
package finding

import (
	"encoding/json"
	"io"

	"interregnum/scenarios"
)

// JSON writes a result as one line.
func JSON(w io.Writer, r *scenarios.Result) error { return writeLine(w, r) }

// writeLine writes the JSON form of a value as one line.
func writeLine(w io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
