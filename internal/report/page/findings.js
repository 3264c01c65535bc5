// Findings are losses by property and region, the largest first. The bar above them divides the
// processor time.

const FIRST = 10; // number of findings in the initial list
const SMALL = 0.01; // findings with a smaller share appear only on request

function makeFindings() {
  const list = $("findings");
  const large = data.findings.filter((f) => f.share >= SMALL).length;
  let shownRows = Math.min(data.findings.length, Math.max(large, Math.min(FIRST, data.findings.length)));
  const most = data.findings[0]?.share ?? 0;
  const fill = () => {
    list.replaceChildren(...data.findings.slice(0, shownRows).map((f, i) => finding(f, i, most)));
    const left = data.findings.length - shownRows;
    $("findings-more").hidden = left <= 0;
    $("findings-more").textContent = `${left} more below ${(100 * data.findings[shownRows - 1]?.share).toFixed(1)} %`;
    renderFindings();
  };
  $("findings-more").addEventListener("click", () => { shownRows = data.findings.length; fill(); });
  const n = data.findings.length;
  $("findings-count").textContent = n ? `${n} of at least 0.1 % of the processor time` : "";
  if (!n) list.append(make("p", "why", "No loss of at least 0.1 % of the processor time."));
  list.addEventListener("click", (e) => {
    const row = e.target.closest(".finding");
    if (row) chooseFinding(Number(row.dataset.id));
  });
  list.addEventListener("keydown", (e) => {
    const rows = [...list.children];
    const at = rows.indexOf(e.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, Enter: at, " ": at }[e.key];
    if (to === undefined || !rows[to]) return;
    chooseFinding(Number(rows[to].dataset.id));
    list.children[to].focus();
    e.preventDefault();
  });
  fill();
  listeners.push(renderFindings);
}

function finding(f, i, most) {
  const bar = make("div", "bar");
  const part = bar.appendChild(make("i"));
  part.style.width = (100 * f.share) / most + "%";
  const left = make("div", "", make("div", "percent", percent(f.time, data.total)), bar);
  const place = make("span", "mono", f.place ? f.place + " " : "");
  const text = make("div", "", place, make("span", "what", f.region), ": ", make("span", "", f.what), " costs ", make("b", "", duration(f.time)), ` of ${duration(data.total)}`);
  if (f.why) text.append(make("div", "why", f.why));
  text.append(make("div", "advice", f.advice));
  const row = make("div", "finding", left, text);
  row.dataset.id = i;
  row.tabIndex = -1;
  row.setAttribute("role", "option");
  row.setAttribute("aria-label", f.text);
  return row;
}

function chooseFinding(i) {
  const f = data.findings[i];
  select({ metric: f.property, path: f.path, finding: i, reveal: true });
}

function renderFindings() {
  let tab = null;
  for (const row of $("findings").querySelectorAll(".finding")) {
    const is = Number(row.dataset.id) === selection.finding;
    row.setAttribute("aria-selected", is);
    row.tabIndex = -1;
    if (is) tab = row;
  }
  (tab ?? $("findings").querySelector(".finding"))?.setAttribute("tabindex", "0");
}

// shareKeys maps the properties of the bar to the variables of their colours. Each leaf belongs
// to one of them (TestShares).
const shareKeys = { work: "--work", measurement: "--serial", idle: "--idle", "fork-join": "--fork", granularity: "--grain", barrier: "--barrier", mutex: "--mutex", tasking: "--tasks", mpi: "--mpi", "off-cpu": "--preempted" };

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
