// Package build knows the version and the commit of this opari.
package build
