package otf2

// eventRows has the events, in the form of definitionRows. A bare event has one field and no
// length on disk: so old is it.
const eventRows = `
10 BufferFlush stopTime:time
  - The writer emptied its buffer until stopTime.
11 MeasurementOnOff measurementMode:MeasurementMode
  - The measurement was switched on or off.
12 Enter bare region:Region
  - A region is entered.
13 Leave bare region:Region
  - A region is left.
14 MpiSend receiver:u32 communicator:Comm msgTag:u32 msgLength:u64
  - A blocking send begins.
15 MpiIsend receiver:u32 communicator:Comm msgTag:u32 msgLength:u64 requestID:u64
  - A non-blocking send begins.
16 MpiIsendComplete bare requestID:u64
  - A non-blocking send is complete.
17 MpiIrecvRequest bare requestID:u64
  - A non-blocking receive is requested.
18 MpiRecv sender:u32 communicator:Comm msgTag:u32 msgLength:u64
  - A message was received.
19 MpiIrecv sender:u32 communicator:Comm msgTag:u32 msgLength:u64 requestID:u64
  - A non-blocking receive is complete.
20 MpiRequestTest bare requestID:u64
  - A request was tested and is not complete.
21 MpiRequestCancelled bare requestID:u64
  - A request was cancelled.
22 MpiCollectiveBegin
  - A collective operation begins.
23 MpiCollectiveEnd collectiveOp:CollectiveOp communicator:Comm root:u32 sizeSent:u64
  sizeReceived:u64
  - A collective operation ends.
24 OmpFork bare numberOfRequestedThreads:u32
  - A parallel region forks; ThreadFork replaces it.
25 OmpJoin
  - A parallel region joins; ThreadJoin replaces it.
26 OmpAcquireLock lockID:u32 acquisitionOrder:u32
  - A lock was acquired; ThreadAcquireLock replaces it.
27 OmpReleaseLock lockID:u32 acquisitionOrder:u32
  - A lock is released; ThreadReleaseLock replaces it.
28 OmpTaskCreate bare taskID:u64
  - A task was created; ThreadTaskCreate replaces it.
29 OmpTaskSwitch bare taskID:u64
  - A task begins or goes on; ThreadTaskSwitch replaces it.
30 OmpTaskComplete bare taskID:u64
  - A task is complete; ThreadTaskComplete replaces it.
31 Metric metric:Metric [u8|typeIDs:Type|metricValues:u64]
  - Values of the metrics of a class or instance.
32 ParameterString parameter:Parameter string:String
  - A parameter that is a text.
33 ParameterInt parameter:Parameter value:i64
  - A parameter that is a signed number.
34 ParameterUnsignedInt parameter:Parameter value:u64
  - A parameter that is an unsigned number.
35 RmaWinCreate win:RmaWin
  - A window was created.
36 RmaWinDestroy win:RmaWin
  - A window was destroyed.
37 RmaCollectiveBegin
  - A collective operation on a window begins.
38 RmaCollectiveEnd collectiveOp:CollectiveOp syncLevel:RmaSyncLevel win:RmaWin root:u32
  bytesSent:u64 bytesReceived:u64
  - A collective operation on a window ends.
39 RmaGroupSync syncLevel:RmaSyncLevel win:RmaWin group:Group
  - A group synchronizes on a window.
40 RmaRequestLock win:RmaWin remote:u32 lockId:u64 lockType:LockType
  - A lock of a window is requested.
41 RmaAcquireLock win:RmaWin remote:u32 lockId:u64 lockType:LockType
  - A lock of a window was acquired.
42 RmaTryLock win:RmaWin remote:u32 lockId:u64 lockType:LockType
  - A lock of a window was tried in vain.
43 RmaReleaseLock win:RmaWin remote:u32 lockId:u64
  - A lock of a window is released.
44 RmaSync win:RmaWin remote:u32 syncType:RmaSyncType
  - A simple synchronization on a window.
45 RmaWaitChange win:RmaWin
  - A wait for a change in a window.
46 RmaPut win:RmaWin remote:u32 bytes:u64 matchingId:u64
  - Data is put into another's memory.
47 RmaGet win:RmaWin remote:u32 bytes:u64 matchingId:u64
  - Data is got from another's memory.
48 RmaAtomic win:RmaWin remote:u32 type:RmaAtomicType bytesSent:u64 bytesReceived:u64
  matchingId:u64
  - An atomic operation on another's memory.
49 RmaOpCompleteBlocking win:RmaWin matchingId:u64
  - An operation is complete at both ends; the call waited.
50 RmaOpCompleteNonBlocking win:RmaWin matchingId:u64
  - An operation is complete at this end; the call did not wait.
51 RmaOpTest win:RmaWin matchingId:u64
  - An operation was tested and is not complete.
52 RmaOpCompleteRemote win:RmaWin matchingId:u64
  - An operation is complete at the other end.
53 ThreadFork model:Paradigm numberOfRequestedThreads:u32
  - A thread forks a team.
54 ThreadJoin model:Paradigm
  - A thread joins its team.
55 ThreadTeamBegin threadTeam:Comm
  - A thread begins its work in a team.
56 ThreadTeamEnd threadTeam:Comm
  - A thread ends its work in a team.
57 ThreadAcquireLock model:Paradigm lockID:u32 acquisitionOrder:u32
  - A lock was acquired.
58 ThreadReleaseLock model:Paradigm lockID:u32 acquisitionOrder:u32
  - A lock is released.
59 ThreadTaskCreate threadTeam:Comm creatingThread:u32 generationNumber:u32
  - A task was created.
60 ThreadTaskSwitch threadTeam:Comm creatingThread:u32 generationNumber:u32
  - A task begins or goes on.
61 ThreadTaskComplete threadTeam:Comm creatingThread:u32 generationNumber:u32
  - A task is complete.
62 ThreadCreate threadContingent:Comm sequenceCount:u64
  - A thread was created.
63 ThreadBegin threadContingent:Comm sequenceCount:u64
  - A created thread begins.
64 ThreadWait threadContingent:Comm sequenceCount:u64
  - A thread waits for another's end.
65 ThreadEnd threadContingent:Comm sequenceCount:u64
  - A created thread ends.
66 CallingContextEnter callingContext:CallingContext unwindDistance:u32
  - A region is entered, by its calling context.
67 CallingContextLeave callingContext:CallingContext
  - A region is left, by its calling context.
68 CallingContextSample callingContext:CallingContext unwindDistance:u32
  interruptGenerator:InterruptGenerator
  - A sample of where the location is.
69 IoCreateHandle handle:IoHandle mode:IoAccessMode creationFlags:IoCreationFlag
  statusFlags:IoStatusFlag
  - A handle was created.
70 IoDestroyHandle handle:IoHandle
  - A handle was destroyed.
71 IoDuplicateHandle oldHandle:IoHandle newHandle:IoHandle statusFlags:IoStatusFlag
  - A handle was duplicated.
72 IoSeek handle:IoHandle offsetRequest:i64 whence:IoSeekOption offsetResult:u64
  - The position of a handle was changed.
73 IoChangeStatusFlags handle:IoHandle statusFlags:IoStatusFlag
  - The flags of a handle were changed.
74 IoDeleteFile ioParadigm:IoParadigm file:IoFile
  - A file was deleted.
75 IoOperationBegin handle:IoHandle mode:IoOperationMode operationFlags:IoOperationFlag
  bytesRequest:u64 matchingId:u64
  - An operation on a file begins.
76 IoOperationTest handle:IoHandle matchingId:u64
  - An operation was tested and is not complete.
77 IoOperationIssued handle:IoHandle matchingId:u64
  - An operation was issued.
78 IoOperationComplete handle:IoHandle bytesResult:u64 matchingId:u64
  - An operation is complete.
79 IoOperationCancelled handle:IoHandle matchingId:u64
  - An operation was cancelled.
80 IoAcquireLock handle:IoHandle lockType:LockType
  - A lock of a file was acquired.
81 IoReleaseLock handle:IoHandle lockType:LockType
  - A lock of a file is released.
82 IoTryLock handle:IoHandle lockType:LockType
  - A lock of a file was tried in vain.
83 ProgramBegin programName:String [u32|programArguments:String]
  - The program begins, with its arguments.
84 ProgramEnd exitStatus:i64
  - The program ends, with its exit status.
85 NonBlockingCollectiveRequest requestID:u64
  - A non-blocking collective operation is requested.
86 NonBlockingCollectiveComplete collectiveOp:CollectiveOp communicator:Comm root:u32
  sizeSent:u64 sizeReceived:u64 requestID:u64
  - A non-blocking collective operation is complete.
87 CommCreate communicator:Comm
  - A communicator was created.
88 CommDestroy communicator:Comm
  - A communicator was destroyed.
`

// snapshotRows has what only snapshots have.
const snapshotRows = `
10 SnapshotStart numberOfRecords:u64
  - A snapshot begins: the state of a location at a time.
11 SnapshotEnd contReadPos:u64
  - A snapshot ends; this is the number of the next event.
`

// snapshotEvents are the events that may be in a snapshot, in the order of their numbers there.
// In a snapshot each has the time of the event before its fields.
const snapshotEvents = "MeasurementOnOff Enter MpiSend MpiIsend MpiIsendComplete MpiRecv " +
	"MpiIrecvRequest MpiIrecv MpiCollectiveBegin MpiCollectiveEnd OmpFork OmpAcquireLock " +
	"OmpTaskCreate OmpTaskSwitch Metric ParameterString ParameterInt ParameterUnsignedInt"
