// What the pages share: sliders, a chart's axes, and the numbers beside them.
const data = JSON.parse(document.getElementById('estimated').textContent).turned;
const controls = document.getElementById('controls');
const told = document.getElementById('told');
const views = document.getElementById('views');

function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// A slider over the values: what it stands at is .value.
function slider(words, values, at, changed) {
  const shown = html('output');
  const input = html('input', {type: 'range', min: 0, max: values.length - 1, step: 1, value: at});
  const knob = {values, get index() { return Number(input.value); }, get value() { return values[this.index]; },
    set index(i) { input.value = i; update(); }};
  function update() {
    shown.textContent = knob.value;
    input.setAttribute('aria-valuetext', `${knob.value} ${words}`);
    changed();
  }
  input.addEventListener('input', update);
  controls.append(html('label', {}, html('span', {}, `${words}: `, shown), input));
  shown.textContent = knob.value;
  input.setAttribute('aria-valuetext', `${knob.value} ${words}`);
  return knob;
}
function cardChoice(changed) {
  const select = html('select', {}, ...data.cards.map((card, i) => html('option', {value: i}, card.name)));
  select.addEventListener('change', changed);
  controls.append(html('label', {}, 'card', select));
  return () => data.cards[Number(select.value)];
}
controls.addEventListener('submit', event => event.preventDefault());

const digits = (x, places = 0) => x.toLocaleString('en', {minimumFractionDigits: places, maximumFractionDigits: places});

// Each fact: how it is known (counted, estimated, measured or nothing), its value, and what it is.
function tell(facts) {
  told.replaceChildren(...facts.map(([kind, value, words]) =>
    html('div', kind ? {class: kind} : {}, html('b', {}, value), html('span', {}, words))));
}

function view(title, ...parts) {
  views.append(html('h2', {}, title), ...parts);
}
function legend(entries) {
  return html('div', {class: 'legend'}, ...entries.map(([colour, words]) =>
    html('span', {}, html('i', {style: `background: ${colour}`}), words)));
}

// How wide a picture is drawn: what is there, so that its words can be read on a telephone, too.
const width = () => Math.max(340, Math.min(720, views.clientWidth));
addEventListener('resize', () => draw());

// A chart with room for the axes' words; x and y map values to places in it.
function chart(label, {xs, xWords, xTicks, yMost, yWords, logarithmic = false}) {
  const picture = svg('svg', {viewBox: `0 0 ${width()} 300`, role: 'img', 'aria-label': label});
  const f = logarithmic ? Math.log2 : v => v;
  const [left, right, top, bottom] = [52, width() - 14, 16, 250];
  const x = v => left + (right - left) * (f(v) - f(xs[0])) / (f(xs[1]) - f(xs[0]));
  const y = v => bottom - (bottom - top) * Math.min(v, yMost) / yMost;
  picture.append(svg('path', {class: 'axis', d: `M${left} ${top}V${bottom}H${right}`}));
  for (let i = 0; i <= 4; ++i) {
    const v = yMost * i / 4;
    picture.append(svg('path', {class: 'axis', d: `M${left} ${y(v)}H${right}`, opacity: .5}),
      svg('text', {x: left - 6, y: y(v) + 4, 'text-anchor': 'end'}, digits(v)));
  }
  for (const [v, words] of xTicks)
    picture.append(svg('text', {x: x(v), y: bottom + 18, 'text-anchor': 'middle'}, words));
  picture.append(svg('text', {x: (left + right) / 2, y: 290, 'text-anchor': 'middle'}, xWords),
    svg('text', {x: left + 6, y: top + 2}, yWords));
  return {picture, x, y};
}
