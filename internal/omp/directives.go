package omp

// Directives is the table of leaf directives, OpenMP 1.0 to 6.0. Versions are those of the C and
// C++ specification, and of the Fortran specification where only Fortran has the directive. A row
// lists the clauses of all versions, because a clause row has its own versions.
var Directives = []Directive{
	// Parallelism and teams.
	{
		Name: "parallel", Langs: All, Since: 10, Assoc: Block, End: EndRequired, Barrier: true,
		Rule: Fork, Event: "Parallel", Kind: 4,
		Clauses: "allocate copyin default firstprivate if message num_threads private " +
			"proc_bind reduction safesync severity shared",
	},
	{
		Name: "teams", Langs: All, Since: 40, Assoc: Block, End: EndRequired,
		Rule: HostOnly, Event: "Teams", Kind: 24,
		Clauses: "allocate default firstprivate if num_teams private reduction shared " +
			"thread_limit",
	},

	// Worksharing.
	{
		Name: "for", Fortran: "do", Langs: All, Since: 10, Assoc: Loop, End: EndOptional,
		Barrier: true,
		Rule:    Enclose, Event: "For", Kind: 5,
		Clauses: "allocate collapse firstprivate induction lastprivate linear nowait order " +
			"ordered private reduction schedule",
	},
	{
		Name: "sections", Langs: All, Since: 10, Assoc: Block, End: EndRequired, Barrier: true,
		Rule: Enclose, Event: "Sections", Kind: 6,
		Clauses: "allocate firstprivate induction lastprivate nowait private reduction",
	},
	{
		Name: "section", Langs: All, Since: 10, Category: Subsidiary, Assoc: Separating,
		Rule: Body, Event: "Section", Kind: 7,
	},
	{
		Name: "single", Langs: All, Since: 10, Assoc: Block, End: EndRequired, Barrier: true,
		Rule: EncloseBody, Event: "Single", Kind: 8,
		Clauses: "allocate copyprivate firstprivate nowait private",
	},
	{
		Name: "workshare", Langs: Fortran, Since: 20, Assoc: Block, End: EndRequired, Barrier: true,
		Rule: Enclose, Event: "Workshare", Kind: 9, Opaque: true,
		Clauses: "nowait",
	},
	{
		Name: "scope", Langs: All, Since: 51, Assoc: Block, End: EndRequired, Barrier: true,
		Rule: EncloseBody, Event: "Scope", Kind: 23,
		Clauses: "allocate firstprivate nowait private reduction",
	},
	{
		Name: "loop", Langs: All, Since: 50, Assoc: Loop, End: EndOptional,
		Rule: Enclose, Event: "Loop", Kind: 22, Opaque: true,
		Clauses: "bind collapse lastprivate order private reduction",
	},
	{
		Name: "distribute", Langs: All, Since: 40, Assoc: Loop, End: EndOptional,
		Rule: Enclose, Event: "Distribute", Kind: 25, Within: "teams",
		Clauses: "allocate collapse dist_schedule firstprivate induction lastprivate order " +
			"private",
	},
	{
		Name: "workdistribute", Langs: Fortran, Since: 60, Assoc: Block, End: EndRequired,
		Opaque: true,
	},

	// Vectorisation and scans.
	{
		Name: "simd", Langs: All, Since: 40, Assoc: Loop, End: EndOptional, Opaque: true,
		Clauses: "aligned collapse if induction lastprivate linear nontemporal order " +
			"private reduction safelen simdlen",
	},
	{
		Name: "scan", Langs: All, Since: 50, Category: Subsidiary, Assoc: Separating, Opaque: true,
		Clauses: "exclusive inclusive init_complete",
	},

	// Thread selection and mutual exclusion.
	{
		Name: "master", Langs: All, Since: 10, Until: 60, Assoc: Block, End: EndRequired,
		Rule: Body, Event: "Master", Kind: 10,
	},
	{
		Name: "masked", Langs: All, Since: 51, Assoc: Block, End: EndRequired,
		Rule: Body, Event: "Masked", Kind: 11,
		Clauses: "filter",
	},
	{
		Name: "critical", Langs: All, Since: 10, Assoc: Block, End: EndRequired, Arg: ArgOptional,
		Rule: EncloseBody, Event: "Critical", Kind: 12,
		Clauses: "hint",
	},
	{
		Name: "ordered", Langs: All, Since: 10, Assoc: Block, End: EndRequired,
		Rule: EncloseBody, Event: "Ordered", Kind: 18,
		StandAloneWith: "depend doacross",
		Clauses:        "depend doacross simd threads",
	},
	{
		Name: "atomic", Langs: All, Since: 10, Assoc: Block, End: EndOptional,
		Rule: Enclose, Event: "Atomic", Kind: 16,
		Clauses: "acq_rel acquire capture compare fail hint memscope read relaxed release " +
			"seq_cst update weak write",
	},

	// Synchronisation.
	{
		Name: "barrier", Langs: All, Since: 10,
		Rule: Point, Event: "Barrier", Kind: 13,
	},
	{
		Name: "taskwait", Langs: All, Since: 30,
		Rule: Point, Event: "Taskwait", Kind: 14,
		Clauses: "depend nowait replayable",
	},
	{
		Name: "taskgroup", Langs: All, Since: 40, Assoc: Block, End: EndRequired,
		Rule: EncloseBody, Event: "Taskgroup", Kind: 15,
		Clauses: "allocate task_reduction",
	},
	{
		Name: "flush", Langs: All, Since: 10, Arg: ArgOptional,
		Rule: Point, Event: "Flush", Kind: 17,
		Clauses: "acq_rel acquire memscope relaxed release seq_cst",
	},
	{
		Name: "depobj", Langs: All, Since: 50, Arg: ArgOptional,
		Clauses: "depend destroy init update",
	},

	// Tasking.
	{
		Name: "task", Langs: All, Since: 30, Assoc: Block, End: EndRequired,
		Rule: Task, Event: "Task", Kind: 19,
		Clauses: "affinity allocate default depend detach final firstprivate if in_reduction " +
			"mergeable priority private replayable shared threadset transparent untied",
	},
	{
		Name: "taskyield", Langs: All, Since: 31,
		Rule: Point, Event: "Taskyield", Kind: 20,
	},
	{
		Name: "taskloop", Langs: All, Since: 45, Assoc: Loop, End: EndOptional,
		Rule: Enclose, Event: "Taskloop", Kind: 21,
		Clauses: "allocate collapse default final firstprivate grainsize if in_reduction " +
			"induction lastprivate mergeable nogroup num_tasks priority private reduction " +
			"replayable shared threadset transparent untied",
	},
	{
		Name: "task_iteration", Langs: All, Since: 60, Category: Subsidiary,
		Clauses: "affinity depend if",
	},
	{
		Name: "taskgraph", Langs: All, Since: 60, Assoc: Block, End: EndRequired,
		Clauses: "graph_id graph_reset if nogroup",
	},

	// Cancellation. The construct type is a clause.
	{
		Name: "cancel", Langs: All, Since: 40,
		Rule: Point, Event: "Cancel", Kind: 26,
		Clauses: "for if parallel sections taskgroup",
	},
	{
		Name: "cancellation point", Synonyms: []string{"cancellation_point"}, Langs: All, Since: 40,
		Rule: Point, Event: "Cancellation_point", Kind: 27,
		Clauses: "for parallel sections taskgroup",
	},

	// Devices.
	{
		Name: "target", Langs: All, Since: 40, Assoc: Block, End: EndRequired,
		Rule: HostOnly, Event: "Target", Kind: 28, Opaque: true,
		Clauses: "allocate default defaultmap depend device device_type firstprivate " +
			"has_device_addr if in_reduction is_device_ptr map nowait priority private " +
			"replayable thread_limit uses_allocators",
	},
	{
		Name: "target data", Synonyms: []string{"target_data"}, Langs: All, Since: 40, Assoc: Block,
		End:  EndRequired,
		Rule: HostOnly, Event: "Target_data", Kind: 29,
		Clauses: "affinity allocate default depend detach device firstprivate if in_reduction " +
			"map mergeable nogroup nowait priority private shared transparent " +
			"use_device_addr use_device_ptr",
	},
	{
		Name: "target enter data", Synonyms: []string{"target_enter_data"}, Langs: All, Since: 45,
		Rule: HostOnly, Event: "Target_enter_data", Kind: 30,
		Clauses: "depend device if map nowait priority replayable",
	},
	{
		Name: "target exit data", Synonyms: []string{"target_exit_data"}, Langs: All, Since: 45,
		Rule: HostOnly, Event: "Target_exit_data", Kind: 31,
		Clauses: "depend device if map nowait priority replayable",
	},
	{
		Name: "target update", Synonyms: []string{"target_update"}, Langs: All, Since: 40,
		Rule: HostOnly, Event: "Target_update", Kind: 32,
		Clauses: "depend device from if nowait priority replayable to",
	},
	{
		Name: "interop", Langs: All, Since: 51,
		Rule: Point, Event: "Interop", Kind: 33,
		Clauses: "depend destroy device init nowait use",
	},
	{
		Name: "dispatch", Langs: All, Since: 51, Assoc: Block, End: EndOptional,
		Rule: Enclose, Event: "Dispatch", Kind: 34,
		Clauses: "depend device has_device_addr interop is_device_ptr nocontext novariants " +
			"nowait",
	},

	// Loop transformations.
	{
		Name: "tile", Langs: All, Since: 51, Assoc: Loop, End: EndOptional,
		Clauses: "apply sizes",
	},
	{
		Name: "unroll", Langs: All, Since: 51, Assoc: Loop, End: EndOptional,
		Clauses: "apply full partial",
	},
	{
		Name: "reverse", Langs: All, Since: 60, Assoc: Loop, End: EndOptional,
		Clauses: "apply",
	},
	{
		Name: "interchange", Langs: All, Since: 60, Assoc: Loop, End: EndOptional,
		Clauses: "apply permutation",
	},
	{
		Name: "stripe", Langs: All, Since: 60, Assoc: Loop, End: EndOptional,
		Clauses: "apply sizes",
	},
	{
		Name: "split", Langs: All, Since: 60, Assoc: Loop, End: EndOptional,
		Clauses: "apply counts",
	},
	{
		Name: "fuse", Langs: All, Since: 60, Assoc: Block, End: EndRequired,
		Clauses: "apply depth looprange",
	},

	// Data environment and memory.
	{Name: "threadprivate", Langs: All, Since: 10, Category: Declarative, Arg: ArgRequired},
	{
		Name: "groupprivate", Langs: All, Since: 60, Category: Declarative, Arg: ArgRequired,
		Clauses: "device_type",
	},
	{
		Name: "allocate", Langs: All, Since: 50, Category: Declarative, Arg: ArgOptional,
		Clauses: "align allocator",
	},
	{
		Name: "allocators", Langs: Fortran, Since: 52, Assoc: Block, End: EndOptional,
		Clauses: "allocate",
	},
	{
		Name: "declare reduction", Synonyms: []string{"declare_reduction"}, Langs: All, Since: 40,
		Category: Declarative,
		Arg:      ArgRequired, Clauses: "combiner initializer",
	},
	{
		Name: "declare induction", Synonyms: []string{"declare_induction"}, Langs: All, Since: 60,
		Category: Declarative,
		Arg:      ArgRequired, Clauses: "collector inductor",
	},
	{
		Name: "declare mapper", Synonyms: []string{"declare_mapper"}, Langs: All, Since: 50,
		Category: Declarative,
		Arg:      ArgRequired, Clauses: "map",
	},

	// Declarations of functions, variants and device code.
	{
		Name: "declare simd", Synonyms: []string{"declare_simd"}, Langs: All, Since: 40,
		Category: Declarative,
		Assoc:    Declaration, Arg: ArgOptional,
		Clauses: "aligned inbranch linear notinbranch simdlen uniform",
	},
	{
		Name: "declare target", Synonyms: []string{"declare_target"}, Langs: All, Since: 40,
		Category: Declarative,
		Assoc:    Delimited, Arg: ArgOptional,
		Clauses: "device_type enter indirect link local to",
	},
	{
		Name: "begin declare target", Synonyms: []string{"begin declare_target"},
		Langs: CFamily, Since: 51,
		Category: Declarative, Assoc: Delimited, Clauses: "device_type indirect",
	},
	{
		Name: "end declare target", Synonyms: []string{"end declare_target"}, Langs: CFamily,
		Since: 40, Category: Declarative,
	},
	{
		Name: "declare variant", Synonyms: []string{"declare_variant"}, Langs: All, Since: 50,
		Category: Declarative,
		Assoc:    Declaration, Arg: ArgRequired, Clauses: "adjust_args append_args match",
	},
	{
		Name: "begin declare variant", Synonyms: []string{"begin declare_variant"},
		Langs: All, Since: 51,
		Category: Declarative, Assoc: Delimited, Clauses: "match",
	},
	{
		Name: "end declare variant", Synonyms: []string{"end declare_variant"}, Langs: All,
		Since: 51, Category: Declarative,
	},

	// Informational, utility and meta directives.
	{
		Name: "requires", Langs: All, Since: 50, Category: Informational,
		Clauses: "atomic_default_mem_order device_safesync dynamic_allocators reverse_offload " +
			"self_maps unified_address unified_shared_memory",
	},
	{
		Name: "assume", Langs: All, Since: 51, Category: Informational, Assoc: Block,
		End: EndOptional,
		Clauses: "absent contains holds no_openmp no_openmp_constructs no_openmp_routines " +
			"no_parallelism",
	},
	{
		Name: "assumes", Langs: All, Since: 51, Category: Informational,
		Clauses: "absent contains holds no_openmp no_openmp_constructs no_openmp_routines " +
			"no_parallelism",
	},
	{
		Name: "begin assumes", Langs: CFamily, Since: 51, Category: Informational, Assoc: Delimited,
		Clauses: "absent contains holds no_openmp no_openmp_constructs no_openmp_routines " +
			"no_parallelism",
	},
	{Name: "end assumes", Langs: CFamily, Since: 51, Category: Informational},
	{Name: "nothing", Langs: All, Since: 51, Category: Utility, Clauses: "apply"},
	{
		Name: "error", Langs: All, Since: 51, Category: Utility,
		Clauses: "at message severity",
	},
	{
		Name: "metadirective", Langs: All, Since: 50, Category: Meta,
		Clauses: "default otherwise when",
	},
	{
		Name: "begin metadirective", Langs: All, Since: 50, Category: Meta, Assoc: Delimited,
		Clauses: "default otherwise when",
	},
	{Name: "end metadirective", Langs: All, Since: 50, Category: Meta},
}

