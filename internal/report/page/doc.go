// Package page writes a result, or a study, as one file for a browser.
//
// The file (document.go) contains a style sheet, one script made of several files of the folder
// browser, the result as JSON, and the threads' intervals (timeline.go). The intervals are base64
// of a zlib stream of varints, some 3 bytes each. The page's Content-Security-Policy allows that
// script and that style by their hashes and nothing else. So no name in a trace can become code,
// and the page fetches nothing.
//
//   - model.js has the three dimensions and the selection. The views listen to it: trees.js,
//     findings.js, samples.js, source.js, flame.js, timeline.js.
//   - basics.js has what the page of `opari scale` (scale.go) shares with this one; that page's own
//     files are plot.js and scale.js.
//   - pixels.js keeps, for every eighth interval of a thread, the time of each state before it.
//     So it divides a column of pixels among the states exactly, in a time that does not depend
//     on the number of intervals in the column.
//   - timeline.go merges intervals while it reads them if there are more than 2^20, so memory is
//     bounded. Intervals of one thread, path and state in one cell of time become one. Cells grow
//     until there is room, and the page says so.
package page
