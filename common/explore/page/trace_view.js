// One trace: its source, lanes, memory and counters, kept at one position.
class TraceView {
  // estimate: of a launch like it, or null; scale: see TimelineView.
  constructor(trace, estimate, scale, go) {
    this.model = new Model(trace);
    this.root = document.getElementById('trace').content.firstElementChild.cloneNode(true);
    const part = name => this.root.querySelector('.' + name);
    part('title').textContent = trace.title;
    part('about').textContent = trace.about;
    part('cut').textContent = trace.cut || '';
    this.root.classList.toggle('has-fault', trace.faults.length > 0);
    this.faultButtons = this.listFaults(part('faults'), t => go(this, t));
    this.sentence = part('sentence');
    this.whose = part('whose');
    this.passes = part('passes');
    this.hint = part('hint');
    this.numbers = part('numbers');
    this.stage = part('stage');
    const {model} = this, pass = () => this.pass;
    const toStep = condition => {
      let t = model.find(condition);
      if (t < 0) t = model.steps.findIndex(condition) + 1;
      if (t > 0) go(this, t);
    };
    this.source = new SourceView(part('code-pane'), model, estimate, line => {
      if (TraceView.timing()) this.timeline && this.timeline.light({line});
      else toStep(step => step.at == line);
    });
    this.lanes = new LaneView(part('strip'), part('results'), part('overview'), model,
                              w => toStep(step => step.w == model.firstWarp[model.block] + w));
    this.memory = new MemoryView(part('memory'), model);
    this.wires = new Wires(part('wires'), this.stage, {
      model, pass, lanes: this.lanes, memory: this.memory, memoryRoot: part('memory'),
      zone: part('zone')});
    this.counterRows = this.makeCounters(part('counters'));
    new ResizeObserver(() => this.layOut()).observe(this.stage);  // rows that come into sight grow
    this.pass = 0;
    this.timeline = estimate && estimate.timeline ? new TimelineView(
        part('timeline'), estimate, model, scale, line => this.source.light(line)) : null;
    if (!this.timeline)
      part('timeline').replaceChildren(element('p', 'told', 'Of this launch nothing was estimated.'));
    this.root.addEventListener('pointerover', event => this.explain(event.target));
    this.root.addEventListener('click', event => this.explain(event.target));
    this.longest = 1;
    for (const values of this.allValues())
      for (const value of values) this.longest = Math.max(this.longest, short(value).length);
  }

  *allValues() {
    const {trace} = this.model;
    for (const array of trace.arrays)
      for (const [, values] of array.initial || []) yield values;
    for (const step of trace.steps)
      for (const values of [step.v, step.u, step.b])
        if (values) yield values;
  }

  // Several faults: each a click away.
  listFaults(list, jump) {
    const {faults} = this.model.trace;
    if (faults.length < 2) return [];
    return faults.map((fault, i) => {
      const lines = [...new Set(fault.lines.map(line => this.model.numberOf(line)))];
      const where = lines.length == 0 ? '' : `, line${lines.length > 1 ? 's' : ''} ${lines.join(' and ')}`;
      const button = element('button', fault.mild ? 'mild' : '', `${i + 1}: ${fault.kind}${where}`);
      button.title = fault.text;
      button.addEventListener('click', () => { if (fault.t) jump(fault.t); });
      list.append(button);
      return button;
    });
  }

  makeCounters(table) {
    const {trace} = this.model;
    return trace.counters.map(counter => {
      const row = table.insertRow();
      row.append(element('th', '', counter.title), element('td', 'so-far'), element('td', 'total'),
                 element('td', 'plus'));
      row.lastChild.previousSibling.textContent = counter.total.toLocaleString('en');
      row.hidden = counter.total == 0;
      return row;
    });
  }

  // Whether the page shows the timeline.
  static timing() { return document.body.classList.contains('timing'); }

  goTo(t, pass = 0) {
    this.model.goTo(t);
    const {step} = this.model;
    this.pass = step && step.passes > 1 ? Math.min(pass, step.passes) : 0;
    this.show();
  }

