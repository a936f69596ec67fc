package main

import (
	"io"
	"log/slog"
)

func levelOf(text string) (level slog.Level, err error) {
	err = level.UnmarshalText([]byte(text))
	return level, err
}

// newLogger logs JSON, a line each. The level is valid.
func newLogger(to io.Writer, text string) *slog.Logger {
	level, _ := levelOf(text)
	return slog.New(slog.NewJSONHandler(to, &slog.HandlerOptions{Level: level}))
}
