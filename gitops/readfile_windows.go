package gitops

// noWait: no file of git's can be a FIFO here.
const noWait = 0
