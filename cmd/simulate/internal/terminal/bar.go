package terminal

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// TellEvery is how long passes between two lines that tell how far it is, where there is no bar.
const TellEvery = 10 * time.Second

// Bar is a progress bar that is full at most, or has no end for -1. It is nil where a writer is no terminal.
func Bar(w io.Writer, most int64, more ...progressbar.Option) *progressbar.ProgressBar {
	if _, isTerminal := fileOf(w); !isTerminal {
		return nil
	}
	return progressbar.NewOptions64(most, append(more, progressbar.OptionSetWriter(w),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())...)
}
