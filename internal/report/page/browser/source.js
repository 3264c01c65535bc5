// This view shows the source around the selected region, and other facts about the selected
// path.

const directive = /^\s*(#\s*pragma\s+omp\b|!\$omp\b|c\$omp\b|\*\$omp\b|\[\[\s*omp\b)/i;

function renderSource() {
  const p = paths[selection.path];
  const box = $("source");
  const heat = data.rate ? heatOf(p.id) : undefined;
  $("source-place").textContent = p.file ? `${p.file}:${p.line}` : "";
  box.replaceChildren();
  if (!p.file) {
    box.append(make("p", "muted", selection.path ? `${p.name} has no place in the source.` : "Select a finding or a call path."));
  } else {
    const source = data.sources[p.file] ?? {};
    const part = source.parts?.find((e) => p.line >= e.from && p.line < e.from + e.lines.length);
    if (part) lines(box, part, p, heat);
    else box.append(make("p", "muted", source.note ? `No source: ${source.note}.` : `No source: ${p.file} has no line ${p.line}.`));
  }
  renderFacts(p);
  if (heat) renderHeat($("facts"), heat);
}

// lines shows an excerpt with the construct of a path, and how many samples stand at each line.
function lines(box, part, p, heat) {
  const line = p.line, end = p.end ?? p.line;
  const disputed = new Map((data.hints[selection.hint]?.codes ?? []).map((c) => [`${c.file}:${c.line}`, c.samples]));
  if (part.from > 1) box.append(make("div", "gap", "⋯"));
  let here;
  part.lines.forEach((text, i) => {
    const number = part.from + i;
    const row = box.appendChild(make("div", number === line ? "here" : number > line && number <= end ? "inside" : "", make("span", "number", String(number)), ...(heat?.sum ? [heatCell(heat, p.file, number)] : []), make("span", directive.test(text) ? "directive" : "", text)));
    if (number === line) here = row;
    const samples = disputed.get(`${p.file}:${number}`);
    if (samples) {
      row.classList.add("disputed");
      row.title = `${count(samples)} samples at data in lines of the cache that several threads use`;
    }
  });
  if (end > part.from + part.lines.length - 1) box.append(make("div", "gap", `⋯ to line ${end}`));
  here.setAttribute("aria-current", "true");
  box.scrollLeft = 0;
  box.scrollTop = Math.max(0, here.offsetTop - box.offsetTop - 4 * here.offsetHeight);
}

const pathLink = (id) => {
  const link = make("button", "link", paths[id].label);
  link.title = chain(id).join(" › ");
  link.addEventListener("click", () => select({ path: id, reveal: true }));
  return link;
};

function renderFacts(p) {
  const facts = $("facts");
  facts.replaceChildren();
  const f = data.findings[selection.finding];
  if (f?.why) facts.append(make("p", "", f.why + "."));
  const hint = data.hints[selection.hint];
  if (hint?.codes) {
    facts.append(make("p", "muted", "Samples at data in lines of the cache that several threads use"));
    const table = facts.appendChild(make("table", "shared"));
    for (const c of hint.codes.slice(0, 8)) table.append(make("tr", "", make("td", "", count(c.samples)), make("td", "", placeOf(c)), make("td", "", c.function), make("td", "muted code", c.text ?? "")));
    if (hint.codes.length > 8) facts.append(make("p", "muted", `and ${hint.codes.length - 8} more lines`));
  }
  const around = chain(p.id);
  if (p.depth > 1) facts.append(make("p", "muted", around.slice(0, -1).join(" › ") + " ›"));
  if (p.visits) {
    const entered = p.visits.filter((v) => v[0] > 0);
    const ranks = (all) => new Set(all.map((t) => t.process)).size;
    const all = ranks(threads);
    const inRanks = all > 1 ? ` in ${ranks(threads.filter((t) => p.visits[t.id][0] > 0))} of ${all} ranks` : "";
    const n = entered.reduce((s, v) => s + v[0], 0);
    const time = entered.reduce((s, v) => s + v[1], 0);
    const range = [Math.min(...entered.map((v) => v[3])), Math.max(...entered.map((v) => v[4]))];
    const own = p.visits.reduce((s, v) => s + v[2], 0);
    if (n) facts.append(make("p", "", `Entered ${count(n)} times by ${entered.length} of ${threads.length} threads${inRanks}: mean ${duration(time / n)}, shortest ${duration(range[0])}, longest ${duration(range[1])}; without regions inside ${duration(own)}.`));
  }
  if (p.critical) facts.append(make("p", "", `On the critical path for ${duration(p.critical)}, ${percent(p.critical, data.wall)} of the wall time.`));
  const causes = data.blame.filter(([property, waiter]) => waiter === p.id && within(property, selection.metric >= VISITS ? 0 : selection.metric));
  if (!causes.length) return;
  facts.append(make("p", "muted", "Waited for"));
  const table = facts.appendChild(make("table"));
  for (const [property, , cause, thread, time] of causes.slice(0, 8)) {
    table.append(make("tr", "", make("td", "", duration(time)), make("td", "", pathLink(cause)), make("td", "", thread < 0 ? "several threads" : threads[thread].name), make("td", "muted", metrics[property].name)));
  }
  if (causes.length > 8) facts.append(make("p", "muted", `and ${causes.length - 8} more`));
}