  show() {
    const {model} = this, {step, trace} = model;
    this.sentence.textContent = step ? step.text
        : 'Nothing has run yet. The right arrow key goes one step on.';
    const warp = step ? model.warps[step.w] : model.warps[0];
    const lanes = step ? lanesIn(step.m).length : 0;
    this.whose.textContent = trace.blocks[warp.block].name + ', warp ' + warp.number +
        (lanes > 0 ? `: ${lanes} ${lanes == 1 ? 'lane' : 'lanes'}` : '');
    this.source.show();
    this.lanes.show();
    this.memory.show(this.pass);
    this.showPasses(step);
    this.counterRows.forEach((row, c) => {
      row.children[1].textContent = model.counters[c].toLocaleString('en');
      const plus = step && (step.c || []).find(([counter]) => counter == c);
      row.children[3].textContent = plus ? '+' + plus[1] : '';
      row.classList.toggle('now', Boolean(plus));
    });
    this.faultButtons.forEach((button, i) =>
      button.setAttribute('aria-pressed', Boolean(model.fault) && step.n == i));
    this.fillNumbers(step);
    if (!TraceView.timing()) this.layOut();
    else if (this.timeline) this.timeline.light({line: step && step.at >= 0 ? step.at : null});
  }

  showPasses(step) {
    const count = step && step.passes > 1 ? step.passes : 0;
    this.passes.classList.toggle('shown', count > 0);
    this.passes.replaceChildren();
    if (count == 0) return;
    this.passes.append(element('span', '', 'pass'));
    for (let pass = 0; pass <= count; ++pass) {
      const button = element('button', '', pass == 0 ? 'all' : pass);
      button.setAttribute('aria-pressed', pass == this.pass);
      button.addEventListener('click', () => this.goTo(this.model.t, pass));
      this.passes.append(button);
    }
  }

  // The step in a table: the same as the picture, for who reads rather than looks.
  fillNumbers(step) {
    if (!this.numbers.closest('details').open) return;
    const rows = [['lane', 'element', 'value']], array = step && this.model.trace.arrays[step.a];
    lanesIn(step ? step.m : 0).forEach((lane, i) => rows.push([
      lane + (step.from ? ' from ' + step.from[i] : ''),
      array && step.o && step.o[i] >= 0 ? labelOf(array, step.o[i]) : '',
      step.v && step.v[i] !== null ? step.v[i] : '']));
    this.numbers.replaceChildren(...rows.map((cells, r) => {
      const row = element('tr');
      row.append(...cells.map(cell => element(r == 0 ? 'th' : 'td', '', cell)));
      return row;
    }));
  }

  // Says what an element or a lane holds, in a line that is always there.
  explain(target) {
    const cell = target.closest('[data-cell]'), lane = target.closest('.strip [data-lane]');
    const {model} = this;
    if (cell) {
      const [a, i] = cell.dataset.cell.split(':').map(Number), array = model.trace.arrays[a];
      const value = model.valueOf(a, i), by = model.find(
          step => step.a == a && step.k != 'load' && step.o && step.o.includes(i), -1);
      this.hint.textContent = `${labelOf(array, i)} ${value === null ? 'was never written' : '= ' + value}` +
          (array.space == 'shared' ? `, bank ${(i + array.offset) * array.cell / 4 % 32}` : '') +
          (by > 0 ? `, written before in step ${by}` : '');
    } else if (lane) {
      const w = model.step ? model.step.w : 0, value = model.registers[w][lane.dataset.lane];
      this.hint.textContent = `lane ${lane.dataset.lane}, thread ` +
          (32 * model.warps[w].number + Number(lane.dataset.lane)) + ' of its block' +
          (value === null ? '' : `: last value ${value}`);
    }
  }

  // Values stand upright where cells are too narrow for them.
  layOut() {
    if (TraceView.timing()) return this.timeline && this.timeline.layOut();
    const cell = this.lanes.cells[0].getBoundingClientRect().width;
    if (cell && cell != this.cellWidth) {
      this.cellWidth = cell;
      const letters = Math.max(1, Math.floor((cell - 2) / 6.8));
      this.stage.classList.toggle('upright', letters < this.longest);
      this.stage.dataset.fits = Math.min(letters, 5);
      this.stage.style.setProperty('--letters', this.longest);
    }
    this.wires.draw();
  }
}
