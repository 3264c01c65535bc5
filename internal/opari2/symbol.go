package opari2

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"opari/internal/omp"
	"opari/internal/pattern"
)

// Build scripts find the units of a program by nm: a unit defines POMP2_Init_reg_ID_N, where N is
// the number of its constructs, and POMP2_USER_Init_reg_ID_N for its user regions.

// own begins the ID of a unit that opari has instrumented. OPARI2's own IDs have 13 characters.
const own = "opari"

// tpd and tpd_ follow own where the unit's threads inherit pomp_tpd, by this name or with an
// underscore. No hash begins like that.
const (
	tpdPlain      = "tpd0"
	tpdUnderscore = "tpd1"
)

// What follows is a letter and the hash. The letter says whether the text names lock routines of
// which the library shall hear. In Fortran, the initialization file has to define these.
const (
	withLocks    = "l"
	withoutLocks = "x"
)

// lockRoutine matches the name of one in lower case.
var lockRoutine = pattern.Lazy{Text: `omp_(init|set|test)_(nest_)?lock`}

// Identify returns the ID of a unit. It is unique, because a script may compile one text twice for
// one program. So it also depends on the time, unless SOURCE_DATE_EPOCH asks for a reproducible
// result.
func (o *Options) Identify(in, out string, text []byte, underscore bool) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q%q", in, out)
	_, _ = h.Write(text)
	if os.Getenv("SOURCE_DATE_EPOCH") == "" {
		fmt.Fprint(h, time.Now().UnixNano(), os.Getpid())
	}
	sum := h.Sum(nil)
	hash := strconv.FormatUint(binary.LittleEndian.Uint64(sum), 36)
	id := own
	switch {
	case o.Tpd && underscore:
		id += tpdUnderscore
	case o.Tpd:
		id += tpdPlain
	}
	if o.namesLocks(text) {
		id += withLocks
	} else {
		id += withoutLocks
	}
	return id + fmt.Sprintf("%012s", hash[:min(12, len(hash))])
}

// namesLocks reports whether the file is in Fortran and names lock routines that are not disabled.
func (o *Options) namesLocks(text []byte) bool {
	lang, _ := o.FindLanguage()
	if lang != omp.Fortran || slices.Contains(o.Disable, locks) {
		return false
	}
	lower := bytes.ToLower(text) // the pattern alone would take a fifth of all time
	return bytes.Contains(lower, []byte("lock")) && lockRoutine.Get().Match(lower)
}

// Underscore reports whether the name of pomp_tpd ends in an underscore. Fortran is assumed to
// append one, as GNU's does.
func (o *Options) Underscore(isFortran bool) bool {
	return o.Mangling != "" && o.Mangling != "ibm" || o.Mangling == "" && isFortran
}

// Symbols returns the names by which scripts find a unit.
func Symbols(id string) func(constructs, users int) []string {
	return func(constructs, users int) []string {
		var names []string
		if constructs > 0 {
			names = append(names, "POMP2_Init_reg_"+id+"_"+strconv.Itoa(constructs))
		}
		if users > 0 {
			names = append(names, "POMP2_USER_Init_reg_"+id+"_"+strconv.Itoa(users))
		}
		return names
	}
}

// A Unit is an object's symbol for the initialization of its regions.
type Unit struct {
	Symbol  string // a function without parameters
	User    bool   // it is about user regions
	Regions int
	Own     bool   // opari has instrumented the unit; else OPARI2 has
	Tpd     string // the name of pomp_tpd, if the unit's threads inherit it
	Locks   bool   // it is in Fortran, and the library shall hear of its lock routines
}

// unitSymbol matches a line of nm about such a symbol. Compilers for Fortran change the letters'
// case and append underscores.
var unitSymbol = pattern.Lazy{Text: ` [TDA] \.?(?i:(_*POMP2_(USER_)?Init_reg_([0-9a-z]+)_` +
	`([1-9][0-9]*)_*)\s*)$`}

// inFortran reports whether a symbol is that of a unit in Fortran, which has not kept its case.
func inFortran(symbol string) bool {
	return !strings.HasPrefix(symbol, "POMP2_Init") && !strings.HasPrefix(symbol, "POMP2_USER_Init")
}

// Units returns the units of a program from the output of nm, each once.
func Units(nm string) []Unit {
	var units []Unit
	seen := map[string]bool{}
	ownLocks := true // units that OPARI2 has instrumented call the library's lock routines
	for line := range strings.Lines(nm) {
		m := unitSymbol.Get().FindStringSubmatch(line)
		if m == nil || seen[m[1]] || strings.Contains(line, ".ITC.") {
			continue
		}
		seen[m[1]] = true
		n, err := strconv.Atoi(m[4])
		if err != nil {
			continue
		}
		u := Unit{Symbol: m[1], User: m[2] != "", Regions: n}
		if rest, is := strings.CutPrefix(strings.ToLower(m[3]), own); is {
			u.Own = true
			if after, is := strings.CutPrefix(rest, tpdPlain); is {
				u.Tpd, rest = "pomp_tpd", after
			} else if after, is := strings.CutPrefix(rest, tpdUnderscore); is {
				u.Tpd, rest = "pomp_tpd_", after
			}
			u.Locks = inFortran(m[1]) && strings.HasPrefix(rest, withLocks)
		} else if inFortran(m[1]) {
			ownLocks = false
		}
		units = append(units, u)
	}
	for i := range units {
		units[i].Locks = units[i].Locks && ownLocks
	}
	return units
}
