package verify

// VerifyTree does what Tree does and tells what was compared.
var VerifyTree = verifyTree
