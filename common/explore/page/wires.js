// Lines from the lanes to what they load and store, and from lane to lane in a shuffle.
class Wires {
  constructor(canvas, stage, view) {
    this.canvas = canvas;
    this.stage = stage;
    this.view = view;  // {model, lanes, memory, memoryRoot, zone}
    this.draw = this.draw.bind(this);
    view.memoryRoot.addEventListener('scroll', () => requestAnimationFrame(this.draw));
  }

  draw() {
    const {canvas, stage} = this, {model, memory, lanes} = this.view;
    const origin = stage.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
    const width = Math.round(origin.width * scale), height = Math.round(origin.height * scale);
    if (canvas.width != width) canvas.width = width;
    if (canvas.height != height) canvas.height = height;
    const pen = canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, -origin.left * scale, -origin.top * scale);
    pen.clearRect(origin.left, origin.top, origin.width, origin.height);
    const {step} = model;
    if (!step) return;
    const style = getComputedStyle(stage);
    this.colour = name => style.getPropertyValue(name).trim();
    if (step.b) this.exchange(pen, step, lanes);
    else if (step.o && step.a >= 0) this.access(pen, step, lanes, memory);
    else if (step.k == 'fault') this.fault(pen, lanes, memory);
  }

  // Lines end in sight: where the part of memory that is shown begins or ends.
  clip(pen) {
    const {memoryRoot, zone} = this.view;
    const m = memoryRoot.getBoundingClientRect(), z = zone.getBoundingClientRect();
    pen.beginPath();
    pen.rect(m.left, z.top, m.width, m.bottom - z.top);
    pen.clip();
  }

  access(pen, step, lanes, memory) {
    const pass = this.view.pass();
    pen.save();
    this.clip(pen);
    pen.lineWidth = 1.4;
    lanesIn(step.m).forEach((lane, i) => {
      const target = memory.cells[step.a].get(step.o[i]);
      if (!target) return;
      const late = pass && step.p[i] != pass;
      pen.globalAlpha = late ? 0.12 : 0.75;
      pen.strokeStyle = pen.fillStyle =
          this.colour(step.k == 'load' ? '--load' : step.k == 'store' ? '--store' : '--atomic');
      const from = lanes.cells[lane].getBoundingClientRect(), to = target.getBoundingClientRect();
      this.wire(pen, (from.left + from.right) / 2, from.bottom + 1, (to.left + to.right) / 2,
                to.top - 1, step.k != 'load', step.k != 'store');
    });
    pen.restore();
  }

  // With a head at the lower end, the upper end, or both.
  wire(pen, x1, y1, x2, y2, down, up) {
    const bend = Math.max(10, (y2 - y1) * 0.45);
    pen.beginPath();
    pen.moveTo(x1, y1 + (up ? 3 : 0));
    pen.bezierCurveTo(x1, y1 + bend, x2, y2 - bend, x2, y2 - (down ? 3 : 0));
    pen.stroke();
    const head = (x, y, way) => {
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x - 3, y - 5 * way);
      pen.lineTo(x + 3, y - 5 * way);
      pen.fill();
    };
    if (down) head(x2, y2, 1);
    if (up) head(x1, y1, -1);
  }

  exchange(pen, step, lanes) {
    pen.lineWidth = 1.4;
    pen.strokeStyle = pen.fillStyle = this.colour('--shuffle');
    lanesIn(step.m).forEach((lane, i) => {
      const sources = step.from ? [step.from[i]] : [lane];
      for (const source of sources) {
        const from = lanes.cells[source].getBoundingClientRect();
        const to = lanes.results[lane].getBoundingClientRect();
        pen.globalAlpha = source == lane ? 0.25 : 0.8;
        this.wire(pen, (from.left + from.right) / 2, from.bottom + 1, (to.left + to.right) / 2,
                  to.top - 1, true, false);
      }
    });
    pen.globalAlpha = 1;
  }

  fault(pen, lanes, memory) {
    pen.save();
    this.clip(pen);
    pen.lineWidth = 2;
    for (const mark of this.view.model.fault.marks) {
      const target = memory.cells[mark.a] && memory.cells[mark.a].get(mark.o);
      if (!target || mark.w != this.view.model.step.w) continue;
      pen.strokeStyle = pen.fillStyle = this.colour('--fault');
      const from = lanes.cells[mark.lane].getBoundingClientRect();
      const to = target.getBoundingClientRect();
      this.wire(pen, (from.left + from.right) / 2, from.bottom + 1, (to.left + to.right) / 2,
                to.top - 1, true, false);
    }
    pen.restore();
  }
}
