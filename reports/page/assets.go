package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"sync"
)

//go:embed html/*.gohtml html/*.css html/page.js html/vendor/*.js
var pageFiles embed.FS

// libraries are the scripts of html/vendor. Each depends only on those before it.
var libraries = []string{"d3-dispatch", "d3-timer", "d3-color", "d3-ease", "d3-selection", "d3-interpolate",
	"d3-transition", "d3-drag", "d3-zoom"}

// assets are the parts that all pages share: the style, the scripts, and the policy by which a browser runs no other scripts.
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

// source returns the source expression, a hash, by which a content security policy allows a text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageFile returns the text of a file below html.
func pageFile(name string) string {
	data, err := pageFiles.ReadFile("html/" + name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(functions).Parse(pageFile("page.gohtml")))
})
