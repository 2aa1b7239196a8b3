// The way through the traces: position, keys, buttons, the strip with what happens when, the address.
const marks = {d: 'divergence', c: 'conflict', w: 'waste', b: 'barrier', f: 'fault'};

class Transport {
  constructor(views, root, nav) {
    this.views = views;
    this.moments = momentsOf(views.map(view => view.model));
    this.length = this.moments.length - 1;
    this.t = 0;
    this.playing = 0;
    this.part = name => root.querySelector('.' + name);
    this.slider = this.part('slider');
    this.slider.max = this.length;
    this.slider.addEventListener('input', () => this.goTo(Number(this.slider.value)));
    this.canvas = this.part('strip-of-marks');
    for (const button of root.querySelectorAll('[data-do]')) {
      button.addEventListener('click', () => this.act(button.dataset.do));
      const letter = Object.keys(marks).find(key => marks[key] == button.dataset.do);
      if (letter && !this.has(letter)) button.hidden = true;
    }
    this.nav = nav;
    nav.hidden = !views.some(view => view.timeline);
    document.body.classList.toggle('timed', !nav.hidden);
    for (const button of nav.children)
      button.addEventListener('click', () => this.showTimeline(button.dataset.view == 'timeline'));
    this.part('speed').addEventListener('change', () => { if (this.playing) this.play(true); });
    document.addEventListener('keydown', event => this.key(event));
    addEventListener('hashchange', () => this.fromAddress());
    addEventListener('resize', () => this.layOut());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.layOut());
    if (!this.fromAddress()) this.goTo(this.start());
    this.layOut();
  }

  // At the first fault, of those that are not mild where there are any; else at the first step that
  // moves something, so that there is something to see.
  start() {
    for (const isMild of [false, true])
      for (const view of this.views)
        for (const fault of view.model.trace.faults)
          if (fault.mild == isMild && fault.t) return this.momentOf(view, fault.t);
    const first = this.moments.findIndex(
        positions => this.views.every((view, i) => {
          const step = view.model.steps[positions[i] - 1];
          return step && (step.o || step.b);
        }));
    return Math.max(first, 0);
  }

  has(letter) {
    return this.views.some(view => view.model.steps.some(step => (step.f || '').includes(letter)));
  }
  // Whether a step with this mark is reached at t.
  markedAt(t, letter) {
    return t > 0 && this.views.some((view, i) => {
      const position = this.moments[t][i];
      return position != this.moments[t - 1][i] &&
             (view.model.steps[position - 1].f || '').includes(letter);
    });
  }

  goTo(t, pass = 0) {
    this.t = Math.max(0, Math.min(this.length, t));
    this.views.forEach((view, i) => {
      if (view.model.t != this.moments[this.t][i] || view.pass || pass || !view.shown)
        view.goTo(this.moments[this.t][i], pass);
      view.shown = true;
      view.root.classList.toggle('still', this.t > 0 && this.views.length > 1 &&
                                 this.moments[this.t][i] == this.moments[this.t - 1][i]);
    });
    this.slider.value = this.t;
    this.slider.setAttribute('aria-valuetext', `step ${this.t} of ${this.length}`);
    this.part('position').textContent = `${this.t} / ${this.length}`;
    this.drawCursor();
    if (!this.playing) this.toAddress();
  }

  // One view is to come to its step t: the moment at which it does.
  goWith(view, t) {
    this.stop();
    this.goTo(this.momentOf(view, t));
  }
  momentOf(view, t) {
    const i = this.views.indexOf(view);
    return this.moments.findIndex(positions => positions[i] == t);
  }

  act(what) {
    const letter = Object.keys(marks).find(key => marks[key] == what);
    if (what == 'play') return this.play(!this.playing);
    if (what == 'view') return this.showTimeline(!TraceView.timing());
    if (what == 'whole') return this.whole();
    if (what == 'help') return document.getElementById('help').showModal();
    this.stop();
    if (letter) return this.toMark(letter, 1);
    if (what == 'pass') return this.nextPass();
    this.goTo({step: this.t + 1, back: this.t - 1, first: 0, last: this.length}[what]);
  }

  toMark(letter, way) {
    this.stop();
    for (let t = this.t + way; t > 0 && t <= this.length; t += way)
      if (this.markedAt(t, letter)) return this.goTo(t);
  }

  // The next pass of a request with bank conflicts: true while there is one.
  nextPass() {
    const most = Math.max(...this.views.map(view => (view.model.step || {}).passes || 0));
    const now = Math.max(...this.views.map(view => view.pass));
    if (most < 2) return false;
    for (const view of this.views) view.goTo(view.model.t, now < most ? now + 1 : 0);
    return now < most;
  }

  play(on) {
    this.stop();
    if (!on) return;
    if (this.t == this.length) this.goTo(0);
    document.body.classList.add('playing');
    this.announce('off');
    this.playing = setInterval(() => {
      if (!this.nextPass()) this.goTo(this.t + 1);
      if (this.t == this.length) this.stop();
    }, Number(this.part('speed').value));
  }
  // Sentences are read out by a screen reader step by step, not while they fly past.
  announce(how) {
    for (const view of this.views) view.sentence.setAttribute('aria-live', how);
  }
  stop() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = 0;
    document.body.classList.remove('playing');
    this.announce('polite');
    this.toAddress();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
    const inControl = /^(BUTTON|SELECT|SUMMARY)$/.test(event.target.tagName);
    const keys = {v: 'view', x: 'whole',
      ArrowRight: 'step', ArrowLeft: 'back', Home: 'first', End: 'last', '?': 'help', p: 'pass'};
    const letter = event.key.toLowerCase();
    if (event.target.tagName == 'SELECT') return;
    if (keys[event.key]) this.act(keys[event.key]);
    else if (event.key == ' ' && !inControl) this.act('play');
    else if (marks[letter]) this.toMark(letter, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  // On the whole screen, or back.
  whole() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => {});
  }

  // The second view, or the first one again.
  showTimeline(on) {
    on = on && !this.nav.hidden;
    document.body.classList.toggle('timing', on);
    for (const button of this.nav.children)
      button.setAttribute('aria-pressed', (button.dataset.view == 'timeline') == on);
    for (const view of this.views) {
      view.source.light(null);
      view.source.setTiming(on);
    }
    for (const view of this.views) if (view.timeline && on) view.timeline.light({});
    this.layOut();
    if (!this.playing) this.toAddress();
  }

  fromAddress() {
    const found = /^#t=(\d{1,9})(&view=timeline)?$/.exec(location.hash);
    if (found && Boolean(found[2]) != TraceView.timing()) this.showTimeline(Boolean(found[2]));
    if (found && Number(found[1]) != this.t) this.stop(), this.goTo(Number(found[1]));
    return found;
  }
  // Not for every step of a slider that is drawn along: browsers count.
  toAddress() {
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => {
      const address = '#t=' + this.t + (TraceView.timing() ? '&view=timeline' : '');
      try {
        history.replaceState(null, '', address);
      } catch { /* a page that has no address of its own */ }
      if (parent != window) parent.postMessage({explored: address}, '*');  // the page that it stands in
    }, 200);
  }

  layOut() {
    for (const view of this.views) view.layOut();
    this.drawMarks();
  }

  // A row for each kind of mark, so that none hides another; at most one to a pixel.
  drawMarks() {
    const {canvas} = this, box = canvas.getBoundingClientRect(), scale = devicePixelRatio || 1;
    canvas.width = Math.round(box.width * scale);
    canvas.height = Math.round(box.height * scale);
    const pen = canvas.getContext('2d'), style = getComputedStyle(canvas);
    pen.scale(scale, scale);
    const shapes = {
      b: (x, y) => pen.fillRect(x - 1, 1, 2, box.height - 2),
      w: (x, y) => pen.fillRect(x - 1.5, y - 2, 3, 4),
      c: (x, y) => { pen.moveTo(x, y - 3); pen.lineTo(x - 3, y + 3); pen.lineTo(x + 3, y + 3); },
      f: (x, y) => { pen.moveTo(x - 3, y - 3); pen.lineTo(x + 3, y + 3); pen.moveTo(x + 3, y - 3); pen.lineTo(x - 3, y + 3); pen.stroke(); },
      d: (x, y) => { pen.moveTo(x, y - 3.5); pen.lineTo(x - 3, y); pen.lineTo(x, y + 3.5); pen.lineTo(x + 3, y); }};
    pen.lineWidth = 2;
    ['b', 'w', 'c', 'd', 'f'].forEach((letter, row) => {
      pen.fillStyle = pen.strokeStyle = style.getPropertyValue('--' + marks[letter]).trim();
      let last = -9;
      for (let t = 1; t <= this.length; ++t) {
        if (!this.markedAt(t, letter)) continue;
        const x = this.xOf(t, box.width);
        if (x - last < 1) continue;
        last = x;
        pen.beginPath();
        shapes[letter](x, [0, 26, 16, 6, 11][row]);
        pen.fill();
      }
    });
    this.drawCursor();
  }
  // Where the slider's thumb is, which is 16 pixels wide.
  xOf(t, width) { return 8 + (width - 16) * (this.length ? t / this.length : 0); }
  drawCursor() {
    this.part('cursor').style.left = this.xOf(this.t, this.canvas.clientWidth) + 'px';
  }
}

// The positions that the traces have at each moment: each goes on, and waits for the others where it
// has passed as many barriers as they have not yet.
function momentsOf(models) {
  const phases = models.map(model => {
    const ends = [];
    model.steps.forEach((step, i) => { if (step.k == 'barrier') ends.push(i + 1); });
    return [...ends, model.steps.length];
  });
  const moments = [models.map(() => 0)], count = Math.max(...phases.map(ends => ends.length));
  for (let phase = 0; phase < count; ++phase) {
    const from = moments[moments.length - 1];
    const to = phases.map((ends, i) => phase < ends.length ? ends[phase] : from[i]);
    const steps = Math.max(...to.map((end, i) => end - from[i]));
    for (let n = 1; n < steps; ++n)  // the last step, the barrier, is taken together
      moments.push(to.map((end, i) => Math.max(from[i], Math.min(from[i] + n, end - 1))));
    if (steps > 0) moments.push(to);
  }
  return moments;
}
