// Package sharing finds false sharing in samples of accesses to data.
package sharing
