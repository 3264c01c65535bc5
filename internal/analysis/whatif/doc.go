// Package whatif reads changes of a program whose effect is to be predicted.
package whatif
