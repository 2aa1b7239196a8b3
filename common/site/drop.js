// Result files that a reader chooses or drops: compare's own code, as WebAssembly, makes its page of them here. They
// are sent nowhere.
'use strict';
{
  const place = document.querySelector('.drop'), input = place.querySelector('input');
  const beside = place.querySelector('select'), status = place.querySelector('[role=status]');
  const {root, tooLarge, cannot, compared, save} = place.dataset;
  const frame = element('iframe', 'compared'), link = element('a', '', save);
  frame.title = compared;
  frame.setAttribute('sandbox', 'allow-same-origin');  // nothing runs in it
  link.download = 'compared.html';
  let files = [], turn = 0;

  // A script of the site, once.
  const scripts = {};
  const load = name => scripts[name] ??= new Promise((loaded, failed) => {
    const script = element('script');
    script.src = new URL(name, new URL(root, location.href));
    script.onload = loaded;
    script.onerror = failed;
    document.head.append(script);
  });

  const recordsFor = texts => {
    const records = window.recordedResults.filter(record => record.machine == beside.value);
    return new Set(texts.map(text => {
      let program;
      try { ({program} = JSON.parse(text)); } catch {}  // what is wrong with it says compare
      return records.find(record => record.program == program) || records.find(record => record.program == 'ladder');
    }).filter(record => record));
  };

  async function pageOf(chosen, refused) {
    const texts = await Promise.all(chosen.map(file => file.text()));
    await Promise.all([load('compare.js'), load('records.js')]);
    const compare = await compareModule();
    const put = text => {
      const size = compare.lengthBytesUTF8(text) + 1, at = compare._malloc(size);
      if (!at) throw new RangeError();
      compare.stringToUTF8(text, at, size);
      return at;
    };
    const take = (name, text) => compare._takeResult(put(name), put(text)) ||
      (refused.push(compare.UTF8ToString(compare._whyRefused())), 0);
    const taken = texts.filter((text, i) => take(chosen[i].name, text));
    if (!taken.length) return '';
    for (const {file, result} of recordsFor(taken)) take(file, JSON.stringify(result));
    return compare.UTF8ToString(compare._comparedPage());
  }

  async function show() {
    const mine = ++turn, refused = [];
    const fits = file => file.size <= 64 << 20 || (refused.push(`${file.name}: ${tooLarge}`), false);
    let html = '';
    for (const part of [...status.children, frame, link]) part.remove();
    URL.revokeObjectURL(link.href);
    try {
      html = await pageOf(files.filter(fits), refused);
    } catch {
      refused.push(cannot);
    }
    if (mine != turn) return;  // others were chosen since
    status.append(...refused.map(line => element('p', 'refused', line)));
    if (!html) return;
    frame.srcdoc = html.replaceAll('href="#', 'href="about:srcdoc#');  // its links lead to places in it
    link.href = URL.createObjectURL(new Blob([html], {type: 'text/html'}));
    place.append(link, frame);
  }

  const fit = () => {
    const page = frame.contentDocument?.documentElement;
    if (page) frame.style.height = page.getBoundingClientRect().height + 4 + 'px';
  };
  frame.addEventListener('load', fit);
  addEventListener('resize', fit);
  input.addEventListener('click', () => { input.value = ''; });  // the same file may have new results
  input.addEventListener('change', () => {
    files = [...input.files];
    show();
  });
  beside.addEventListener('change', () => { if (files.length) show(); });
  for (const event of ['dragover', 'dragleave', 'drop'])
    place.addEventListener(event, dragged => {
      dragged.preventDefault();
      place.classList.toggle('over', event == 'dragover');
      if (event != 'drop') return;
      files = [...dragged.dataTransfer.files];
      show();
    });
}
