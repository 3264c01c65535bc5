// Findings are losses by property and region, the largest first. Where one property has many
// regions, they are a group, whose findings appear when it is opened. The bar above them divides
// the processor time.

const FIRST = 10; // number of groups in the initial list
const SMALL = 0.01; // groups with a smaller share appear only on request
const openGroups = new Set();
let fillFindings = () => {};

function makeFindings() {
  const list = $("findings");
  const large = data.groups.filter((g) => g.share >= SMALL).length;
  let shown = Math.min(data.groups.length, Math.max(large, FIRST));
  fillFindings = () => {
    list.replaceChildren(...data.groups.slice(0, shown).flatMap(groupRows), ...data.hints.map(hintRow));
    if (!list.children.length) list.append(make("p", "why", "No loss of at least 0.1 % of the processor time."));
    const left = data.groups.length - shown;
    $("findings-more").hidden = left <= 0;
    $("findings-more").textContent = `${left} more below ${(100 * data.groups[shown - 1]?.share).toFixed(1)} %`;
    renderFindings();
  };
  $("findings-more").addEventListener("click", () => { shown = data.groups.length; fillFindings(); });
  const n = data.groups.length;
  $("findings-count").textContent = n ? `${n} of at least 0.1 % of the processor time` : "";
  list.addEventListener("click", (e) => {
    const row = e.target.closest(".finding");
    if (row) chooseRow(row);
  });
  list.addEventListener("keydown", (e) => {
    const rows = [...list.children];
    const at = rows.indexOf(e.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, Enter: at, " ": at }[e.key];
    const fold = { ArrowRight: true, ArrowLeft: false }[e.key];
    if (fold !== undefined && rows[at]?.dataset.group) toggleGroup(Number(rows[at].dataset.group), fold);
    else if (rows[to]) chooseRow(rows[to], to === at);
    else return;
    list.children[to ?? at].focus();
    e.preventDefault();
  });
  fillFindings();
  listeners.push(renderFindings);
}

// hintRow returns the row of what may slow down work, whose time is no loss as a whole.
function hintRow(h, i) {
  const text = make("div", "", make("span", "mono", h.place ? h.place + " " : ""), make("span", "what", h.region), ": ", make("span", "", h.what), make("div", "advice", h.advice));
  const row = lossRow(h, Math.max(h.share, data.groups[0]?.share ?? 0), text);
  row.dataset.hint = i;
  row.classList.add("hint");
  return row;
}

// groupRows returns the rows of a group: its own, if it has several findings, and theirs.
function groupRows(g, i) {
  const most = data.groups[0].share;
  if (g.findings.length === 1) return [finding(g.findings[0], most)];
  const row = lossRow(g, most, make("div", "", make("span", "", g.text), make("div", "advice", g.advice)));
  row.dataset.group = i;
  row.classList.add("group");
  const open = openGroups.has(i);
  row.dataset.open = open;
  row.setAttribute("aria-label", `${g.text}, ${open ? "unfolded" : "folded"}`);
  if (!open) return [row];
  const members = g.findings.map((f) => finding(f, most));
  for (const m of members) m.classList.add("member");
  return [row, ...members];
}

function finding(i, most) {
  const f = data.findings[i];
  const place = make("span", "mono", f.place ? f.place + " " : "");
  const text = make("div", "", place, make("span", "what", f.region), ": ", make("span", "", f.what), " costs ", make("b", "", duration(f.time)), ` of ${duration(data.total)}`);
  if (f.why) text.append(make("div", "why", f.why));
  text.append(make("div", "advice", f.advice));
  if (f.walls) text.append(whatIf(i));
  const row = lossRow(f, most, text);
  row.dataset.id = i;
  return row;
}

// degrees are how far findings are remedied by their sliders, in percent.
const degrees = new Map();

