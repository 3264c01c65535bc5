package omp

//go:generate go run ./gen -root ../..
