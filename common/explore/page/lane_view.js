// The lanes: those of the warp whose step it is, with their values, and a row for every warp.
class LaneView {
  constructor(strip, results, overview, model, toWarp) {
    this.model = model;
    this.cells = LaneView.fill(strip, true);
    this.results = LaneView.fill(results, true);
    this.resultRow = results;
    this.rows = [];
    const most = Math.max(...model.trace.blocks.map(block => block.warps));
    for (let w = 0; w < most; ++w) {
      const row = element('div', 'warp'), name = element('button', '', w);
      name.title = 'to the next step of this warp';
      name.setAttribute('aria-label', `warp ${w}: to its next step`);
      name.addEventListener('click', () => toWarp(w));
      row.append(name);
      overview.append(row);
      const lanes = element('span', 'lanes');
      row.append(lanes);
      this.rows.push({row, cells: LaneView.fill(lanes, false)});
    }
  }

  static fill(root, withText) {
    return Array.from({length: 32}, (_, lane) => {
      const cell = element('span', 'lane');
      cell.dataset.lane = lane;
      if (withText) cell.append(element('i', '', lane), element('b'));
      root.append(cell);
      return cell;
    });
  }

  // What lane of warp w does: a word for the style sheet.
  stateOf(w, lane) {
    const {fault} = this.model;
    if (fault && fault.marks.some(mark => mark.w == w && mark.lane == lane))
      return 'work fault';
    const {model} = this, {step} = model, has = mask => mask >>> lane & 1;
    const present = model.lanesOf(model.warps[w]);
    if (!(present >>> lane & 1)) return 'none';
    if (step && step.w == w && step.k != 'barrier' && has(step.m)) {
      if (step.k == 'branch' && step.parts && !(step.parts[0] >>> lane & 1)) return 'work other';
      if (step.k == 'arrive') return 'wait';
      return step.k == 'return' ? 'gone' : 'work';
    }
    if (has(model.gone[w])) return 'gone';
    if (has(model.waiting[w])) return 'wait';
    if (step && step.w == w && step.k != 'barrier') return 'off';
    if (step && step.k == 'barrier' && model.warps[step.w].block == model.warps[w].block)
      return 'ready';
    return has(model.last[w]) ? 'ready' : 'idle';
  }

  show() {
    const {model} = this, {step} = model;
    const w = step ? step.w : 0, first = model.firstWarp[model.block];
    const at = step ? lanesIn(step.m) : [];
    for (let lane = 0; lane < 32; ++lane) {
      LaneView.put(this.cells[lane], this.stateOf(w, lane), this.textOf(step, w, lane));
      const i = step && step.b ? at.indexOf(lane) : -1;
      LaneView.put(this.results[lane], i < 0 ? 'off' : 'work', i < 0 ? '' : short(step.v[i]));
    }
    this.resultRow.classList.toggle('shown', Boolean(step && step.b));
    this.rows.forEach(({row, cells}, i) => {
      const exists = i < model.trace.blocks[model.block].warps;
      row.classList.toggle('missing', !exists);
      row.classList.toggle('now', Boolean(step && exists && step.w == first + i));
      if (exists)
        for (let lane = 0; lane < 32; ++lane)
          LaneView.put(cells[lane], this.stateOf(first + i, lane));
    });
  }

  // Of a lane that brings its value to others, what it brings; else what it has.
  textOf(step, w, lane) {
    if (step && step.b && step.b[lane] !== null) return short(step.b[lane]);
    return step && step.b ? '' : short(this.model.registers[w][lane]);
  }

  static put(cell, state, text) {
    if (cell.state != state) {
      cell.className = 'lane ' + state;
      cell.state = state;
    }
    if (text !== undefined) putText(cell, text);
  }
}
