// The kernel's source: which line each warp is at, and what each line has counted.
class SourceView {
  // estimate: of the lines' shares of the time, or null.
  constructor(root, model, estimate, jump) {
    this.model = model;
    this.root = root;
    this.rows = [];
    this.marks = [];
    this.onlyTimed = [];  // buttons of lines without a step
    this.atSteps = new Set(model.steps.map(step => step.at));
    const trace = model.trace;
    this.columns = trace.columns.map((column, c) => c)
        .filter(c => model.lineTotals.some(totals => totals[c] > 0));
    const table = element('table', 'source');
    const head = table.createTHead().insertRow();
    for (const c of this.columns) {
      const cell = element('th', 'count'), column = trace.columns[c];
      cell.append(element('span', 'whole', column.title), element('span', 'brief', column.brief));
      cell.title = column.about;
      head.append(cell);
    }
    this.shares = estimate && new Map(estimate.lines.map(([line, share]) => [line, share]));
    this.about = estimate && "share of the warps' time, " + estimate.about;
    if (this.shares) {
      const cell = element('th', 'count time', 'est. time');
      cell.title = this.about;
      head.append(cell);
    }
    head.append(element('th', 'where', 'warp'), element('th', 'number'), element('th', 'code'));
    trace.sources.forEach((piece, i) => {
      const before = trace.sources[i - 1];
      table.append(this.pieceOf(piece, before && before.name == piece.name ? '⋯' : piece.name, jump));
    });
    root.append(table);
    for (const fault of trace.faults)
      for (const line of fault.lines)
        if (this.rows[line]) this.rows[line].classList.add(fault.mild ? 'mild' : 'faulty');
  }

  pieceOf(piece, name, jump) {
    const body = element('tbody');
    const title = body.insertRow();
    title.className = 'file';
    const cell = element('th', '', name);
    cell.colSpan = 3 + this.columns.length + (this.shares ? 1 : 0);
    title.append(cell);
    const highlighter = new Highlighter();
    piece.lines.forEach((text, i) => {
      const line = this.rows.length, row = body.insertRow();
      this.rows.push(row);
      const number = element('td', 'number');
      const runs = this.atSteps.has(line), timed = this.shares && this.shares.has(line);
      if (runs || timed) {
        const button = element('button', '', piece.first + i);
        button.title = runs ? 'to the next step at this line' : 'its segments in the timeline';
        button.setAttribute('aria-label', `line ${piece.first + i}`);
        button.disabled = !runs;
        if (!runs) this.onlyTimed.push(button);
        number.append(button);
        row.classList.add(...runs ? ['runs'] : [], ...timed ? ['timed'] : []);
        row.addEventListener('click', () => jump(line));
      } else {
        number.textContent = piece.first + i;
      }
      const code = element('td', 'code');
      code.append(...highlighter.line(text));
      row.where = element('td', 'where');
      row.append(...this.columns.map(() => element('td', 'count')), ...this.timeOf(line), row.where,
                 number, code);
    });
    return body;
  }

  // The cell of the line's share of the estimated time, where there is one.
  timeOf(line) {
    if (!this.shares) return [];
    const cell = element('td', 'count time'), share = this.shares.get(line) || 0;
    if (share > 0) cell.textContent = percentOf(share);
    cell.title = this.about;
    return [cell];
  }

  show() {
    const {model} = this, {step} = model;
    for (const row of this.marks) {
      row.classList.remove('now', 'at-fault');
      row.where.textContent = '';
    }
    this.marks = [];
    const first = model.firstWarp[model.block], at = new Map();
    for (let w = first; w < first + model.trace.blocks[model.block].warps; ++w)
      if (model.at[w] >= 0 && model.gone[w] != 0xffffffff)
        at.set(model.at[w], [...(at.get(model.at[w]) || []), w - first]);
    for (const [line, warps] of at) {
      this.rows[line].where.textContent = rangesOf(warps);
      this.rows[line].where.title = `warp ${rangesOf(warps)} is here`;
      this.marks.push(this.rows[line]);
    }
    for (const line of model.fault ? model.fault.lines : []) {
      this.rows[line].classList.add('at-fault');
      this.marks.push(this.rows[line]);
    }
    this.rows.forEach((row, line) => this.columns.forEach((c, i) => {
      const total = model.lineTotals[line][c], cell = row.children[i];
      if (total == 0 || cell.shown == model.lineCounts[line][c]) return;
      cell.shown = model.lineCounts[line][c];
      cell.replaceChildren(element('b', '', cell.shown), element('i', '', '/' + total));
    }));
    if (step && step.at >= 0) {
      const row = this.rows[step.at];
      row.classList.add('now');
      this.marks.push(row);
      this.keepInSight(row);
    }
  }

  // Lines without a step lead somewhere in the timeline alone.
  setTiming(on) {
    for (const button of this.onlyTimed) button.disabled = !on;
  }

  // The line whose segments the timeline has lit, or null.
  light(line) {
    if (this.lit) this.lit.classList.remove('lit');
    this.lit = line === null ? null : this.rows[line];
    if (!this.lit) return;
    this.lit.classList.add('lit');
    this.keepInSight(this.lit);
  }

  // Scrolls the source alone, never the page.
  keepInSight(row) {
    const {root} = this, room = root.clientHeight, top = row.offsetTop;
    if (root.scrollHeight <= room) return;
    if (top < root.scrollTop + 50 || top + 50 > root.scrollTop + room)
      root.scrollTop = top - room / 2;
  }
}

// 0–3, 7
function rangesOf(numbers) {
  const ranges = [];
  for (const n of numbers) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] == n - 1) last[1] = n;
    else ranges.push([n, n]);
  }
  return ranges.map(([a, b]) => a == b ? `${a}` : `${a}–${b}`).join(',');
}
