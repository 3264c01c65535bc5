package otf2

// definitionRows has the definitions, and the records of the file of markers at its end. A row is
//
//	NUMBER NAME [global|local|marker] FIELD...
//	= ORDER ON DISK, where it is not that of the fields
//	- WHAT IT SAYS
//
// and lines that begin with two blanks continue it. A field is NAME:TYPE, where the type is a kind
// of number, an enumeration (enums.go), or the definition that the field refers to. [u8|a:T|b:U]
// is a list with the number of its elements before it; each element has an a and a b. A name with
// ! is on disk only, for old readers; attic.go says what stands there.
const definitionRows = `
5 ClockProperties global timerResolution:u64 globalOffset:u64 traceLength:u64
  realtimeTimestamp:u64
  - Ticks per second, and a first time and a length that hold all events.
5 MappingTable local mappingType:MappingType idMap:map
  - The global numbers of a location's own numbers of one kind.
6 ClockOffset local time:time offset:i64 standardDeviation:double
  - What a location's clock lacks to the global one at a time.
6 Paradigm global paradigm:Paradigm name:String paradigmClass:ParadigmClass
  - A paradigm that the trace uses, and its class.
7 ParadigmProperty global paradigm:Paradigm property:ParadigmProperty type:Type value:value
  - A property of a paradigm.
8 IoParadigm global self:IoParadigm identification:String name:String
  ioParadigmClass:IoParadigmClass ioParadigmFlags:IoParadigmFlag
  [u8|properties:IoParadigmProperty|types:Type|values:value]
  - A paradigm of input and output.
10 String self:String string:text
  - A text; other definitions refer to it.
11 Attribute self:Attribute name:String description:String type:Type
  = self name type description
  - A name and type for values that events carry in addition.
12 SystemTreeNode self:SystemTreeNode name:String className:String parent:SystemTreeNode
  - A part of the machine, in its parent.
13 LocationGroup self:LocationGroup name:String locationGroupType:LocationGroupType
  systemTreeParent:SystemTreeNode creatingLocationGroup:LocationGroup
  - A group of locations, such as a process.
14 Location self:Location name:String locationType:LocationType numberOfEvents:u64
  locationGroup:LocationGroup
  - A sequence of events, such as a thread, and how many it has.
15 Region self:Region name:String canonicalName:String description:String
  regionRole:RegionRole paradigm:Paradigm regionFlags:RegionFlag sourceFile:String
  beginLineNumber:u32 endLineNumber:u32
  = self name description !regionType sourceFile beginLineNumber endLineNumber canonicalName
  regionRole paradigm regionFlags
  - A region of code: a function or a construct, with its place in the source.
16 Callsite self:Callsite sourceFile:String lineNumber:u32 enteredRegion:Region
  leftRegion:Region
  - A place of a call; no longer in use.
17 Callpath self:Callpath parent:Callpath region:Region
  - A call path: a region below a parent.
18 Group self:Group name:String groupType:GroupType paradigm:Paradigm groupFlags:GroupFlag
  [u32|members:u64]
  = self name !groupTypePre12 members groupType paradigm groupFlags
  - A group of locations, regions, metrics or ranks.
19 MetricMember self:MetricMember name:String description:String metricType:MetricType
  metricMode:MetricMode valueType:Type base:Base exponent:i64 unit:String
  - A metric: its name, type and unit.
20 MetricClass self:Metric [u8|metricMembers:MetricMember] metricOccurrence:MetricOccurrence
  recorderKind:RecorderKind
  - Metrics that are recorded together.
21 MetricInstance self:Metric metricClass:Metric recorder:Location metricScope:MetricScope
  scope:u64
  - Metrics of a class that a location records for a scope.
22 Comm self:Comm name:String group:Group parent:Comm flags:CommFlag
  - A communicator, or a team of threads.
23 Parameter self:Parameter name:String parameterType:ParameterType
  - A parameter of calls.
24 RmaWin self:RmaWin name:String comm:Comm flags:RmaWinFlag
  - A window of memory that others may access.
25 MetricClassRecorder metric:Metric recorder:Location
  - A location that records a class of metrics.
26 SystemTreeNodeProperty systemTreeNode:SystemTreeNode name:String type:Type value:value
  = systemTreeNode name !stringValue type value
  - A property of a part of the machine.
27 SystemTreeNodeDomain systemTreeNode:SystemTreeNode systemTreeDomain:SystemTreeDomain
  - The domain of a part of the machine.
28 LocationGroupProperty locationGroup:LocationGroup name:String type:Type value:value
  = locationGroup name !stringValue type value
  - A property of a group of locations.
29 LocationProperty location:Location name:String type:Type value:value
  = location name !stringValue type value
  - A property of a location.
30 CartDimension self:CartDimension name:String size:u32 cartPeriodicity:CartPeriodicity
  - A dimension of a Cartesian topology.
31 CartTopology self:CartTopology name:String communicator:Comm
  [u8|cartDimensions:CartDimension]
  - A Cartesian topology of a communicator.
32 CartCoordinate cartTopology:CartTopology rank:u32 [u8|coordinates:u32]
  - The coordinates of a rank in a topology.
33 SourceCodeLocation self:SourceCodeLocation file:String lineNumber:u32
  - A line of a source file.
34 CallingContext self:CallingContext region:Region sourceCodeLocation:SourceCodeLocation
  parent:CallingContext
  - A region with the line from which its parent called it.
35 CallingContextProperty callingContext:CallingContext name:String type:Type value:value
  - A property of a calling context.
36 InterruptGenerator self:InterruptGenerator name:String
  interruptGeneratorMode:InterruptGeneratorMode base:Base exponent:i64 period:u64
  - A source of interrupts for samples, and its period.
37 IoFileProperty ioFile:IoFile name:String type:Type value:value
  - A property of a file.
38 IoRegularFile self:IoFile name:String scope:SystemTreeNode
  - A regular file.
39 IoDirectory self:IoFile name:String scope:SystemTreeNode
  - A directory.
40 IoHandle self:IoHandle name:String file:IoFile ioParadigm:IoParadigm
  ioHandleFlags:IoHandleFlag comm:Comm parent:IoHandle
  - A handle to a file.
41 IoPreCreatedHandleState ioHandle:IoHandle mode:IoAccessMode statusFlags:IoStatusFlag
  - The state of a handle that existed from the start.
42 CallpathParameter callpath:Callpath parameter:Parameter type:Type value:value
  - The value of a parameter in a call path.
43 InterComm self:Comm name:String groupA:Group groupB:Group commonCommunicator:Comm
  flags:CommFlag
  - A communicator between two groups.
5 DefMarker marker self:u32 markerGroup:text markerCategory:text severity:Severity
  - A kind of markers.
6 Marker marker time:u64 duration:u64 marker:u32 scope:MarkerScope scopeRef:u64 text:text
  - A marker at a time, for a part of the trace.
`
