// Package adversary attacks what package bound claims. It knows only the words of the claim: what can happen to a request, a
// process and a clock in an environment. It shares none of the derivation's beliefs about how two leaders come about: it draws
// all that the words allow, and climbs on the overlap that a run shows. Only seeds_test.go knows more: it begins with the worst case
// that was derived, which shows whether a bound is reached.
//
// Words of this package: a plan is a Genome, and its parts are what each candidate meets. A candidate's life has phases, and a
// step is a request by its number in a phase (step_test.go). A fate is what becomes of a request. The climber is the search: it
// changes plans, runs them in a world, and keeps better ones. An island is a plan that it changes for the better; a goal says
// which plan is better. A gene is a time or a draw in a plan that can be moved by any amount.
package adversary
