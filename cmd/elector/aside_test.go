package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestAside: all is written in order; what is too much for a reader that hangs is counted and told of once it reads again.
func TestAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read, write := io.Pipe()
		a := &aside{to: write}
		a.flush(time.Minute)
		assert.Zero(t, takes(func() { a.flush(time.Minute) }), "nothing was written")
		long := strings.Repeat("x", mostAside/2-1) + "\n"
		for _, text := range []string{"first\n", long, "dropped? no\n", "y" + long, "small\n"} {
			n, err := a.Write([]byte(text))
			assert.NoError(t, err)
			assert.Len(t, text, n)
		}
		assert.Equal(t, 2*time.Second, takes(func() { a.flush(2 * time.Second) }), "nobody reads")
		var got bytes.Buffer
		go func() { _, _ = io.Copy(&got, read) }()
		assert.Zero(t, takes(func() { a.flush(time.Minute) }))
		synctest.Wait()
		want := "first\n" + long + "dropped? no\nsmall\n" +
			"elector: messages that were dropped, since nobody has read standard error: 1\n"
		assert.Equal(t, len(want), got.Len())
		assert.True(t, want == got.String())
		write.Close()
	})
}

// takes returns how much time passes while do runs.
func takes(do func()) time.Duration {
	since := time.Now()
	do()
	return time.Since(since)
}
