# Prints the events of an archive as Debian's python3-otf2 reads them, a line each.
import sys
import otf2
from otf2.events import Enter, Leave, Metric, MpiSend, ThreadTaskSwitch

numbers = {}
with otf2.reader.open(sys.argv[1]) as trace:
    for i, location in enumerate(trace.definitions.locations):
        numbers[location] = i
    for location, event in trace.events:
        what = [numbers[location], event.time, type(event).__name__]
        if isinstance(event, (Enter, Leave)):
            what.append(event.region.name)
        elif isinstance(event, MpiSend):
            what += [event.receiver, event.msg_tag, event.msg_length]
        elif isinstance(event, Metric):
            what += event.values
        elif isinstance(event, ThreadTaskSwitch):
            what += [event.creating_thread, event.generation_number]
        print(*what)
