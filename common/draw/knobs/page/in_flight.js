// Lesson 05: so many warps, so many loads in flight.
let ready = false;
const show = () => ready && draw();
const card = cardChoice(show);
const warps = slider('warps of a multiprocessor', data.warps, 2, show);
const loads = slider('loads in flight of each thread', data.loads, 0, show);
const curve = html('div'), rows = html('div'), colours = html('div');
view('Bandwidth, by bytes in flight', curve, legend([['var(--estimated)', 'estimated by the timing model'],
  ['var(--measured)', 'measured'], ['var(--law)', 'Little’s law: bytes in flight ÷ the idle memory’s latency']]));
view('What the first warps of a multiprocessor do meanwhile, estimated', rows, colours);
views.append(html('p', {}, 'Each row is a warp, from left to right in clock cycles. More warps, or more loads of each: both ' +
  'put more bytes on their way, and the waiting overlaps.'));

const bytesOf = (w, l) => w * l * 128 * card().multiprocessors;
const pointAt = (w, l) => card().points[data.loads.indexOf(l)][data.warps.indexOf(w)];

function drawCurve() {
  const {roof, latency} = card();
  const xs = [bytesOf(data.warps[0], data.loads[0]), bytesOf(data.warps.at(-1), data.loads.at(-1))];
  const ticks = [];
  for (let mb = 1 / 64; mb * 1e6 <= xs[1]; mb *= 4) if (mb * 1e6 >= xs[0]) ticks.push([mb * 1e6, mb < 1 ? digits(mb, 3) : digits(mb)]);
  const {picture, x, y} = chart('Bandwidth by bytes in flight', {xs, xWords: 'MB in flight, of the whole card',
    xTicks: ticks, yMost: Math.ceil(roof / 1000) * 1000, yWords: 'GB/s', logarithmic: true});
  const law = [];
  for (let b = xs[0]; b <= xs[1]; b *= 1.1) law.push(`${x(b)} ${y(Math.min(roof, b / latency))}`);
  picture.append(svg('path', {class: 'law', d: 'M' + law.join('L')}));
  const marks = [];
  for (const l of data.loads)
    for (const w of data.warps) {
      const {estimated, measured} = pointAt(w, l), now = w == warps.value && l == loads.value ? ' now' : '';
      const at = x(bytesOf(w, l));
      const parts = [svg('circle', {class: 'dot' + now, cx: at, cy: y(estimated), r: now ? 7 : 3.5})];
      if (measured !== undefined) {
        const r = now ? 8 : 4.5, m = y(measured);
        parts.push(svg('path', {class: 'mark' + now, d: `M${at} ${m - r}L${at + r} ${m}L${at} ${m + r}L${at - r} ${m}Z`}));
      }
      if (now) marks.push(...parts); else picture.append(...parts);
    }
  picture.append(...marks);
  curve.replaceChildren(picture);
}

function drawRows() {
  const all = pointAt(warps.value, loads.value).rows, height = 18;
  const picture = svg('svg', {viewBox: `0 0 ${width()} ${all.length * height + 30}`, role: 'img',
    'aria-label': 'What each of the first warps does, cycle by cycle'});
  const x = cycle => 62 + (width() - 76) * cycle / data.cycles, seen = new Set();
  all.forEach((row, warp) => {
    picture.append(svg('text', {x: 56, y: warp * height + 14, 'text-anchor': 'end'}, `warp ${warp}`));
    for (let i = 0, from = 0; i < row.length; from += data.cell * row[i + 1], i += 2) {
      const {kind} = data.groups[row[i]];
      seen.add(row[i]);
      picture.append(svg('rect', {x: x(from), y: warp * height + 2, width: Math.max(.6, x(from + data.cell * row[i + 1]) - x(from)),
        height: height - 4, fill: `var(--${kind})`}));
    }
  });
  for (let cycle = 0; cycle <= data.cycles; cycle += 600)
    picture.append(svg('text', {x: x(cycle), y: all.length * height + 20, 'text-anchor': cycle == 0 ? 'start' : cycle < data.cycles ? 'middle' : 'end'},
      cycle ? digits(cycle) : '0 cycles'));
  rows.replaceChildren(picture);
  colours.replaceChildren(legend([...seen].sort((a, b) => a - b).map(g => [`var(--${data.groups[g].kind})`, data.groups[g].name])));
}

function draw() {
  const w = warps.value, l = loads.value, {estimated, measured} = pointAt(w, l), {roof, latency, multiprocessors} = card();
  tell([['', `${digits(bytesOf(w, l) / 1e6, 2)} MB`, `in flight: ${w} warps × 32 threads × ${l} ${l == 1 ? 'load' : 'loads'} × 4 bytes × ${multiprocessors} multiprocessors`],
    ['', `${digits(roof * latency / 1e6, 2)} MB`, `Little’s law asks for at least, at ${latency} ns and ${digits(roof)} GB/s`],
    ['estimated', `${digits(estimated)} GB/s`, `estimated: ${digits(100 * estimated / roof)} % of what the card reads at most`],
    ['measured', measured === undefined ? '–' : `${digits(measured)} GB/s`, measured === undefined ? 'not measured at this place' : 'measured on this card']]);
  drawCurve();
  drawRows();
}
ready = true;
draw();
