// This file has what all pages share: the data, elements, numbers for people, and the choice of
// colours. Times are numbers of nanoseconds, which are exact up to 104 days.

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);

// make returns a new element with a class, text and children.
function make(tag, className, ...content) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...content);
  return e;
}

function three(f) {
  return f.toFixed(f >= 99.95 ? 0 : f >= 9.995 ? 1 : 2);
}

// duration formats a time with three digits and its unit, by the rules of the other reports.
function duration(ns) {
  if (ns < 0) return "−" + duration(-ns);
  if (ns === 0) return "0";
  if (ns < 1000) return Math.round(ns) + " ns";
  if (ns < 999.5e3) return three(ns / 1e3) + " µs";
  if (ns < 999.5e6) return three(ns / 1e6) + " ms";
  if (ns < 9999.5e9) return three(ns / 1e9) + " s";
  return three(ns / 3600e9) + " h";
}

// figure returns a number of the head with its name.
function figure(name, value, title = "") {
  const d = make("div", "", make("dt", "", name), make("dd", "", value));
  d.title = title;
  return d;
}

// radios makes a group of buttons of which one is chosen, by pointer or by arrow keys.
function radios(group, name, chosen, choose) {
  const buttons = [...group.querySelectorAll("button")];
  const show = (value) => {
    for (const b of buttons) {
      const is = b.dataset[name] === value;
      b.setAttribute("aria-checked", is);
      b.tabIndex = is ? 0 : -1;
    }
  };
  const pick = (b) => { show(b.dataset[name]); choose(b.dataset[name]); };
  group.addEventListener("click", (e) => e.target.dataset[name] && pick(e.target));
  group.addEventListener("keydown", (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    const b = buttons[(buttons.indexOf(e.target) + step + buttons.length) % buttons.length];
    pick(b);
    b.focus();
    e.preventDefault();
  });
  show(chosen);
}

// themes lets the reader choose colours: the system's, or light or dark ones. The browser
// remembers the choice if it allows that for a file. changed is called after each choice.
function themes(changed) {
  let kept = "auto";
  try {
    kept = localStorage.getItem("opari-theme") ?? "auto";
  } catch { /* no storage */ }
  if (!["light", "dark"].includes(kept)) kept = "auto";
  if (kept !== "auto") document.documentElement.dataset.theme = kept;
  radios(document.querySelector(".theme"), "theme", kept, (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    try {
      localStorage.setItem("opari-theme", name);
    } catch { /* no storage: for this time only */ }
    changed();
  });
}
