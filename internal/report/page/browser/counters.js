// This is the table of what threads counted while they worked in each path: of the selected
// thread, or of all. Numbers of a column have one unit.

const countRows = new Map(); // by path and thread
const countKey = (path, thread) => path * (threads.length + 1) + thread + 1;
let countPaths = []; // with the paths around, outer ones first, those with most time first

function makeCounters() {
  const { counts } = data;
  if (!counts) return;
  $("counters-panel").hidden = false;
  for (const row of counts.rows) countRows.set(countKey(row.path, row.thread), row);
  const time = values(0).all;
  const walk = (id) => {
    if (countRows.has(countKey(id, -1))) countPaths.push(id);
    for (const c of [...paths[id].children].sort((a, b) => time[b] - time[a])) walk(c);
  };
  walk(0);
  const box = $("counters");
  const rowOf = (e) => e.target.closest("tr[data-id]");
  box.addEventListener("click", (e) => rowOf(e) && select({ path: Number(rowOf(e).dataset.id), reveal: true }));
  box.addEventListener("keydown", (e) => {
    const rows = [...box.querySelectorAll("tr[data-id]")];
    const at = rows.indexOf(rowOf(e));
    const to = rows[{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, Enter: at, " ": at }[e.key]];
    if (!to) return;
    const { id } = to.dataset;
    select({ path: Number(id), reveal: true });
    box.querySelector(`[data-id="${id}"]`).focus();
    e.preventDefault();
  });
  listeners.push(renderCounters);
}

// countCells returns the texts of a row, without its path.
const countCells = (row, unit) => [fixed(row.time, unit), count(row.samples), ...row.values.map(count), ...row.figures.map((f) => (f === null ? "–" : f.toFixed(2)))];

function renderCounters() {
  const { names, figures } = data.counts;
  const thread = selection.thread;
  const rows = countPaths.flatMap((id) => countRows.get(countKey(id, thread)) ?? []);
  const unit = unitOf(Math.max(0, ...rows.map((row) => row.time)));
  $("counters-note").textContent = `Of ${thread < 0 ? "all threads" : threads[thread].name}, while they worked. What a thread counts between two samples is shared out by time.`;
  const head = make("tr", "", make("th", "", "call path"), ...[`time (${unit.name})`, "samples", ...names, ...figures].map((name) => make("th", "", name)));
  for (const cell of head.children) cell.scope = "col";
  const body = make("tbody");
  const chosen = rows.some((row) => row.path === selection.path) ? selection.path : rows[0]?.path;
  for (const row of rows) {
    const p = paths[row.path];
    const name = make("th", "", p.name, make("span", "place", p.place ? " " + p.place : ""));
    name.scope = "row";
    name.style.paddingLeft = 8 + 14 * p.depth + "px";
    name.title = chain(row.path).join(" › ");
    if (row.hint) name.append(make("div", "hint", row.hint));
    if (row.few) name.append(make("span", "hint", " not trustworthy: too short"));
    const line = body.appendChild(make("tr", row.few ? "few" : "", name, ...countCells(row, unit).map((text) => make("td", "", text))));
    line.dataset.id = row.path;
    line.setAttribute("aria-selected", row.path === selection.path);
    line.tabIndex = row.path === chosen ? 0 : -1;
  }
  $("counters").replaceChildren(make("thead", "", head), body);
}
