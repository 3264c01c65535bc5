package parse

// ReadParts is Parts with parts of another size, for tests of the later stages.
var ReadParts = readParts