// Compound is a combined or composite directive: a sequence of leaves written as one name.
type Compound struct {
	Name  string // as in C: "parallel for simd"
	Langs Language
	Since Version
}

// Compounds lists the names that the specifications allow: OpenMP 5.2 [17.3], its predecessors
// and its successor.
var Compounds = []Compound{
	{"parallel for", All, 10},
	{"parallel sections", All, 10},
	{"parallel workshare", Fortran, 20},
	{"for simd", All, 40},
	{"parallel for simd", All, 40},
	{"distribute simd", All, 40},
	{"distribute parallel for", All, 40},
	{"distribute parallel for simd", All, 40},
	{"teams distribute", All, 40},
	{"teams distribute simd", All, 40},
	{"teams distribute parallel for", All, 40},
	{"teams distribute parallel for simd", All, 40},
	{"target teams", All, 40},
	{"target teams distribute", All, 40},
	{"target teams distribute simd", All, 40},
	{"target teams distribute parallel for", All, 40},
	{"target teams distribute parallel for simd", All, 40},
	{"taskloop simd", All, 45},
	{"target parallel", All, 45},
	{"target parallel for", All, 45},
	{"target parallel for simd", All, 45},
	{"target simd", All, 45},
	{"parallel loop", All, 50},
	{"parallel master", All, 50},
	{"parallel master taskloop", All, 50},
	{"parallel master taskloop simd", All, 50},
	{"master taskloop", All, 50},
	{"master taskloop simd", All, 50},
	{"teams loop", All, 50},
	{"target parallel loop", All, 50},
	{"target teams loop", All, 50},
	{"parallel masked", All, 51},
	{"parallel masked taskloop", All, 51},
	{"parallel masked taskloop simd", All, 51},
	{"masked taskloop", All, 51},
	{"masked taskloop simd", All, 51},
	{"target loop", All, 60},
	{"teams workdistribute", Fortran, 60},
	{"target teams workdistribute", Fortran, 60},
}
