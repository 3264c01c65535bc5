// Package polling finds threads that look again and again whether something has happened.
package polling
