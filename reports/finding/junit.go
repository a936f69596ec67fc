package finding

import (
	"cmp"
	"encoding/xml"
	"io"
)

// junitFile is a JUnit file.
type junitFile struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr,omitempty"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

// junitSuite is a test suite, with the numbers of its cases. add keeps these right.
type junitSuite struct {
	class      string          // of its cases; the suite's name if that is ""
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

// junitProperty is a named value of a suite.
type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// junitCase is a test case. It has passed if Failure, Error and Skipped are nil.
type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	File    string       `xml:"file,attr,omitempty"`
	Line    int          `xml:"line,attr,omitempty"`
	Failure *junitDetail `xml:"failure"`
	Error   *junitDetail `xml:"error"`
	Skipped *junitDetail `xml:"skipped"`
	Out     string       `xml:"system-out,omitempty"`
}

// junitDetail says why a test case failed, has an error or was skipped.
type junitDetail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// add appends a test case to the suite, gives it the suite's class, and counts it.
func (s *junitSuite) add(c junitCase) {
	c.Class = cmp.Or(s.class, s.Name)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// writeJUnit writes suites as a JUnit file called name, with the sums of their counts.
func writeJUnit(w io.Writer, name string, suites ...junitSuite) error {
	all := junitFile{Name: name, Suites: suites}
	for i := range suites {
		s := &suites[i]
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	out, err := xml.MarshalIndent(&all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(out)+"\n")
	return err
}
