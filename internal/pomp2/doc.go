// Package pomp2 writes the initialization file that a program with a measurement library for
// OPARI2 is linked with.
//
// Such a library defines the calls of POMP2 and asks the program for its regions by
// POMP2_Init_regions, which OPARI2's scripts write. InitFile writes that file for units that opari
// has instrumented. It holds the C code of src, which defines what units call (pomp_lib.h) by calls
// of POMP2, and the names of the units' symbols:
//
//	unit := pomp2.Unit{Symbol: "POMP2_Init_reg_oparix1_4", Regions: 4, Own: true}
//	err := pomp2.InitFile(os.Stdout, []pomp2.Unit{unit})
//
// docs/reference/pomp2.md says what becomes of each construct.
package pomp2
