// This file puts the views together. Small data appears at once; the intervals are unpacked
// later.

function makeHead() {
  const program = data.program || "program";
  $("program").textContent = program.slice(program.lastIndexOf("/") + 1);
  $("command").textContent = program;
  const lost = lossProperties.reduce((sum, m) => sum + sumOf(m), 0);
  $("figures").append(
    figure("wall time", duration(data.wall)),
    figure("threads", count(threads.length)),
    figure("processor time", duration(data.total), "wall time times threads"),
    figure("lost", percent(lost, data.total), `${duration(lost)} in which threads could have worked`),
  );
  if (data.efficiency) $("figures").append(figure("efficiency", data.efficiency.run[0].text, data.efficiency.factors[0].what));
  if (data.noCritical) $("trees-note").append(` There is ${data.noCritical}.`);
  else if (sumOf(CRITICAL)) $("figures").append(figure("critical path", duration(sumOf(CRITICAL)), "the longest chain of work and waiting through the run"));
  if (data.events) $("figures").append(figure("events", count(data.events)));
  $("warning").replaceChildren(...data.notes.map((note) => make("span", "", note)));
  $("warning").hidden = !data.notes.length;
}

function recolour() {
  ramp = ["--ramp0", "--ramp1", "--ramp2", "--ramp3"].map(colour);
  gradient($("ramp"));
  gradient($("flame-ramp"));
  renderTrees();
  renderEfficiency();
  renderFlame();
  timeline?.recolour();
}

async function start() {
  themes(recolour);
  radios($("modes"), "mode", selection.mode, (mode) => select({ mode, finding: selection.finding, group: selection.group, hint: selection.hint }));
  makeHead();
  makeShares();
  makeTrees();
  makeEfficiency();
  makeCounters();
  makeFlame();
  makeFindings();
  listeners.push(renderSource);
  ramp = ["--ramp0", "--ramp1", "--ramp2", "--ramp3"].map(colour);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  if (data.groups.length || data.hints.length) chooseFirst();
  else select({ reveal: true });
  recolour();
  if (data.timeline) await startTimeline();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

async function startTimeline() {
  $("timeline-panel").hidden = false;
  const holder = $("intervals");
  const bytes = await inflate(holder.textContent, data.timeline.raw);
  holder.textContent = "";
  const { lanes, messages } = decode(bytes, data.timeline);
  timeline = new Timeline(data.timeline, lanes);
  if (messages) timeline.carry(messages);
  if (data.timeline.details) timeline.detail(data.timeline.details);
  timeline.note();
  listeners.push((change) => timeline.selected(change));
}

start().catch((e) => {
  $("warning").textContent = `This page could not be shown in full: ${e.message}`;
  $("warning").hidden = false;
  throw e;
});
