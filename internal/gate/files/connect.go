package files

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"interregnum/internal/phrase"
)

// source is what one file says of leader election in one ConfigMap, as a file has it or as a kustomization makes it.
type source struct {
	// namespace is "" where the file leaves it out.
	file, namespace string
	found           []*candidate
	// off tells that leader election is turned off in it; claimed, that it is what a container mounts. inPod tells that a pod has it as a volume,
	// and read that a container perhaps reads it there.
	off, claimed, inPod, read bool
}

// sources has all sources by the name of their ConfigMap, in the order of the files.
type sources map[string][]*source

// connect finds out, for each container in the files, which configuration it mounts, and sets its config, off, assumed, present and
// others. It sets taken of each candidate that is judged with a container, and of a configuration whose container turns leader election off. A configuration whose program is nil gets the program
// of the container that mounts it, if that has no settings of its own.
func connect(files []*findings) {
	all := sourcesIn(files)
	used := map[string]bool{}
	for _, f := range files {
		maps.Copy(used, f.used)
	}
	for _, f := range files {
		for _, c := range f.idle {
			if all.choose(c, f.file); c.config != nil {
				c.config.taken = true
			}
		}
	}
	for _, f := range files {
		for _, c := range f.readers {
			if all.choose(c, f.file); c.config != nil {
				c.config.program, c.config.taken = cmp.Or(c.config.program, c.program), false
			}
		}
		for _, c := range f.found {
			if all.choose(c, f.file); c.config != nil {
				c.config.taken = true
			}
			c.taken = c.taken || c.data != "" && used[c.data]
		}
	}
	all.bypassed(files)
	here := map[string]bool{}
	for _, f := range files {
		for _, configMap := range f.configMaps {
			here[configMap] = true
		}
	}
	for _, f := range files {
		for _, c := range f.found {
			c.present = slices.ContainsFunc(c.mounts, func(configMap string) bool { return here[configMap] })
			all.doubt(c, f.file)
		}
	}
}

// bypassed adds a condition to each configuration that pods have as a volume, and that no container of theirs reads: an init container makes
// something else of it, or something else is mounted over it.
func (all sources) bypassed(files []*findings) {
	for _, f := range files {
		for _, m := range f.mounts {
			if s := all.nearest(m.configMap, f.file); s != nil {
				s.inPod, s.read = true, s.read || m.read
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, s := range all[name] {
			if !s.inPod || s.read {
				continue
			}
			for _, c := range s.found {
				c.provide("a program reads the ConfigMap as it is, which no container here does")
			}
		}
	}
}

// sourcesIn returns the sources of all ConfigMaps in the files that have a candidate or turn leader election off, and of those that
// kustomizations make of files with such content.
func sourcesIn(files []*findings) sources {
	all := sources{}
	whole := map[string]*findings{}
	for _, f := range files {
		whole[filepath.Clean(f.file)] = f
		for _, c := range f.found {
			if c.configMap != "" && !c.isBeside() {
				of := all.in(c.configMap, f.file)
				of.found = append(of.found, c)
			}
		}
		for _, configMap := range slices.Sorted(maps.Keys(f.off)) {
			if configMap != "" {
				all.in(configMap, f.file).off = true
			}
		}
	}
	for _, f := range files {
		for _, g := range f.generated {
			if file := whole[g.path]; file != nil && (len(file.found) > 0 || file.off[""]) {
				of := all.in(g.configMap, f.file)
				of.found, of.off = append(of.found, file.found...), of.off || file.off[""]
			}
		}
	}
	return all
}

// in returns the source of a ConfigMap, namespace/name, in a file. If all has none yet, it adds an empty one.
func (all sources) in(configMap, file string) *source {
	namespace, name, _ := strings.Cut(configMap, "/")
	for _, s := range all[name] {
		if s.file == file && s.namespace == namespace {
			return s
		}
	}
	s := &source{file: file, namespace: namespace}
	all[name] = append(all[name], s)
	return s
}

// named returns the sources that a container perhaps means by a ConfigMap, namespace/name. They have that name, and the same
// namespace or, on either side, none: kubectl apply -n and a kustomization's namespace can put both into one.
func (all sources) named(configMap string) []*source {
	namespace, name, _ := strings.Cut(configMap, "/")
	var found []*source
	for _, s := range all[name] {
		if s.namespace == namespace || s.namespace == "" || namespace == "" {
			found = append(found, s)
		}
	}
	return found
}

// nearest returns the source of a ConfigMap that is nearest to a file: in that file, or else in its folder, or else anywhere. If
// several are equally near, it returns the only one that has the same namespace. It returns nil if there is none, or if nobody
// can tell which.
func (all sources) nearest(configMap, file string) *source {
	namespace, _, _ := strings.Cut(configMap, "/")
	found := all.named(configMap)
	for _, far := range []func(s *source) bool{
		func(s *source) bool { return s.file != file },
		func(s *source) bool { return !beside(s.file, file) },
		func(*source) bool { return false },
	} {
		near := slices.DeleteFunc(slices.Clone(found), far)
		if len(near) > 1 {
			near = slices.DeleteFunc(near, func(s *source) bool { return s.namespace != namespace })
			if len(near) != 1 {
				return nil
			}
		}
		if len(near) == 1 {
			return near[0]
		}
	}
	return nil
}

// beside tells whether two files are in one folder. It is false if one of them is "-", which is stdin.
func beside(one, other string) bool {
	return one != "-" && other != "-" && filepath.Dir(one) == filepath.Dir(other)
}

// choose sets c.config to the one candidate in the ConfigMaps that the container c mounts; file is the container's. It leaves
// c.config if there are none or several, since nobody can tell which the program reads. It also sets c.off if one of the
// ConfigMaps turns leader election off, c.assumed if the container's namespace is assumed, and claimed of each source that the
// container mounts.
func (all sources) choose(c *candidate, file string) {
	var found []*candidate
	for _, configMap := range c.mounts {
		if s := all.nearest(configMap, file); s != nil {
			found = append(found, s.found...)
			s.claimed = true
			if strings.HasPrefix(configMap, "/") && s.namespace != "" && !beside(s.file, file) {
				c.assumed = phrase.OneLine(s.file)
			}
			c.off = c.off || s.off
		}
	}
	if len(found) == 1 {
		c.config = found[0]
	}
}

// doubt adds to c.others the other files that have a ConfigMap of the same name as one that the container c mounts, since that
// one perhaps counts. If it is known which c mounts, those that other containers claim are left out. It does nothing if c itself
// sets all three timings. file is the container's. choose must have run for all containers.
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
