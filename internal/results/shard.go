package results

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseShard parses I/N, the shard I of N, I from 0; both are 0 for "".
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

// Part is the file of one shard.
type Part struct {
	Name  string
	Shard uint64
}

// mostMissing is how many missing shards an error names.
const mostMissing = 10

// Order returns which of the parts is each shard, of which there must be so many. It is an error where a shard is there twice or is
// missing.
func Order(parts []Part, shards uint64) ([]int, error) {
	byShard := map[uint64]int{}
	var problems []string
	for i, p := range parts {
		if k, twice := byShard[p.Shard]; twice {
			problems = append(problems, fmt.Sprintf("%s and %s are both shard %d/%d", parts[k].Name, p.Name, p.Shard, shards))
		}
		byShard[p.Shard] = i
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
	order := make([]int, len(parts))
	for i := range order {
		order[i] = byShard[uint64(i)]
	}
	return order, nil
}
