package files

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/internal/phrase"
)

// source is what one file has of leader election in a ConfigMap, or what a kustomization puts into one.
type source struct {
	file  string
	found []*candidate
	// off tells that leader election is turned off in it; claimed, that it is what a container mounts.
	off, claimed bool
}

// sources are all that files have in ConfigMaps, by namespace/name, in the order of the files.
type sources map[string][]*source

// connect sets config, off and others of each container in the files, and taken of what is judged with a container.
func connect(walkers []*walker) {
	all := sourcesIn(walkers)
	used := map[string]bool{}
	for _, w := range walkers {
		maps.Copy(used, w.used)
	}
	for _, w := range walkers {
		for _, c := range w.readers {
			if all.choose(c, w.pos.File); c.config != nil {
				c.config.program = cmp.Or(c.config.program, c.program)
			}
		}
		for _, c := range w.found {
			if all.choose(c, w.pos.File); c.config != nil {
				c.config.taken = true
			}
			c.taken = c.taken || c.data != "" && used[c.data]
		}
	}
	for _, w := range walkers {
		for _, c := range w.found {
			all.doubt(c, w.pos.File)
		}
	}
}

// sourcesIn returns the sources in the files, and those that a kustomization makes of files.
func sourcesIn(walkers []*walker) sources {
	all := sources{}
	whole := map[string]*walker{}
	for _, w := range walkers {
		whole[filepath.Clean(w.pos.File)] = w
		for _, c := range w.found {
			if c.configMap != "" {
				of := all.in(c.configMap, w.pos.File)
				of.found = append(of.found, c)
			}
		}
		for configMap := range w.off {
			if configMap != "" {
				all.in(configMap, w.pos.File).off = true
			}
		}
	}
	for _, w := range walkers {
		for _, g := range w.generated {
			if file := whole[g.path]; file != nil && (len(file.found) > 0 || file.off[""]) {
				of := all.in(g.configMap, w.pos.File)
				of.found, of.off = append(of.found, file.found...), of.off || file.off[""]
			}
		}
	}
	return all
}

// in returns the source of a ConfigMap in a file, after adding it if there is none.
func (all sources) in(configMap, file string) *source {
	for _, s := range all[configMap] {
		if s.file == file {
			return s
		}
	}
	s := &source{file: file}
	all[configMap] = append(all[configMap], s)
	return s
}

// named returns the sources of a ConfigMap, namespace/name, or else those whose files leave the namespace out.
func (all sources) named(configMap string) []*source {
	if found := all[configMap]; found != nil {
		return found
	}
	_, name, _ := strings.Cut(configMap, "/")
	return all["/"+name]
}

// nearest returns the one source that is nearest to a file: the one in it, or else the only one in its folder, or else the
// only one. It is nil where there is none, or where nobody can tell.
func (all sources) nearest(configMap, file string) *source {
	found := all.named(configMap)
	for _, near := range []func(s *source) bool{
		func(s *source) bool { return s.file == file },
		func(s *source) bool { return file != "-" && filepath.Dir(s.file) == filepath.Dir(file) },
		func(*source) bool { return true },
	} {
		switch at := slices.IndexFunc(found, near); {
		case at < 0:
		case slices.ContainsFunc(found[at+1:], near):
			return nil
		default:
			return found[at]
		}
	}
	return nil
}

// choose sets c.config to the one candidate in the ConfigMaps that a container of the file mounts: to nil where there are
// none or several, since nobody can tell which the program reads. It sets c.off if one of them turns leader election off.
func (all sources) choose(c *candidate, file string) {
	var found []*candidate
	for _, configMap := range c.mounts {
		if s := all.nearest(configMap, file); s != nil {
			found = append(found, s.found...)
			s.claimed = true
			c.off = c.off || s.off
		}
	}
	if len(found) == 1 {
		c.config = found[0]
	}
}

// doubt sets c.others to the files in which a ConfigMap that a container of the file mounts is too, if the container's own
// settings leave timings open and nothing says that those files are about another container.
func (all sources) doubt(c *candidate, file string) {
	if len(c.mounts) == 0 || c.setsAll() {
		return
	}
	for _, configMap := range c.mounts {
		chosen := all.nearest(configMap, file)
		for _, s := range all.named(configMap) {
			if other := phrase.OneLine(s.file); s != chosen && (chosen == nil || !s.claimed) && !slices.Contains(c.others, other) {
				c.others = append(c.others, other)
			}
		}
	}
}
