package files

// languageHere returns the language of the program that a mapping is for, which is a chart's values or a program's configuration;
// "" if nothing tells it. all are the fields of the mapping. It goes by the image first, then by the names of environment variables
// and, at the top of a document, by the names of the fields.
func (w *walker) languageHere(all []field) string {
	image, _ := get(all, "image")
	name := text(all, "image")
	if name == "" && image.value != nil {
		name = text(w.fields(image.value), "repository")
	}
	if found := languageOfImage(name); name != "" && found != "" {
		return found
	}
	for _, f := range all {
		if found := languageOfField(f.name); found != "" && len(w.path) == 0 {
			return found
		}
		switch normal(f.name) {
		case "env", "extraenv", "envvars", "extraenvvars", "environment":
		default:
			continue
		}
		for _, member := range w.fields(f.value) {
			if found := languageOfVariable(member.name); found != "" {
				return found
			}
		}
		for _, item := range w.items(f.value) {
			if found := languageOfVariable(text(w.fields(item), "name")); found != "" {
				return found
			}
		}
	}
	return ""
}
