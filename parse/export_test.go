package parse

// ReadParts is Parts with parts of another size, for tests of all that comes behind.
var ReadParts = readParts
