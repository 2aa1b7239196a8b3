// The second view: what the warps of one multiprocessor do, cycle by cycle, as it is estimated.
class TimelineView {
  // scale: {from, to, whole, views}, in cycles, which traces beside each other share.
  constructor(root, estimate, model, scale, lightLine) {
    Object.assign(this, {root, estimate, model, scale, lightLine});
    const {timeline} = estimate;
    this.timeline = timeline;
    this.part = name => root.querySelector('.' + name);
    this.canvas = this.part('chart').firstElementChild;
    this.rows = timeline.rows.map(text => this.runsOf(text));
    this.blocks = [];
    for (const [place, block, begin] of timeline.blocks)
      (this.blocks[place] = this.blocks[place] || []).push({block, begin});
    this.line = this.kind = this.chosen = null;
    this.buttons = this.makeLegend(this.part('kinds'));
    this.listen();
    scale.views.push(this);
    scale.to = scale.whole = Math.max(scale.whole, timeline.cycles);
    this.tell(this.summary());
  }

  // "12a3b" as ends, in cycles, and codes: two lists.
  runsOf(text) {
    const runs = {ends: [], codes: []}, {cell} = this.timeline;
    let end = 0;
    for (const [, count, letters] of text.matchAll(/(\d+)([a-z]+)/g)) {
      end += count * cell;
      runs.ends.push(end);
      runs.codes.push([...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 97, 0));
    }
    return runs;
  }

  makeLegend(list) {
    return this.timeline.kinds.map((kind, k) => {
      const button = element('button', 'kind');
      const patch = element('span', 'patch');
      patch.style.background = `var(--t-${kind.kind})`;
      button.append(patch, element('span', 'name', kind.name),
                    element('b', '', percentOf(kind.share)));
      button.addEventListener('click', () => this.light({kind: this.kind == k ? null : k}));
      button.hidden = kind.share == 0 && !this.timeline.codes.some(code => code[0] == k);
      list.append(button);
      return button;
    });
  }

  summary() {
    const {timeline, estimate} = this, warps = this.rows.length;
    return `${estimate.about}. ${warps} warps at a time; cycles 0 to ${number(timeline.cycles)}, ` +
        `${(timeline.cycles / timeline.clock * 1e-3).toPrecision(3)} µs` +
        (timeline.goesOn ? '; then it goes on.' : '.');
  }
  tell(text) { this.part('told').textContent = text[0].toUpperCase() + text.slice(1); }

  // Everything else becomes pale: what is not at this line, or not of this kind.
  light({line = null, kind = null, chosen = null}) {
    Object.assign(this, {line, kind, chosen});
    this.buttons.forEach((button, k) => button.setAttribute('aria-pressed', k == kind));
    if (chosen) this.tell(this.sentenceOf(chosen));
    else if (line !== null) this.tell(this.sentenceOfLine(line));
    else if (kind !== null)
      this.tell(`${this.timeline.kinds[kind].name}: ` +
                `${percentOf(this.timeline.kinds[kind].share)} of the warps' time, estimated.`);
    else this.tell(this.summary());
    this.lightLine(line);
    this.draw();
  }

  sentenceOfLine(line) {
    const known = this.estimate.lines.find(([at]) => at == line), name = `line ${this.model.numberOf(line)}`;
    if (!known) return `${name} takes no time of its own, as it is estimated.`;
    return `${name}: ${percentOf(known[1])} of the warps' time, estimated: ${known[2]}.`;
  }
  sentenceOf({row, run}) {
    const {timeline, model} = this, {ends, codes} = this.rows[row];
    const begin = run > 0 ? ends[run - 1] : 0, end = Math.min(ends[run], timeline.cycles);
    const [kind, line] = timeline.codes[codes[run]];
    const block = this.blockAt(Math.floor(row / timeline.rowsEach), begin);
    return `${block === null ? 'A place for a block' : 'block ' + block}, warp ` +
        `${row % timeline.rowsEach}: ${timeline.kinds[kind].name}, ` +
        `${timeline.cell > 1 ? 'about ' : ''}${number(end - begin)} cycles, ${number(begin)} to ${number(end)}` +
        (line < 0 ? '.' : `, at line ${model.numberOf(line)}: ${model.textOf(line).trim()}`);
  }
  blockAt(place, cycle) {
    const begun = (this.blocks[place] || []).filter(({begin}) => begin <= cycle + this.timeline.cell);
    return begun.length > 0 ? begun[begun.length - 1].block : null;
  }

  // ---- What it is drawn with

