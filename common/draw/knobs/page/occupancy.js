// Lesson 06: what a block takes of a multiprocessor.
let ready = false;
const show = () => ready && draw();
const card = cardChoice(show);
const threads = slider('threads of a block', data.threads, data.threads.indexOf(512), show);
const registers = slider('registers of a thread', data.registers, data.registers.indexOf(32), show);
const shared = slider('KiB of shared memory of a block', data.shared, data.shared.indexOf(0), show);
const places = html('div'), curve = html('div');
view('Places for warps on one multiprocessor', places, legend([['var(--used)', 'a resident warp, in the shade of its block'], ['var(--empty)', 'an empty place']]));
view('Bandwidth, by resident warps and loads in flight of each thread', curve,
  legend([['var(--estimated)', 'estimated by the timing model'], ['var(--measured)', 'measured']]));
views.append(html('p', {}, 'A kernel with few resident warps is not slow for that: eight loads in flight of each thread need a ' +
  'quarter of the warps that two need.'));

const blocksAt = (t, r, s) => card().blocks[(t * data.registers.length + r) * data.shared.length + s];

function drawPlaces(warps, warpsOfBlock) {
  const all = card().warps, step = (width() - 14) / 32, picture = svg('svg', {viewBox: `0 0 ${width()} 62`, role: 'img', 'aria-label': `${warps} of ${all} warps are resident`});
  for (let w = 0; w < all; ++w)
    picture.append(svg('rect', {x: 8 + w % 32 * step, y: 6 + Math.floor(w / 32) * 27, width: step - 3, height: 23, rx: 3,
      fill: w < warps ? 'var(--used)' : 'var(--empty)', opacity: w < warps && Math.floor(w / warpsOfBlock) % 2 ? .65 : 1}));
  places.replaceChildren(picture);
}

function drawCurve(warps) {
  const {roof, points} = card();
  const {picture, x, y} = chart('Bandwidth by resident warps', {xs: [1, 64], xWords: 'resident warps of a multiprocessor',
    xTicks: data.warps.map(w => [w, w]), yMost: Math.ceil(roof / 1000) * 1000, yWords: 'GB/s', logarithmic: true});
  data.loads.forEach((l, i) => {
    picture.append(svg('path', {class: 'curve now', d: 'M' + points[i].map((p, j) => `${x(data.warps[j])} ${y(p.estimated)}`).join('L')}));
    points[i].forEach((p, j) => {
      if (p.measured !== undefined) picture.append(svg('circle', {class: 'mark', cx: x(data.warps[j]), cy: y(p.measured), r: 4.5}));
    });
  });
  data.loads.forEach((l, i) => {  // over the curves, at 16 warps
    const at = Math.min(4, points[i].length - 1);
    picture.append(svg('text', {x: x(data.warps[at]) - 8, y: y(points[i][at].estimated) - 6, 'text-anchor': 'end'}, l == 1 ? '1 load' : `${l} loads`));
  });
  if (warps > 0) picture.append(svg('path', {class: 'place', d: `M${x(warps)} ${y(0)}V16`}));
  curve.replaceChildren(picture);
}

function draw() {
  const t = threads.index, r = registers.index, s = shared.index, blocks = blocksAt(t, r, s);
  const ofBlock = threads.value / 32, warps = blocks * ofBlock, all = card().warps;
  const limits = [];
  if (blocks > 0) {
    if (blocksAt(t, 0, s) > blocks) limits.push('registers');
    if (blocksAt(t, r, 0) > blocks) limits.push('shared memory');
    if (!limits.length) limits.push(blocks == card().most && warps < all ? `${card().most} blocks at most` : `${all} warps at most`);
  }
  tell([['counted', blocks ? digits(blocks) : 'none', blocks == 1 ? 'block fits on a multiprocessor' : 'blocks fit on a multiprocessor'],
    ['counted', `${warps} of ${all} warps`, `occupancy ${digits(100 * warps / all)} %`],
    ['', blocks ? limits.join(' and ') : 'too large', blocks ? 'is what allows no more' : 'a block of this size cannot be launched']]);
  drawPlaces(warps, ofBlock);
  drawCurve(warps);
}
ready = true;
draw();
