package terminal

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// TellEvery is the time between two lines of progress, which replace the bar if there is no terminal. It is a variable for tests, in
// which nothing may depend on how fast the machine is.
var TellEvery = 10 * time.Second

// Bar returns a progress bar on w that is full when it is set to most; -1 is a bar without an end. It returns nil if w is not a
// terminal.
func Bar(w io.Writer, most int64, more ...progressbar.Option) *progressbar.ProgressBar {
	if _, isTerminal := fileOf(w); !isTerminal {
		return nil
	}
	return progressbar.NewOptions64(most, append(more, progressbar.OptionSetWriter(w),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())...)
}
