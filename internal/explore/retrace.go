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

// retrace makes the world of a state again. It takes the choices that led there first.
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

// back forgets the visited states that are not before a state on its path, and lists what remains of that path. States
// have greater numbers than those before them.
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

// again takes a choice in the state that was visited last; where none was visited it begins with a start.
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
