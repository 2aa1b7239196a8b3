// Lesson 03: the elements between two lanes.
let ready = false;
const show = () => ready && draw();
const card = cardChoice(show);
const stride = slider('elements from lane to lane', Array.from({length: data.counted.length}, (_, i) => i + 1), 0, show);
const padding = html('input', {type: 'checkbox'});
padding.addEventListener('change', show);
controls.append(html('label', {class: 'check'}, padding, html('span', {}, 'one word of padding after every 32')));
const sectors = html('div'), banks = html('div'), bandwidth = html('div');
view('Global memory: the sectors that one load of a warp moves', sectors,
  legend([['var(--used)', 'a word that a lane asked for'], ['var(--moved)', 'moved with it, for nobody'], ['var(--empty)', 'not moved']]));
view('Shared memory: which bank each lane meets', banks,
  legend([['var(--used)', 'served in the first pass'], ['var(--conflicts)', 'waits for a later pass']]));
view('Useful bytes of global memory, by stride', bandwidth, legend([['var(--estimated)', 'estimated by the timing model']]));

function drawSectors() {
  const s = stride.value, columns = 16, step = (width() - 10) / columns, last = 31 * s, count = Math.ceil((last + 1) / 8);
  const picture = svg('svg', {viewBox: `0 0 ${width()} ${Math.ceil(count / columns) * 20 + 6}`, role: 'img',
    'aria-label': `${data.counted[s - 1].sectors} sectors are moved for 32 lanes`});
  for (let i = 0; i < count; ++i) {
    const x = 6 + i % columns * step, y = 5 + Math.floor(i / columns) * 20, words = [];
    for (let w = 0; w < 8; ++w) if ((i * 8 + w) % s == 0 && i * 8 + w <= last) words.push(w);
    picture.append(svg('rect', {class: 'sector' + (words.length ? ' moved' : ''), x, y, width: step - 3, height: 15, rx: 2}));
    for (const w of words) picture.append(svg('rect', {class: 'word', x: x + 1 + w * (step - 4) / 8, y: y + 2, width: (step - 4) / 8 - .8, height: 11}));
  }
  sectors.replaceChildren(picture);
}

function drawBanks() {
  const {banks: of, passes, pass} = data.counted[stride.value - 1].shared[padding.checked ? 1 : 0];
  const height = Math.max(6, Math.min(16, 192 / passes)), bottom = passes * height + 8, step = (width() - 14) / 32, taken = Array(32).fill(0);
  const picture = svg('svg', {viewBox: `0 0 ${width()} ${bottom + 22}`, role: 'img', 'aria-label': `${passes} passes through the banks`});
  of.forEach((bank, lane) => {
    const x = 8 + bank * step, y = bottom - ++taken[bank] * height;
    picture.append(svg('rect', {class: 'lane' + (pass[lane] > 1 ? ' late' : ''), x, y: y + 1, width: step - 3, height: height - 2, rx: 2},
      svg('title', {}, `lane ${lane}: bank ${bank}, pass ${pass[lane]}`)));
  });
  for (let bank = 0; bank < 32; bank += 4)
    picture.append(svg('text', {x: 8 + bank * step + step / 2, y: bottom + 16, 'text-anchor': 'middle'}, bank));
  banks.replaceChildren(picture);
}

function drawBandwidth() {
  const {estimated, roof} = card();
  const {picture, x, y} = chart('Useful bandwidth by stride', {xs: [0.5, estimated.length + .5], xWords: 'elements from lane to lane',
    xTicks: [1, 2, 4, 8, 16, 24, 32].map(s => [s, s]), yMost: Math.ceil(roof / 1000) * 1000, yWords: 'GB/s that are used'});
  estimated.forEach((gbps, i) => picture.append(svg('rect', {class: 'bar' + (i + 1 == stride.value ? ' now' : ''), x: x(i + .5) + 1,
    y: y(gbps), width: x(2) - x(1) - 2, height: y(0) - y(gbps)})));
  bandwidth.replaceChildren(picture);
}

function draw() {
  const s = stride.value, counted = data.counted[s - 1], shared = counted.shared[padding.checked ? 1 : 0];
  const cycles = card().measuredCycles[shared.passes], gbps = card().estimated[s - 1];
  tell([['counted', `${counted.sectors} sectors`, `of global memory for a load, by count: ${digits(100 * 128 / (32 * counted.sectors))} % of the bytes are used`],
    ['estimated', `${digits(gbps)} GB/s`, 'of useful bytes, estimated'],
    ['counted', shared.passes == 1 ? 'no conflict' : `${shared.passes}-way conflict`, `in shared memory, by count: ${shared.passes} ${shared.passes == 1 ? 'pass' : 'passes'}`],
    cycles === undefined ? ['estimated', `${shared.passes} cycles`, 'a load from shared memory takes of the pipe, estimated']
      : ['measured', `${digits(cycles, 2)} cycles`, 'a load from shared memory takes of the pipe, measured']]);
  drawSectors();
  drawBanks();
  drawBandwidth();
}
ready = true;
draw();