  layOut() {
    const box = this.part('chart').getBoundingClientRect(), scale = devicePixelRatio || 1;
    if (box.width == 0) return;
    this.pixels = scale;
    this.left = box.width < 480 ? 44 : 76;
    this.width = box.width - this.left - 6;
    const places = this.rows.length / this.timeline.rowsEach;
    this.rowHeight = Math.max(3, Math.min(18, Math.floor((box.height - 24 - 4 * places) / this.rows.length)));
    this.canvas.width = Math.round(box.width * scale);
    this.canvas.height = Math.round((this.topOf(this.rows.length) + 2) * scale);
    this.canvas.style.height = this.canvas.height / scale + 'px';
    const style = getComputedStyle(this.root);
    this.colours = this.timeline.kinds.map(
        kind => style.getPropertyValue(`--t-${kind.kind}`).trim() || '#888888');
    this.ink = style.getPropertyValue('--ink').trim();
    this.soft = style.getPropertyValue('--soft').trim();
    this.focus = style.getPropertyValue('--focus').trim();
    this.draw();
  }
  topOf(row) { return 20 + row * this.rowHeight + 4 * Math.floor(row / this.timeline.rowsEach); }
  xOf(cycle) {
    return this.left + (cycle - this.scale.from) / (this.scale.to - this.scale.from) * this.width;
  }
  cycleAt(x) {
    return this.scale.from + (x - this.left) / this.width * (this.scale.to - this.scale.from);
  }
  // The run of a row that is going on at a cycle; the last one behind the end.
  runAt(row, cycle) {
    const {ends} = this.rows[row];
    let low = 0, high = ends.length - 1;
    while (low < high) {
      const middle = low + high >> 1;
      if (ends[middle] <= cycle) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  draw() {
    if (!this.colours || this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.drawNow();
    });
  }
  drawNow() {
    const pen = this.canvas.getContext('2d'), {pixels, scale} = this;
    pen.setTransform(pixels, 0, 0, pixels, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (let row = 0; row < this.rows.length; ++row) this.drawRow(pen, row);
    pen.globalAlpha = 1;
    this.drawAxis(pen);
    this.drawBlocks(pen);
    if (this.chosen) this.drawChosen(pen);
    this.part('range').textContent = `cycles ${number(scale.from)} to ${number(scale.to)}`;
    this.part('chart').dataset.lit = this.line !== null ? this.line : '';
  }
  drawRow(pen, row) {
    const {ends, codes} = this.rows[row], {scale, timeline} = this;
    const y = this.topOf(row), height = this.rowHeight - (this.rowHeight > 5 ? 1 : 0);
    const snap = x => Math.round(x * this.pixels) / this.pixels;
    const last = Math.min(scale.to, timeline.cycles);
    for (let run = this.runAt(row, scale.from); run < ends.length; ++run) {
      const begin = Math.max(scale.from, run > 0 ? ends[run - 1] : 0), end = Math.min(ends[run], last);
      if (begin >= last) break;
      const x = snap(this.xOf(begin)), width = snap(this.xOf(end)) - x;
      if (width <= 0) continue;
      pen.globalAlpha = this.isPale(codes[run]) ? 0.2 : 1;
      pen.fillStyle = this.colours[timeline.codes[codes[run]][0]];
      pen.fillRect(x, y, width, height);
    }
  }
  isPale(code) {
    const [kind, line] = this.timeline.codes[code];
    return (this.line !== null && line != this.line) || (this.kind !== null && kind != this.kind);
  }
  drawAxis(pen) {
    const {from, to} = this.scale, least = (to - from) / Math.max(2, this.width / 90);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    const step = [1, 2, 5, 10].map(factor => factor * power).find(tick => tick >= least);
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = this.soft;
    pen.textAlign = 'center';
    for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
      const x = this.xOf(tick);
      if (x < this.left + 14 && tick > 0) continue;
      pen.fillText(number(tick), Math.min(x, this.left + this.width - 12), 11);
      pen.fillRect(Math.round(x), 14, 1, 4);
    }
  }
  // Which blocks a place has; a line where the next one begins.
  drawBlocks(pen) {
    const {rowsEach} = this.timeline;
    let free = 0;
    this.blocks.forEach((ones, place) => {
      const y = this.topOf(place * rowsEach), height = rowsEach * this.rowHeight;
      pen.fillStyle = this.ink;
      for (const {begin} of ones.slice(1))
        if (begin >= this.scale.from && begin <= this.scale.to)
          pen.fillRect(Math.round(this.xOf(begin)), y, 1, height);
      if (y < free) return;
      free = y + 12;
      pen.fillStyle = this.soft;
      pen.textAlign = 'right';
      const names = ones.slice(0, 2).map(({block}) => block).join(', ') + (ones.length > 2 ? ', …' : '');
      pen.fillText((this.left < 60 ? '' : 'block ') + names, this.left - 6, y + 10, this.left - 8);
    });
  }
  drawChosen(pen) {
    const {row, run} = this.chosen, {ends} = this.rows[row];
    const x = Math.max(this.left, this.xOf(run > 0 ? ends[run - 1] : 0));
    const end = Math.min(this.left + this.width, this.xOf(ends[run]));
    if (end < this.left || x > this.left + this.width) return;
    pen.strokeStyle = this.ink;
    pen.lineWidth = 2;
    pen.strokeRect(x - 1, this.topOf(row) - 1, Math.max(end - x, 1) + 2, this.rowHeight + 1);
  }

  // ---- What it listens to

  listen() {
    const chart = this.part('chart');
    let down = null;
    chart.addEventListener('pointerdown', event => {
      if (event.button != 0) return;
      down = {x: event.clientX, from: this.scale.from, moved: false};
    });
    chart.addEventListener('pointermove', event => {
      if (!down || event.buttons == 0) return;
      const moved = event.clientX - down.x;
      down.moved = down.moved || Math.abs(moved) > 4;
      if (down.moved) this.show(down.from - moved / this.width * (this.scale.to - this.scale.from));
    });
    chart.addEventListener('pointerup', event => {
      if (down && !down.moved) this.chooseAt(event);
      down = null;
    });
    chart.addEventListener('wheel', event => {
      if (!event.ctrlKey && document.documentElement.scrollHeight > innerHeight + 1) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.cycleAt(event.clientX - chart.getBoundingClientRect().left));
    }, {passive: false});
    chart.addEventListener('keydown', event => {
      if (event.ctrlKey || event.altKey || event.metaKey || !this.act(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    for (const button of this.root.querySelectorAll('[data-zoom]'))
      button.addEventListener('click', () => this.act(button.dataset.zoom));
  }
  // A key of the chart, or a button beside it: false for those of others.
  act(key) {
    const ways = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]};
    if (ways[key]) this.move(...ways[key]);
    else if (key == '+' || key == '=') this.zoom(0.5);
    else if (key == '-') this.zoom(2);
    else if (key == '0') this.zoom(Infinity);
    else if (key == 'Escape') this.light({});
    else return false;
    return true;
  }
  chooseAt(event) {
    const box = this.canvas.getBoundingClientRect(), y = event.clientY - box.top;
    const cycle = this.cycleAt(event.clientX - box.left);
    let row = 0;
    while (row + 1 < this.rows.length && this.topOf(row + 1) <= y) ++row;
    if (cycle < this.scale.from || cycle >= this.timeline.cycles) return this.light({});
    this.choose(row, this.runAt(row, cycle));
  }
  choose(row, run) {
    const line = this.timeline.codes[this.rows[row].codes[run]][1];
    this.light({chosen: {row, run}, line: line < 0 ? null : line});
  }
  move(down, on) {
    if (!this.chosen) return this.choose(0, this.runAt(0, this.scale.from));
    let {row, run} = this.chosen;
    const begin = run > 0 ? this.rows[row].ends[run - 1] : 0;
    row = Math.max(0, Math.min(this.rows.length - 1, row + down));
    run = down ? this.runAt(row, begin) : run + on;
    run = Math.max(0, Math.min(this.rows[row].ends.length - 1, run));
    this.choose(row, run);
    const {ends} = this.rows[row], from = run > 0 ? ends[run - 1] : 0, span = this.scale.to - this.scale.from;
    if (from < this.scale.from || from > this.scale.to - span / 20) this.show(from - span / 4);
  }
  // Shows as many cycles as now, from here on.
  show(from) {
    const {scale} = this, span = scale.to - scale.from;
    scale.from = Math.max(0, Math.min(from, scale.whole - span));
    scale.to = scale.from + span;
    for (const view of scale.views) view.draw();
  }
  zoom(factor, around) {
    const {scale} = this, {chosen} = this;
    if (around === undefined && chosen)
      around = chosen.run > 0 ? this.rows[chosen.row].ends[chosen.run - 1] : 0;
    if (!(around >= scale.from && around <= scale.to)) around = (scale.from + scale.to) / 2;
    const before = scale.to - scale.from;
    const span = Math.max(20 * this.timeline.cell, Math.min(scale.whole, before * factor));
    const from = around - (around - scale.from) * span / before;
    scale.from = 0;
    scale.to = span;
    this.show(from);
  }
}

function percentOf(share) {
  return share > 0 && share < 0.01 ? '<1 %' : `${Math.round(100 * share)} %`;
}
function number(n) { return Math.round(n).toLocaleString('en'); }
