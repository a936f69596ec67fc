package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"
	"sync"
)

//go:embed html/*.gohtml html/*.css html/page.js html/vendor/*.js
var pageFiles embed.FS

// libraries are the scripts of html/vendor. Each depends only on those before it.
var libraries = []string{"d3-dispatch", "d3-timer", "d3-color", "d3-ease", "d3-selection", "d3-interpolate",
	"d3-transition", "d3-drag", "d3-zoom"}

// assets are what all pages of one kind share: the style, the scripts if there are any, and the policy by which a browser runs no
// other scripts.
type assets struct {
	Style         template.CSS
	Library, Code template.JS
	Policy        string
}

// document is a kind of page: what all its pages share, and the template that writes one.
type document struct {
	assets
	*template.Template
}

// newDocument returns a function that returns a kind of page. The function makes it at its first call, and returns the same one
// at each call. All parts are files below html: page is the template that writes the page, used are templates that page uses, and
// style is added to the style of all pages, "" for none. scripts tells whether the page has the scripts.
func newDocument(scripts bool, style, page string, used ...string) func() *document {
	return sync.OnceValue(func() *document {
		d := &document{Template: template.Must(template.New(page).Funcs(functions).Parse(pageFile(page)))}
		for _, name := range used {
			template.Must(d.New(name).Parse(pageFile(name)))
		}
		d.Style = template.CSS(pageFile("page.css"))
		if style != "" {
			d.Style += template.CSS(pageFile(style))
		}
		d.Policy = "default-src 'none'; style-src " + source(string(d.Style))
		if scripts {
			for _, name := range libraries {
				d.Library += template.JS(pageFile("vendor/" + name + ".min.js"))
			}
			d.Code = template.JS(pageFile("page.js"))
			d.Policy += "; script-src " + source(string(d.Library)) + " " + source(string(d.Code))
		}
		d.Policy += "; base-uri 'none'; form-action 'none'"
		return d
	})
}

// source returns the hash of a text in the form in which a content security policy allows that text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageFile returns the text of a file below html, with \n at the ends of lines. It panics if there is no such file.
func pageFile(name string) string {
	data, err := pageFiles.ReadFile("html/" + name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}
