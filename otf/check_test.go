package otf

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckRepeats checks that what is right once is not taken for right elsewhere: tokens in other
// fields and of other records, processes of other streams, and calls of processes that take turns.
func TestCheckRepeats(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	writeFiles(t, stub, map[string]string{
		"otf": "1:1,2\n2:3\n",
		"0.def": "DP1NM\"a\"\nDP2NM\"b\"\nDP3NM\"c\"\nDFG1NM\"g\"\nDF7G1NM\"f\"\nDF1000G1NM\"h\"\n" +
			"DCG1NM\"cg\"\nDCNT9G1NM\"c\"P0U\"u\"\n",
		"1.events": strings.Join([]string{
			"10", "*1", "E7", "*2", "E7", "*1", "E1000", "*2", "L7", "20", "*1", "L1000", "L7",
			"E9", "E9", // a counter's token is no function
			"CNT7V1", "CNT9V1", "CNT9V2", // and the other way round
			"E2000", "L2000", "L9", "L9", "*2", "L7", "*3", "E7", "",
		}, "\n"),
		"2.events": "10\n*3\nE7\nL7\n*1\n",
	})
	const want = `true t.1.events:14: byte 45: no definition of DefFunction 9
true t.1.events:16: byte 51: no definition of DefCounter 7
true t.1.events:19: byte 72: no definition of DefFunction 8192
false t.1.events:24: byte 93: process 2 leaves function 7 and is in none
false t.1.events:25: byte 96: process 3 belongs to stream 2
false t.2.events:5: byte 12: process 1 belongs to stream 1
`
	if got := strings.ReplaceAll(checkAll(t, stub), stub, "t"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
