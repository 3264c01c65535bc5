// Package report prints what package analysis found: as tables, as a page for a browser, and in
// the formats of other tools.
//
// # The page
//
// `opari report --format=html` writes one file (page.go): a style sheet, one script made of
// several files, the result as JSON, and the intervals of the threads (timeline.go) as base64 of
// a zlib stream of varints, some 3 bytes each. Its Content-Security-Policy allows that script and
// that style by their hashes and nothing else. So no name in a trace can become code, and nothing
// is fetched.
//
//   - model.js has the three dimensions and the selection. Views listen to it: trees.js,
//     findings.js, source.js, flame.js, timeline.js.
//   - pixels.js keeps, for every eighth interval of a thread, the time of each state before it.
//     So the time to divide a column of pixels among the states does not depend on the number of
//     intervals in it, and the parts are exact.
//   - More than 2^20 intervals are summed up while they are read, in bounded memory: intervals of
//     one thread, path and state in one cell of time become one. Cells grow until there is room,
//     and the page says so.
package report
