// Licences lists the modules that are linked into what ships, with their licences, as docs/release.md has them. It fails
// where a licence is not one of those that are allowed, or is not known.
//
//	go run ./licences           writes them into ../docs/release.md
//	go run ./licences -check    fails where that page would change
//	go run ./licences -texts    writes to standard output the texts that must go with the programs: licences and notices
//	go run ./licences -texts -of simulate    the same, of one program
//
// It runs in the folder tools of the repository.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

const (
	// page is the path of the page that has the list, from the folder tools. The list is between the lines begin and end.
	page  = "../docs/release.md"
	begin = "<!-- from here on written by make licences -->\n"
	end   = "<!-- to here -->\n"
)

// main writes, compares or prints the licences as the flags say. After an error it prints the error and exits with status 1.
func main() {
	compare := flag.Bool("check", false, "compare with "+page+", and write nothing")
	texts := flag.Bool("texts", false, "write the texts to standard output, and nothing else")
	of := flag.String("of", "", "with -texts, the program: simulate or elector; all that ships where it is empty")
	flag.Parse()
	if err := run(*compare, *texts, *of); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// run checks that all licences are allowed, and returns an error if not. Then, if texts is true, it prints the texts, of the
// part that of names or, for "", of all. Otherwise, if compare is true, it returns an error if the list in the page is out of
// date. Otherwise it writes that list into the page.
func run(compare, texts bool, of string) error {
	all, err := linked("..")
	if err != nil {
		return err
	}
	if err := allowed(all); err != nil {
		return err
	}
	if texts {
		return writeTexts(os.Stdout, all, of)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(text), begin)
	got, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return fmt.Errorf("%s: want the lines %s and %s", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	var want strings.Builder
	writeList(&want, all)
	if !compare {
		return os.WriteFile(page, []byte(before+begin+want.String()+end+after), 0o644)
	}
	if got != want.String() {
		return fmt.Errorf("%s has not the list of what is linked now: run make licences, and read what changed:\n%s", page,
			strings.Join(changes(got, want.String()), "\n"))
	}
	return nil
}

// changes returns the lines that only one of the two texts has: with - before those of old, with + before those of now.
func changes(old, now string) (lines []string) {
	for _, side := range []struct{ sign, text, other string }{{"-", old, now}, {"+", now, old}} {
		there := map[string]bool{}
		for line := range strings.SplitSeq(side.other, "\n") {
			there[line] = true
		}
		for line := range strings.SplitSeq(side.text, "\n") {
			if !there[line] {
				lines = append(lines, side.sign+line)
			}
		}
	}
	return lines
}
