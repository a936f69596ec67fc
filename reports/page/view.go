package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"interregnum/internal/check"
	"interregnum/reports"
	"interregnum/reports/internal/words"
	"interregnum/scenarios"
)

// view is what the template shows.
type view struct {
	assets
	Result                   *scenarios.Result
	About, Command, Headline string
	// Profiles are those of the candidates.
	Profiles string
	// Split tells that two worked at once.
	Split      bool
	Facts      []fact
	Verdicts   []verdictRow
	Violations []violationRow
	Explained  []why
	Chart      *chart
	Data       *pageData
	Notes      []noteRow
	Omitted    []string
}

type fact struct{ Name, Value string }

type verdictRow struct{ Name, Verdict, Extent, Fulfilment string }

// violationRow is a line of the list of violations, which the script makes jumps of.
type violationRow struct {
	Property, Length, Who, From, To string
	A, B                            int64
}

// maxListed is how many violations the list has.
const maxListed = 100

// describe fills in what the page says of a run in words: facts, verdicts, violations and explanations.
func (v *view) describe(r *reports.Run) {
	res := r.Result
	v.Explained = explained(res)
	v.Profiles = profiles(r.Scenario)
	v.Facts = []fact{
		{"seed", fmt.Sprint(res.Seed)},
		{"true time", words.Duration(res.Stats.VirtualNs)},
		{"events", words.Count(res.Stats.Events)},
		{"store operations", words.Count(res.Stats.StoreOps)},
		{"trace hash", res.TraceHash},
	}
	for i := range res.Properties {
		p := &res.Properties[i]
		v.Verdicts = append(v.Verdicts, verdictRow{p.Name, string(p.Verdict), reports.Extent(p), r.Fulfilment(p)})
		for _, one := range longestOf(p.Violations) {
			if p.Name != check.SingleBelief && len(v.Violations) < maxListed {
				v.Violations = append(v.Violations, violationRow{p.Name, reports.Length(&one), names(one.Names()),
					words.Duration(one.FromNs), words.Duration(one.ToNs), one.FromNs, one.ToNs})
			}
		}
	}
}

// profiles are those that the candidates have, each once.
func profiles(s *scenarios.Scenario) string {
	var names []string
	for i := range s.Candidates {
		if name := words.Visible(s.Candidates[i].Profile.Name, words.MaxLabel); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return words.List(names)
}

//go:embed html/*.gohtml html/*.css html/page.js html/vendor/*.js
var pageFiles embed.FS

// libraries are the scripts of html/vendor, in the order in which they need each other.
var libraries = []string{"d3-dispatch", "d3-timer", "d3-color", "d3-ease", "d3-selection", "d3-interpolate",
	"d3-transition", "d3-drag", "d3-zoom"}

// assets are what the page has besides the run: its looks, its scripts, and the policy by which a browser runs no others.
type assets struct {
	Style         template.CSS
	Library, Code template.JS
	Policy        string
}

var pageAssets = sync.OnceValue(func() assets {
	a := assets{Style: template.CSS(pageFile("page.css")), Code: template.JS(pageFile("page.js"))}
	for _, name := range libraries {
		a.Library += template.JS(pageFile("vendor/" + name + ".min.js"))
	}
	a.Policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s %s; base-uri 'none'; form-action 'none'",
		source(string(a.Style)), source(string(a.Library)), source(string(a.Code)))
	return a
})

// source returns the hash by which a content security policy allows a text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func pageFile(name string) string {
	data, err := pageFiles.ReadFile("html/" + name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageFile("page.gohtml")))
})
