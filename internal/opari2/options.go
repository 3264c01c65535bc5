package opari2

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"opari/descriptors"
	"opari/internal/instrument"
)

// Options are those of one call of opari2.
type Options struct {
	instrument.Options
	Preprocessed  bool
	Tpd           bool   // threads of a team inherit pomp_tpd
	Mangling      string // of pomp_tpd: the compiler whose names it has; "": GNU's
	In, Out       string // Out is "" for the default
	Help, Version bool
}

// Parse reads the arguments of opari2. It writes warnings to w.
func Parse(args []string, w io.Writer) (*Options, error) {
	p := parser{w: w, o: &Options{}}
	p.o.OnError, p.o.Verify, p.o.ParallelBarrier = instrument.Fail, "auto", instrument.Explicit
	p.o.Untied, p.o.Keys = descriptors.RemoveWarn, true
	var files []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-rcfile" || a == "-table": // their values are arguments of their own
			p.warn("option %q is deprecated and ignored", a)
			i++
		case a == "-disable":
			return nil, errors.New("-disable is of OPARI 1; say --disable=paradigm[:directive,...]")
		case len(a) > 1 && a[0] == '-':
			if err := p.option(p.modern(a)); err != nil {
				return nil, err
			}
		default:
			files = append(files, a)
		}
	}
	o := p.o
	switch {
	case o.Help || o.Version:
		return o, nil
	case len(files) == 0:
		return nil, errors.New("no file to instrument")
	case len(files) > 2:
		return nil, fmt.Errorf("%d file names: opari2 takes an input file and an output file",
			len(files))
	case slices.Contains(files, ""):
		return nil, errors.New("a file name is empty")
	}
	o.In = files[0]
	if len(files) == 2 {
		o.Out = files[1]
	}
	return o, nil
}

type parser struct {
	w io.Writer
	o *Options
}

func (p *parser) warn(format string, args ...any) {
	fmt.Fprintf(p.w, "opari2: warning: "+format+"\n", args...)
}

// older has the options that OPARI2 renamed.
var older = map[string]string{
	"-f77": "--f77", "-f90": "--f90", "-c": "--c", "-c++": "--c++", "-nosrc": "--nosrc",
	"-free-form": "--free-form", "-fix-form": "--fix-form",
	"--tpd": "--omp-tpd", "--tpd-mangling": "--omp-tpd-mangling",
	"--nodecl": "--omp-nodecl", "--task": "--omp-task", "--untied": "--omp-task-untied",
}

// modern returns the option by its present name.
func (p *parser) modern(a string) string {
	name, value, _ := strings.Cut(a, "=")
	now, ok := older[name]
	if !ok {
		return a
	}
	p.warn("option %q is deprecated; it is %q now", name, now)
	return now + a[len(a)-len(value)-min(1, len(a)-len(name)):]
}

func (p *parser) option(a string) error {
	o := p.o
	name, value, _ := strings.Cut(a, "=")
	switch name {
	case "--f77":
		o.Lang, o.Form = "fortran", keep(o.Form, "fixed")
	case "--f90":
		o.Lang, o.Form = "fortran", keep(o.Form, "free")
	case "--c", "--c++":
		o.Lang = name[2:]
	case "--free-form":
		o.Form = "free"
	case "--fix-form":
		o.Form = "fixed"
	case "--nosrc":
		o.NoSource = true
	case "--preprocessed":
		o.Preprocessed = true
	case "--disable":
		return o.disable(value)
	case "--omp-nodecl": // there are no macros that it could leave out
	case "--omp-tpd":
		o.Tpd = true
	case "--omp-tpd-mangling":
		o.Mangling = value
		return oneOf(name, value, "gnu", "intel", "sun", "pgi", "ibm", "cray")
	case "--omp-task":
		o.Tasks = map[string]descriptors.Treatment{
			"abort": descriptors.Refuse, "warn": descriptors.Warn, "remove": descriptors.Remove,
		}[value]
		return oneOf(name, value, "abort", "warn", "remove")
	case "--omp-task-untied":
		switch value {
		case "abort":
			o.Untied = descriptors.Refuse
		case "keep":
			o.Untied = descriptors.Keep
		case "no-warn":
			if o.Untied == descriptors.RemoveWarn { // EZTrace says keep, too
				o.Untied = descriptors.Remove
			}
		}
		return oneOf(name, value, "abort", "keep", "no-warn")
	case "--version":
		o.Version = true
	case "--help":
		o.Help = true
	default:
		p.warn("there is no option %q; it is ignored, as OPARI2 ignores it", a)
	}
	return nil
}

// keep returns old unless it is empty: a form that an earlier option has chosen stays.
func keep(old, value string) string {
	if old != "" {
		return old
	}
	return value
}

func oneOf(name, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return fmt.Errorf("unknown value %q for %s; it must be one of %s", value, name,
		strings.Join(words, ", "))
}
