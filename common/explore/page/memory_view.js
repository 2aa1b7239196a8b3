// The arrays: global memory in lines of 128 bytes and sectors of 32, shared memory in its banks.
class MemoryView {
  constructor(root, model) {
    this.root = root;
    this.model = model;
    this.lit = [];
    this.cells = model.trace.arrays.map(() => new Map());
    this.sectors = model.trace.arrays.map(() => new Map());
    model.trace.arrays.forEach((array, a) => root.append(this.arrayOf(array, a)));
    for (const [a, cells] of this.cells.entries())
      for (const [cell, e] of cells) putText(e, short(model.valueOf(a, cell)));
  }

  arrayOf(array, a) {
    const box = element('section', 'array ' + array.space);
    const title = element('h3', '', array.name + ' ');
    title.append(element('small', '', array.about));
    box.append(title);
    const bank = array.space == 'shared', perLine = Math.max(1, Math.min(32, 128 / array.cell));
    const perSector = bank ? perLine : Math.min(perLine, 32 / array.cell);
    if (bank) box.append(this.banks(perLine));
    let before = -1;
    for (const line of array.shown) {
      if (line != before + 1) box.append(element('div', 'gap', '⋯'));
      before = line;
      box.append(this.lineOf(array, a, line, perLine, perSector));
    }
    return box;
  }

  banks(perLine) {
    const line = element('div', 'line banks'), cells = element('span', 'cells');
    for (let i = 0; i < perLine; ++i)
      cells.append(element('span', 'bank', i * (32 / perLine)));
    line.append(element('span', 'index', 'bank'), cells);
    return line;
  }

  // A row of cells, which begins where a line of 128 bytes does, whatever the array's first is.
  lineOf(array, a, number, perLine, perSector) {
    const line = element('div', 'line'), cells = element('span', 'cells');
    const begin = number * perLine - array.offset;
    line.append(element('span', 'index', Math.max(0, begin)), cells);
    for (let i = 0; i < perLine; i += perSector) {
      const sector = element('span', 'sector');
      for (let cell = begin + i; cell < begin + i + perSector; ++cell) {
        const inside = cell >= 0 && cell < array.cells;
        const e = element('span', inside ? 'cell' : 'cell outside');
        this.cells[a].set(cell, e);
        e.append(element('b'));
        if (inside) e.dataset.cell = a + ':' + cell;
        sector.append(e);
      }
      if (array.space != 'shared')
        this.sectors[a].set((number * perLine + i) * array.cell / 32, sector);
      cells.append(sector);
    }
    return line;
  }

  // pass: the one to light of a request that takes several, or 0 for all.
  show(pass) {
    const {model} = this, {step} = model;
    if (this.block != model.block) {
      this.block = model.block;
      model.trace.arrays.forEach((array, a) => {
        if (array.space == 'shared')
          for (const cell of this.cells[a].keys()) model.changed.add(a + ':' + cell);
      });
    }
    for (const key of model.changed) {
      const [a, cell] = key.split(':').map(Number), e = this.cells[a].get(cell);
      if (e) putText(e, short(model.valueOf(a, cell)));
    }
    model.changed.clear();
    for (const e of this.lit) {
      e.classList.remove('hit', 'store', 'atomic', 'fetched', 'later', 'rival', 'fault');
      delete e.dataset.pass;
    }
    this.lit = [];
    if (step && step.a >= 0 && step.o) this.light(step, pass);
    for (const mark of model.fault ? model.fault.marks : []) {
      const e = this.cells[mark.a] && this.cells[mark.a].get(mark.o);
      if (!e) continue;
      e.classList.add('fault');
      this.lit.push(e);
    }
    if (this.lit.length > 0) this.keepInSight(this.lit);
  }

  light(step, pass) {
    for (const [sector] of step.s || []) {
      const e = this.sectors[step.a].get(sector);
      if (!e) continue;
      e.classList.add('fetched');
      this.lit.push(e);
    }
    step.o.forEach((cell, i) => {
      for (let n = 0; n < (step.n || 1); ++n) {
        const e = this.cells[step.a].get(cell + n);
        if (!e) continue;
        e.classList.add(pass && step.p[i] != pass ? 'later' : 'hit');
        if (step.k != 'load') e.classList.add(step.k);
        if (step.p && step.passes > 1) e.dataset.pass = step.p[i];
        this.lit.push(e);
      }
    });
  }

  keepInSight(cells) {
    const {root} = this, room = root.clientHeight;
    if (root.scrollHeight <= room + 1) return;
    const base = root.getBoundingClientRect().top - root.scrollTop;
    let top = Infinity, bottom = 0;
    for (const cell of cells) {
      const box = cell.getBoundingClientRect();
      top = Math.min(top, box.top - base);
      bottom = Math.max(bottom, box.bottom - base);
    }
    if (bottom - top > room) bottom = top + room;
    if (top < root.scrollTop + 30) root.scrollTop = top - 30;
    else if (bottom + 6 > root.scrollTop + room) root.scrollTop = bottom + 6 - room;
  }
}
