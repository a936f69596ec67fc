// Package counting stands for a package of a program under test that adds a handler of errors to the library's. By its name it is initialized
// before the kit's own packages.
package counting

import (
	"context"
	"sync/atomic"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// Errors counts the errors that the handler has seen.
var Errors atomic.Int32

// init adds the handler that counts to the library's handlers of errors.
func init() {
	utilruntime.ErrorHandlers = append(utilruntime.ErrorHandlers, func(context.Context, error, string, ...any) { Errors.Add(1) })
}
