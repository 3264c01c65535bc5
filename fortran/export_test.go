package fortran

// ReadParts is Parts with the size of a part.
var ReadParts = readParts
