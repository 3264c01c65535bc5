package commandline

import "strings"

// An effect is what an option changes in the command or in its own argument.
type effect uint8

const (
	noEffect             effect = iota
	namesOutput                 // -o
	setsMode                    // -c, -S
	passesToPreprocessor        // -Xpreprocessor: Apple's way to start OpenMP
	mayNameDependencies         // -Wp,-MD,FILE
	spoilsPreprocessing         // the preprocessed text would lack line markers or contain macros
	wantsDependencies
	namesDependencies
	namesTarget
	namesLibrary
	linksShared
	linksStatic
	linksPartly
	linksNoLibraries
	describesCommand
	savesTemps
	choosesMachine
	startsOpenMP
	stopsOpenMP
	choosesStandard
	choosesOptimization
	choosesDump
	optimizesInLink
	sanitizes
	readsComments
	warnsOfExtensions
	warnsOfNothing
	warnsOfAll
	warnsOfIndentation
	makesErrors
	choosesColor
	mayNameReport
	readsByOutputName // an input or output gets its name from the output's
	writesMore        // in a link, it writes files beside that of -o
	namesModuleFolder
	choosesPreprocessing
	choosesForm
	choosesLineLength
	readsDebugLines
	choosesUnderscore
)

// apply changes the command according to the option of a. If options contradict each other, the
// last one counts.
func (c *Command) apply(e effect, a *Argument) {
	switch e {
	case namesOutput:
		c.Output = a.Value
	case setsMode:
		if c.mode != "-S" {
			c.mode = a.Name
		}
	case choosesMachine:
		c.Machine = append(c.Machine, a.Words[0])
	case startsOpenMP, stopsOpenMP:
		c.OpenMP = e == startsOpenMP
	case passesToPreprocessor:
		if strings.HasPrefix(a.Value, "-fopenmp") && a.Value != "-fopenmp-simd" {
			a.Kind = Other
			c.OpenMP = true
		}
	case choosesStandard:
		c.Standard = a.Words[0]
	case choosesOptimization:
		c.Optimizes = a.Value != "0"
	case sanitizes:
		c.Sanitizes = true
	case optimizesInLink:
		c.OptimizesInLink = true
	case savesTemps:
		if a.Value == "" || a.Value == "cwd" {
			c.SavesTemps = "cwd"
		} else if a.Value == "obj" {
			c.SavesTemps = "obj"
		}
	case describesCommand:
		c.describesItself = true
	case spoilsPreprocessing:
		a.notPreprocessing = true
	case choosesDump: // -dM and the like mean something else with -E
		a.notPreprocessing = len(a.Words[0]) == 3
	case readsByOutputName:
		c.readsByOutputName = true
	case writesMore:
		a.writesMore = true
	case mayNameReport:
		a.namesFile = strings.Contains(a.Value, "=")
	case mayNameDependencies:
		a.namesFile = strings.Contains(a.Words[0], ",-M")
	}
	c.applyDependencies(e, a)
	c.applyLink(e, a)
	c.applyMessages(e, a)
	c.Fortran.apply(e, a)
}

// applyDependencies is apply for the options about dependencies.
func (c *Command) applyDependencies(e effect, a *Argument) {
	switch e {
	case wantsDependencies:
		c.deps.wanted = true
	case namesDependencies:
		c.deps.named = true
		c.deps.onStdout = a.Value == "-" || a.Value == "/dev/stdout"
	case namesTarget:
		c.deps.targetNamed = true
	}
}

// applyLink is apply for the linker's options.
func (c *Command) applyLink(e effect, a *Argument) {
	switch e {
	case linksShared:
		c.Shared = true
	case linksStatic:
		c.Static = true
	case linksPartly:
		c.Partial = true
	case linksNoLibraries:
		c.NoLibraries = true
	case namesLibrary:
		switch a.Value {
		case "gomp", "omp", "iomp5", ":libgomp.so.1", ":libgomp.a":
			c.LinksRuntime = true
		}
	}
}

// applyMessages is apply for the options about warnings.
func (c *Command) applyMessages(e effect, a *Argument) {
	w := &c.warnings
	switch e {
	case readsComments:
		c.readsComments = true
	case warnsOfExtensions:
		c.WarnsOfExtensions = true
	case choosesColor:
		c.ChoosesColor = true
	case warnsOfNothing:
		w.none = true
	case warnsOfAll:
		w.all = a.Name == "-Wall"
	case warnsOfIndentation:
		w.indentation, w.noIndentation = a.Name == "-Wmisleading-indentation",
			a.Name != "-Wmisleading-indentation"
	case makesErrors:
		c.WarningsAreErrors = true
		if a.Value == "misleading-indentation" {
			w.indentation, w.noIndentation = true, false
		}
	}
}

// warnings are the requested warnings that depend on the layout of the source.
type warnings struct {
	none, all                  bool // -w, -Wall
	indentation, noIndentation bool // the last option about misleading indentation
}

// WarnsOfIndentation reports whether the command asks for -Wmisleading-indentation, which is part
// of -Wall.
func (c *Command) WarnsOfIndentation() bool {
	w := &c.warnings
	return !w.none && !w.noIndentation && (w.all || w.indentation)
}
