package main

// kept is the ways in which a worker leaves its process group, and is found all the same.
var kept []string
