package verify

// VerifyTree does what Tree does, and returns what it compared.
var VerifyTree = verifyTree
