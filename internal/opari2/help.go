package opari2

// Help is the text of opari2 --help.
const Help = `opari2

Usage: opari2 [OPTION] ... infile [outfile]

This is opari in OPARI2's place. It takes OPARI2's options:

[--f77|--f90|--c|--c++]
  The language, if the suffix of infile does not show it.

[--free-form] [--fix-form]
  The form of a Fortran file, if the suffix does not show it.

[--nosrc]
  Write no #line directives.

[--disable=paradigm[:directive|group[:inner],...][+paradigm...]
  Leave out pomp, which are user regions, or parts of omp:
  - omp alone leaves parallel regions: fork, begin, end and join.
  - omp:all leaves the same of combined directives, such as parallel for.
  - omp:LIST leaves out the directives in LIST, by the names of their regions:
    for, parallelfor. barrier has those at the end of parallel, too. The group
    sync is atomic, critical, master, flush, single, ordered, task, taskwait and
    locks.

[--preprocessed]
  The file is preprocessed. The marker ___POMP2_INCLUDE___ is removed.

[--omp-nodecl]
  Without effect: there are no POMP2_DLIST macros.

[--omp-tpd] [--omp-tpd-mangling=gnu|intel|sun|pgi|ibm|cray]
  The threads of a team get the value that pomp_tpd has in the thread that
  creates the team. The library defines pomp_tpd, by that compiler's name.

[--omp-task=abort|warn|remove]
  Refuse task directives, warn of them, or remove them.

[--omp-task-untied=abort|keep|no-warn]
  By default untied tasks become tied, with a warning. Refuse them, keep them
  untied, or do not warn.

[--version] [--help]

infile
  The file to instrument.

[outfile]
  Default: infile.mod.suffix for infile.suffix.
`
