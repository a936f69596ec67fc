package main

import (
	"io"
	"log/slog"
)

// levelOf returns the log level of that name; any other text is an error.
func levelOf(text string) (level slog.Level, err error) {
	err = level.UnmarshalText([]byte(text))
	return level, err
}

// newLogger returns a logger that writes JSON to a writer, one line each. text names the lowest level that it logs,
// and must be valid.
func newLogger(to io.Writer, text string) *slog.Logger {
	level, _ := levelOf(text)
	return slog.New(slog.NewJSONHandler(to, &slog.HandlerOptions{Level: level, ReplaceAttr: plainLevel}))
}

// plainLevel is a function for slog.HandlerOptions.ReplaceAttr. It replaces a record's level between two named ones, such as those
// of the libraries' V-levels, by the lower one: DEBUG, not DEBUG+2. A level below DEBUG becomes DEBUG. Other attributes it
// returns as they are.
func plainLevel(groups []string, a slog.Attr) slog.Attr {
	level, ok := a.Value.Any().(slog.Level)
	if !ok || len(groups) > 0 || a.Key != slog.LevelKey {
		return a
	}
	for _, plain := range []slog.Level{slog.LevelError, slog.LevelWarn, slog.LevelInfo} {
		if level >= plain {
			return slog.Any(a.Key, plain)
		}
	}
	return slog.Any(a.Key, slog.LevelDebug)
}
