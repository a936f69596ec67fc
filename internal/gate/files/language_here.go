package files

import (
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
)

// languageHere returns the language of the program that a mapping is for, which is a chart's values or a program's configuration;
// "" if nothing tells it. all are the fields of the mapping. It goes by the image first, then by the names of environment variables
// and, at the top of a document, by the names of the fields.
func (w *walker) languageHere(all []tree.Field) string {
	image, _ := tree.Get(all, "image")
	name := tree.Text(all, "image")
	if name == "" && image.Value != nil {
		name = tree.Text(w.Fields(image.Value), "repository")
	}
	if found := programs.LanguageOfImage(name); name != "" && found != "" {
		return found
	}
	for _, f := range all {
		if found := programs.LanguageOfField(f.Name); found != "" && len(w.path) == 0 {
			return found
		}
		switch setting.Normal(f.Name) {
		case "env", "extraenv", "envvars", "extraenvvars", "environment":
		default:
			continue
		}
		for _, member := range w.Fields(f.Value) {
			if found := programs.LanguageOfVariable(member.Name); found != "" {
				return found
			}
		}
		for _, item := range w.Items(f.Value) {
			if found := programs.LanguageOfVariable(tree.Text(w.Fields(item), "name")); found != "" {
				return found
			}
		}
	}
	return ""
}
