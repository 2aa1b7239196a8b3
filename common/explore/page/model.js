// The state of a trace after its first t steps. All that it says stands in the trace; it only adds
// up what each step brought, and takes it away again on the way back.
class Model {
  constructor(trace) {
    this.trace = trace;
    this.steps = trace.steps;
    this.t = 0;
    this.warps = trace.blocks.flatMap((block, b) =>
        Array.from({length: block.warps}, (_, w) => ({block: b, number: w})));
    this.firstWarp = [];
    for (let b = 0, first = 0; b < trace.blocks.length; first += trace.blocks[b++].warps)
      this.firstWarp.push(first);
    const lines = trace.sources.reduce((sum, piece) => sum + piece.lines.length, 0);
    this.counters = trace.counters.map(() => 0);
    this.lineCounts = Array.from({length: lines}, () => trace.columns.map(() => 0));
    this.columnOf = trace.counters.map(
        (_, c) => trace.columns.findIndex(column => column.counters.includes(c)));
    this.registers = this.warps.map(() => Array(32).fill(null));
    this.at = this.warps.map(() => -1);     // the line of its last step
    this.last = this.warps.map(() => 0);    // the lanes at work in it
    this.waiting = this.warps.map(() => 0); // lanes
    this.gone = this.warps.map((warp) => ~this.lanesOf(warp) >>> 0);
    this.memory = trace.arrays.map(() => new Map());
    trace.arrays.forEach((array, a) => {
      for (const [first, values] of array.initial || [])
        values.forEach((value, i) => this.memory[a].set(this.key(a, 0, first + i), value));
    });
    this.undo = [];
    this.changed = new Set();  // "array:cell" since the last look
    this.lineTotals = this.lineCounts.map(counts => counts.slice());
    for (const step of this.steps)
      if (step.at >= 0)
        for (const [counter, by] of step.c || [])
          if (this.columnOf[counter] >= 0) this.lineTotals[step.at][this.columnOf[counter]] += by;
  }

  lanesOf(warp) {
    const left = this.trace.blocks[warp.block].threads - 32 * warp.number;
    return left >= 32 ? 0xffffffff : (2 ** left - 1);
  }
  // The piece that has a line of the page, and the line's place in it.
  placeOf(line) {
    for (const piece of this.trace.sources) {
      if (line < piece.lines.length) return [piece, line];
      line -= piece.lines.length;
    }
    return [{first: 0, lines: []}, 0];
  }
  numberOf(line) { const [piece, i] = this.placeOf(line); return piece.first + i; }
  textOf(line) { const [piece, i] = this.placeOf(line); return piece.lines[i] || ''; }
  // The fault that is shown: null but at its step.
  get fault() {
    return this.step && this.step.k == 'fault' ? this.trace.faults[this.step.n] : null;
  }
  get step() { return this.t > 0 ? this.steps[this.t - 1] : null; }
  get block() { return this.step ? this.warps[this.step.w].block : 0; }

  // Shared memory is another one for each block.
  key(a, block, cell) {
    return this.trace.arrays[a].space == 'shared' ? block * 1048576 + cell : cell;
  }
  valueOf(a, cell) {
    const value = this.memory[a].get(this.key(a, this.block, cell));
    return value === undefined ? null : value;
  }

  goTo(t) {
    t = Math.max(0, Math.min(this.steps.length, t));
    while (this.t < t) this.forward();
    while (this.t > t) this.back();
  }

  forward() {
    const step = this.steps[this.t++], w = step.w, old = [];
    const set = (target, index, value) => {
      old.push([target, index, target[index]]);
      target[index] = value;
    };
    for (const [counter, by] of step.c || []) {
      set(this.counters, counter, this.counters[counter] + by);
      const column = this.columnOf[counter];
      if (step.at >= 0 && column >= 0)
        set(this.lineCounts[step.at], column, this.lineCounts[step.at][column] + by);
    }
    if (step.at >= 0) set(this.at, w, step.at);
    if (step.k == 'barrier') {
      const block = this.warps[w].block;
      this.warps.forEach((warp, i) => { if (warp.block == block) set(this.waiting, i, 0); });
    } else if (step.k == 'arrive') {
      set(this.waiting, w, (this.waiting[w] | step.m) >>> 0);
    } else if (step.k == 'return') {
      set(this.gone, w, (this.gone[w] | step.m) >>> 0);
    }
    if (step.k != 'barrier' && step.k != 'fault') set(this.last, w, step.k == 'return' ? 0 : step.m);
    if (step.v) lanesIn(step.m).forEach((lane, i) => set(this.registers[w], lane, step.v[i]));
    const written = step.k == 'store' ? step.v : step.k == 'atomic' ? step.u : null;
    if (written) this.write(step, written, old);
    this.undo.push(old);
  }

  write(step, values, old) {
    const memory = this.memory[step.a], block = this.warps[step.w].block;
    step.o.forEach((cell, i) => {
      if (cell < 0) return;
      for (let n = 0; n < (step.n || 1); ++n) {
        const key = this.key(step.a, block, cell + n);
        old.push([memory, key, memory.get(key)]);
        memory.set(key, n == 0 ? values[i] : null);
        this.changed.add(step.a + ':' + (cell + n));
      }
    });
  }

  back() {
    const step = this.steps[--this.t], old = this.undo.pop();
    for (const [target, index, value] of old.reverse()) {
      if (!(target instanceof Map)) target[index] = value;
      else if (value === undefined) target.delete(index);
      else target.set(index, value);
    }
    if (step.k == 'store' || step.k == 'atomic')
      for (const cell of step.o)
        for (let n = 0; n < (step.n || 1); ++n) this.changed.add(step.a + ':' + (cell + n));
  }

  // The next position, or -1, at which the step fulfils the condition; backwards with way -1.
  find(condition, way = 1) {
    for (let t = this.t + way; t > 0 && t <= this.steps.length; t += way)
      if (condition(this.steps[t - 1])) return t;
    return -1;
  }

  // All that can be seen, as text: equal where the state is equal.
  fingerprint() {
    const memory = this.memory.map(cells => [...cells].sort((a, b) => a[0] - b[0]));
    return JSON.stringify([this.t, this.counters, this.lineCounts, this.registers, this.at,
                           this.last, this.waiting, this.gone, memory]);
  }
}

// The text of a cell, which knows how long it is: the style sheet turns what is too long upright.
function putText(cell, text) {
  if (cell.text == text) return;
  cell.lastChild.textContent = cell.text = text;
  cell.dataset.letters = text.length;
}

// The element that a cell of an array is, or is a part of.
function labelOf(array, cell) {
  const bytes = cell * array.cell, rest = bytes % array.element;
  return `${array.name}[${Math.floor(bytes / array.element)}]` + (rest ? ` + ${rest} bytes` : '');
}

// The numbers of the lanes in a mask, the lowest first.
function lanesIn(mask) {
  const lanes = [];
  for (let lane = 0; lane < 32; ++lane)
    if (mask >>> lane & 1) lanes.push(lane);
  return lanes;
}

// A value in at most five characters, for a cell.
function short(value) {
  if (value === null || value === undefined) return '';
  const text = String(value);
  if (text.length <= 5) return text;
  const number = Number(value);
  if (!Number.isFinite(number)) return text.slice(0, 4) + '…';
  for (let digits = 4; digits > 0; --digits) {
    const less = String(Number(number.toPrecision(digits))).replace(/^(-?)0\./, '$1.');
    if (less.length <= 5) return less;
  }
  return number.toExponential(0).replace('e+', 'e');
}
