package explore

// retracer makes worlds again. It keeps the worlds on the path to the last one, since the next path often begins with
// most of them.
type retracer struct {
	// visited are the first states of a path, and todo the numbers of the others, the last first.
	visited []visit
	todo    []number
}

// visit is a state on a path. Its world has gone on for as long as there was only one choice.
type visit struct {
	number number
	world  *world
}

// remaining is how many faults there may be after any state of a path, or more of them, which makes no difference: a
// fault follows in all of them, since it is the states of the next layer that lose their worlds.
const remaining = 1

// retrace makes the world of the state n again, and returns it. It takes the choices by which that state first came about.
// k.visited then has the states before n.
func (k *worker) retrace(n number) *world {
	k.back(n)
	for {
		last := len(k.todo) - 1
		n = k.todo[last]
		k.todo = k.todo[:last]
		w := k.again(k.paths.origin(n).choice)
		if last == 0 {
			return w
		}
		k.forced(w, remaining)
		k.visited = append(k.visited, visit{n, w})
	}
}

// back keeps only those of the visited states that are on the path to the state n, and stores what remains of that
// path in k.todo. States have greater numbers than those before them.
func (k *worker) back(n number) {
	k.todo = append(k.todo[:0], n)
	for {
		n = k.paths.origin(n).before
		kept := len(k.visited)
		for kept > 0 && k.visited[kept-1].number > n {
			kept--
		}
		clear(k.visited[kept:])
		k.visited = k.visited[:kept]
		if n == 0 || kept > 0 && k.visited[kept-1].number == n {
			return
		}
		k.todo = append(k.todo, n)
	}
}

// again takes the choice with that index in a copy of the state that was visited last, and returns the world to which it leads.
// Where none was visited it returns the start with that index.
func (k *worker) again(index uint32) *world {
	last := len(k.visited) - 1
	if last < 0 {
		w := newWorld(k.cfg, &k.starts[index])
		w.scratch = &k.scratch
		return w
	}
	w := k.visited[last].world.clone()
	w.take(&k.choices(w, remaining)[index])
	return w
}
