package results

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseShard parses I/N, the shard I of N, with I from 0 to N-1; both are 0 for "". Anything else is an error.
func ParseShard(text string) (i, n uint64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	before, after, _ := strings.Cut(text, "/")
	i, errI := strconv.ParseUint(before, 10, 32)
	n, errN := strconv.ParseUint(after, 10, 32)
	if errI != nil || errN != nil || i >= n {
		return 0, 0, fmt.Errorf("--shard %q: want I/N with I from 0 to N-1, such as 0/4", text)
	}
	return i, n, nil
}

// mostMissing is how many missing shards an error names.
const mostMissing = 10

// Order returns the parts in the order of their shards. of returns the name of a part's file, and its shard, which must be
// below shards. It is an error if a shard is there twice, or if one of the shards from 0 to below shards is missing.
func Order[P any](parts []P, shards uint64, of func(P) (name string, shard uint64)) ([]P, error) {
	byShard := map[uint64]P{}
	var problems []string
	for _, p := range parts {
		name, shard := of(p)
		if other, twice := byShard[shard]; twice {
			first, _ := of(other)
			problems = append(problems, fmt.Sprintf("%s and %s are both shard %d/%d", first, name, shard, shards))
		}
		byShard[shard] = p
	}
	if missing := shards - uint64(len(byShard)); missing > 0 {
		var names []string
		for i := uint64(0); i < shards && len(names) < mostMissing; i++ {
			if _, ok := byShard[i]; !ok {
				names = append(names, fmt.Sprintf("%d/%d", i, shards))
			}
		}
		text := "missing: shard " + strings.Join(names, ", ")
		if missing > mostMissing {
			text += fmt.Sprintf(" and %d more", missing-mostMissing)
		}
		problems = append(problems, text)
	}
	if len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "\n"))
	}
	order := make([]P, len(parts))
	for i := range order {
		order[i] = byShard[uint64(i)]
	}
	return order, nil
}
