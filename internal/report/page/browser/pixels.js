// This file has the intervals of the threads. It computes the states in a pixel in a time that
// does not depend on the number of intervals.

const BLOCK = 8; // intervals for each stored sum

// inflate decodes a base64 zlib stream to bytes.
async function inflate(text, size) {
  let packed;
  if (Uint8Array.fromBase64) {
    packed = Uint8Array.fromBase64(text);
  } else {
    const chars = atob(text);
    packed = new Uint8Array(chars.length);
    for (let i = 0; i < chars.length; i++) packed[i] = chars.charCodeAt(i);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const out = new Uint8Array(size);
  let at = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    out.set(value, at);
    at += value.length;
  }
  if (at !== size) throw new Error(`${at} bytes of intervals, not ${size}`);
  return out;
}

// Lane is a thread: interval i lasts from at[i] to at[i+1], and keys[i] is its path and state.
class Lane {
  constructor(n, start) {
    this.n = n;
    this.keys = new Uint32Array(n);
    this.at = new Float64Array(n + 1);
    this.at[0] = start;
    this.marked = null; // marked time before each interval
  }

  // sum stores for each block the time of each state before it.
  sum(stateOf, states) {
    const { n, keys, at } = this;
    const blocks = Math.ceil(n / BLOCK);
    this.states = states;
    this.state = new Uint8Array(n);
    this.before = new Float64Array((blocks + 1) * states);
    const run = new Float64Array(states);
    for (let i = 0; i < n; i++) {
      if (i % BLOCK === 0) this.before.set(run, (i / BLOCK) * states);
      const s = stateOf[keys[i]];
      this.state[i] = s;
      run[s] += at[i + 1] - at[i];
    }
    this.before.set(run, blocks * states);
  }

  // find returns the interval at a time, searching from another interval on. It returns -1
  // before the first interval, and n after the last.
  find(time, from = 0) {
    const { at, n } = this;
    if (!n || time < at[0]) return -1;
    if (time >= at[n]) return n;
    let low = Math.max(0, Math.min(from, n - 1));
    if (at[low] > time) low = 0;
    let step = 1;
    while (low + step <= n && at[low + step] <= time) { low += step; step *= 2; }
    let high = Math.min(n, low + step);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (at[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }

  // until sets out to the time of each state before a time, which lies in interval i.
  until(time, i, out) {
    const { at, state, before, states, n } = this;
    const k0 = Math.max(0, i >= n ? n : i - (i % BLOCK));
    const base = Math.ceil(k0 / BLOCK) * states;
    for (let s = 0; s < states; s++) out[s] = before[base + s];
    if (i < 0 || i >= n) return;
    let from = at[k0];
    for (let k = k0; k < i; k++) {
      const to = at[k + 1];
      out[state[k]] += to - from;
      from = to;
    }
    out[state[i]] += time - from;
  }

  // spent adds to out the time of each state between two times, which lie in intervals i and j.
  spent(a, b, i, j, out) {
    const scratch = (this.scratch ??= [new Float64Array(this.states), new Float64Array(this.states)]);
    this.until(a, i, scratch[0]);
    this.until(b, j, scratch[1]);
    for (let s = 0; s < this.states; s++) out[s] += scratch[1][s] - scratch[0][s];
  }

  // mark marks the intervals with wanted keys and returns their number.
  mark(wanted) {
    const { n, keys, at } = this;
    if (!wanted) { this.marked = null; return 0; }
    this.marked ??= new Float64Array(n + 1);
    let found = 0, time = 0;
    for (let i = 0; i < n; i++) {
      this.marked[i] = time;
      if (wanted[keys[i]]) { time += at[i + 1] - at[i]; found++; }
    }
    this.marked[n] = time;
    return found;
  }

  // markedIn returns the marked time between two times, which lie in intervals i and j.
  markedIn(a, b, i, j) {
    const { at, marked, n } = this;
    const until = (t, k) => {
      if (k < 0) return 0;
      if (k >= n) return marked[n];
      return marked[k] + (marked[k + 1] > marked[k] ? t - at[k] : 0);
    };
    return until(b, j) - until(a, i);
  }

  // nextMarked returns the first marked interval after i, or with a negative step the last
  // before it. It returns -1 if there is none.
  nextMarked(i, step) {
    const { marked, n } = this;
    if (!marked) return -1;
    if (step > 0) {
      let low = Math.min(Math.max(i + 1, 0), n), high = n; // finds the last k with marked[k] === base
      const base = marked[low];
      if (marked[n] === base) return -1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (marked[middle] > base) high = middle;
        else low = middle;
      }
      return low;
    }
    const base = marked[Math.max(0, Math.min(i, n))];
    if (base === 0) return -1;
    let low = 0, high = Math.min(i, n); // finds the first k with marked[k] === base
    while (low < high) {
      const middle = (low + high) >> 1;
      if (marked[middle] >= base) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }
}

// varints returns a function that reads one unsigned varint after the other.
function varints(bytes) {
  let at = 0;
  return () => {
    let b = bytes[at++];
    if (b < 128) return b;
    let value = b & 127;
    for (let scale = 128; ; scale *= 128) {
      b = bytes[at++];
      value += (b & 127) * scale;
      if (b < 128) return value;
    }
  };
}

// decode reads unsigned varints: thread by thread the keys and the durations, then the
// messages.
function decode(bytes, t) {
  const next = varints(bytes);
  const stateOf = Uint8Array.from(t.keys, (k) => k[1]);
  const lanes = t.counts.map((n, thread) => {
    const lane = new Lane(n, t.starts[thread]);
    for (let i = 0; i < n; i++) lane.keys[i] = next();
    for (let i = 0; i < n; i++) lane.at[i + 1] = lane.at[i] + next();
    lane.sum(stateOf, t.states.length);
    return lane;
  });
  return { lanes, messages: t.messages && new Messages(t.messages, next) };
}
