package calibrate

// askers are the clients that sent requests, and the locks about which they sent them. The zero value has none.
type askers struct {
	// index has for each client its index in locks, which has the names of its locks; all has those of all clients.
	index map[string]int32
	locks []map[string]bool
	all   map[string]bool
}

// add adds a client that has asked for a lock, and returns its index.
func (a *askers) add(client, lock string) int32 {
	i, known := a.index[client]
	if !known {
		if a.index == nil {
			a.index, a.all = map[string]int32{}, map[string]bool{}
		}
		i = int32(len(a.locks))
		a.index[client] = i
		a.locks = append(a.locks, map[string]bool{})
	}
	a.locks[i][lock], a.all[lock] = true, true
	return i
}