// whatIf returns a slider that says how long the run would be, the further a finding is remedied.
// Between the times that are known it goes straight.
function whatIf(i) {
  const { remedy, walls } = data.findings[i];
  const slider = make("input"), out = make("output");
  Object.assign(slider, { type: "range", min: 0, max: 100, step: walls.length > 2 ? 1 : 100, value: degrees.get(i) ?? 0 });
  slider.setAttribute("aria-label", `what if: ${remedy}`);
  const show = () => {
    const degree = Number(slider.value), at = (degree / 100) * (walls.length - 1);
    const from = Math.min(Math.floor(at), walls.length - 2);
    const wall = walls[from] + (at - from) * (walls[from + 1] - walls[from]);
    degrees.set(i, degree);
    out.textContent = degree ? `${degree} %: ${duration(wall)} instead of ${duration(walls[0])}` : "as it is";
    slider.setAttribute("aria-valuetext", out.textContent);
  };
  slider.addEventListener("input", show);
  show();
  const box = make("div", "whatif", make("span", "", `what if: ${remedy}`), slider, out);
  // The list takes neither clicks nor keys that are for the slider.
  for (const event of ["click", "keydown"]) box.addEventListener(event, (e) => e.stopPropagation());
  return box;
}

function lossRow(loss, most, text) {
  const bar = make("div", "bar");
  bar.appendChild(make("i")).style.width = (100 * loss.share) / most + "%";
  const row = make("div", "finding", make("div", "", make("div", "percent", percent(loss.time, data.total)), bar), text);
  row.tabIndex = -1;
  row.setAttribute("role", "option");
  row.setAttribute("aria-label", loss.text);
  return row;
}

// chooseRow selects what a row shows. A group shows its largest finding.
function chooseRow(row, fold = true) {
  if (row.dataset.hint) return select({ metric: WORK, path: data.hints[row.dataset.hint].path, hint: Number(row.dataset.hint), reveal: true });
  if (!row.dataset.group) return chooseFinding(Number(row.dataset.id));
  const g = Number(row.dataset.group);
  if (fold) toggleGroup(g, !openGroups.has(g));
  const largest = data.findings[data.groups[g].findings[0]];
  select({ metric: largest.property, path: largest.path, group: g, reveal: true });
}

function toggleGroup(g, open) {
  if (open) openGroups.add(g);
  else openGroups.delete(g);
  fillFindings();
}

function chooseFinding(i) {
  const f = data.findings[i];
  select({ metric: f.property, path: f.path, finding: i, reveal: true });
}

// chooseFirst selects the largest loss.
function chooseFirst() {
  chooseRow($("findings").children[0], false);
}

function renderFindings() {
  let tab = null;
  for (const row of $("findings").querySelectorAll(".finding")) {
    const [at, chosen] = row.dataset.hint ? [row.dataset.hint, selection.hint] : row.dataset.group ? [row.dataset.group, selection.group] : [row.dataset.id, selection.finding];
    const is = Number(at) === chosen;
    row.setAttribute("aria-selected", is);
    row.tabIndex = -1;
    if (is) tab = row;
  }
  (tab ?? $("findings").querySelector(".finding"))?.setAttribute("tabindex", "0");
}

// shareKeys maps the properties of the bar to the variables of their colours. Each leaf belongs
// to one of them, and each has a background of its own (TestShares).
const shareKeys = { work: "--work", measurement: "--measuring", idle: "--idle", "fork-join": "--fork", granularity: "--grain", "dispatch-cost": "--dispatch", barrier: "--barrier", mutex: "--mutex", polling: "--polling", tasking: "--tasks", mpi: "--mpi", "off-cpu": "--preempted", "mpi-setup": "--setup", absent: "--absent" };

// makeShares fills the bar. 100 % is the processor time, or the known time if that is more
// because of the threads' clocks. The unknown time is a part, too.
function makeShares() {
  const total = Math.max(data.total, sumOf(0));
  let rest = total;
  metrics.forEach((m, id) => {
    const value = m.key in shareKeys ? sumOf(id) : 0;
    if (value <= 0) return;
    rest -= value;
    share(m, value, total, shareKeys[m.key]).addEventListener("click", () => select({ metric: id, path: 0, reveal: true }));
  });
  if (rest > 0) share({ name: "not known", what: "time of which nothing was recorded" }, rest, total, "--absent");
}

function share(metric, value, total, colour) {
  const part = $("shares").appendChild(make("button"));
  part.style.flex = `${value / total} 0 0`;
  part.style.background = `var(${colour})`;
  part.title = `${metric.name}: ${duration(value)}, ${percent(value, total)}\n${metric.what}`;
  part.setAttribute("aria-label", part.title);
  const chip = make("i");
  chip.style.background = `var(${colour})`;
  $("sharelegend").append(make("li", "", chip, `${metric.name} ${percent(value, total)}`));
  return part;
}
