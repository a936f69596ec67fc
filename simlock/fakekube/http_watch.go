package fakekube

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// body is the answer to a watch. It ends with the watch, with the request's context, and when it is closed.
type body struct {
	*io.PipeReader
	stream watch.Interface
}

// Close ends the watch and closes the body.
func (b *body) Close() error {
	b.stream.Stop()
	return b.PipeReader.Close()
}

// stream returns the HTTP response to a watch. Its body has a line with a JSON object for each event, until the watch or the
// request's context ends; the objects have the given form. A goroutine writes the lines.
func (h *reply) stream(f form, k *kind, stream watch.Interface) (*http.Response, error) {
	out, in := io.Pipe()
	b := &body{out, stream}
	stop := context.AfterFunc(h.request.Context(), func() {
		in.CloseWithError(context.Cause(h.request.Context())) // before the stream ends, which reads as an end of the answer
		stream.Stop()
	})
	go func() {
		defer stop()
		defer stream.Stop()
		lines := json.NewEncoder(in)
		for e := range stream.ResultChan() {
			if err := lines.Encode(struct {
				Type   watch.EventType `json:"type"`
				Object runtime.Object  `json:"object"`
			}{e.Type, f.shaped(k, e.Object)}); err != nil {
				return
			}
		}
		in.Close()
	}()
	return h.respond(http.StatusOK, b), nil
}
