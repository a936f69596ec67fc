package world

// calls notes in w.aliases that the process calls itself holder in a record, and returns the process's identity, which the trace
// has in place of holder. It returns "" if holder is "", and notes nothing if holder is the identity. The run fails if another
// candidate has that name. The caller holds w.mu.
func (p *process) calls(holder string) string {
	if holder == "" || holder == p.identity {
		return holder
	}
	w, id := p.node.world, p.node.plan.ID
	other, taken := w.aliases[holder]
	for _, n := range w.nodes {
		if n.process != nil && n.process.identity == holder {
			other, taken = n.process, true
		}
	}
	if taken && other.node != p.node {
		w.fail("candidates %s and %s both hold the lock as %q, so that each takes the other's lease for its own: want an "+
			"identity that differs, such as Candidate.Identity", other.node.plan.ID, id, holder)
	}
	w.aliases[holder] = p
	return p.identity
}

// known returns the identity of the process that calls itself holder in a record (w.aliases), or holder itself if no process
// does. The caller holds w.mu.
func (w *world) known(holder string) string {
	if p, ok := w.aliases[holder]; ok {
		return p.identity
	}
	return holder
}
