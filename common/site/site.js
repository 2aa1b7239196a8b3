// What the pages do besides being read: search, meanings and origins where they are asked for,
// explored pages, keys. Every page is whole without it.
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
document.documentElement.classList.add('scripts');

// ---- Code in colours

for (const code of all('code.language-cpp')) {
  const highlighter = new Highlighter();
  const lines = code.textContent.split('\n').map(line => highlighter.line(line));
  code.replaceChildren(...lines.flatMap((line, i) => i ? ['\n', ...line] : line));
}
for (const table of all('table.counted')) {
  const highlighter = new Highlighter();
  for (const code of all('code', table))
    code.replaceChildren(...highlighter.line(code.textContent.replace(/\n$/, '')), '\n');
}
if (window.exploredWords) {  // what explored pages count, in the language of the page
  const said = text => window.exploredWords.reduce((part, [what, instead]) => part.replace(new RegExp(what), instead), text);
  for (const part of all('.counted :is(abbr, caption span)')) {
    part.textContent = said(part.textContent);
    if (part.title) part.title = said(part.title);
  }
}
for (const code of all('code.language-diff')) {
  const lines = code.textContent.split('\n');
  code.replaceChildren(...lines.flatMap((line, i) => [i ? '\n' : '',
    element('span', {'+': 'added', '-': 'removed'}[line[0]] || '', line)]));
}

// ---- The contents, where the window is narrow

{
  const button = document.querySelector('.menu');
  button.addEventListener('click', () => {
    const open = document.documentElement.classList.toggle('menu-open');
    button.setAttribute('aria-expanded', open);
    if (open) document.querySelector('#contents [aria-current]')?.focus();
  });
  for (const link of all('#contents .sections a'))
    link.addEventListener('click', () => {
      document.documentElement.classList.remove('menu-open');
      button.setAttribute('aria-expanded', false);
    });
}

// ---- What a word means, and where a figure comes from

{
  const shown = element('div');
  shown.id = 'shown';
  shown.setAttribute('role', 'tooltip');
  let asked = null;
  const hide = () => {
    asked?.removeAttribute('aria-describedby');
    asked = null;
    shown.remove();
  };
  const show = (link, ...contents) => {
    if (asked == link) return;
    hide();
    asked = link;
    shown.replaceChildren(...contents);
    document.body.append(shown);
    const at = link.getClientRects()[0], room = document.documentElement.clientWidth - shown.offsetWidth - 12;
    shown.style.left = Math.max(12, Math.min(at.left, room)) + scrollX + 'px';
    const below = at.bottom + 6 + shown.offsetHeight <= innerHeight || at.top < shown.offsetHeight + 70;
    shown.style.top = (below ? at.bottom + 6 : at.top - 6 - shown.offsetHeight) + scrollY + 'px';
    link.setAttribute('aria-describedby', 'shown');
  };
  for (const link of all('a.word')) {
    const meaning = () => show(link, element('p', '', link.dataset.meaning));
    link.addEventListener('pointerenter', event => { if (event.pointerType == 'mouse') meaning(); });
    link.addEventListener('pointerleave', event => { if (event.pointerType == 'mouse') hide(); });
    link.addEventListener('focus', () => { if (link.matches(':focus-visible')) meaning(); });
    link.addEventListener('blur', hide);
    let touched = false;  // the first touch shows the meaning, the second follows the link
    link.addEventListener('pointerdown', event => { touched = event.pointerType != 'mouse' && asked != link; });
    link.addEventListener('click', event => {
      if (!touched) return;
      event.preventDefault();
      meaning();
    });
  }
  for (const link of all('a.figure'))
    link.addEventListener('click', event => {
      const said = document.getElementById(link.hash.slice(1));
      if (!said) return;
      event.preventDefault();
      if (asked == link) hide();
      else show(link, ...[...said.cloneNode(true).childNodes]);
    });
  document.addEventListener('pointerdown', event => {
    if (asked && !shown.contains(event.target) && !asked.contains(event.target)) hide();
  });
  document.addEventListener('keydown', event => { if (event.key == 'Escape') hide(); });
}

// ---- Explored kernels, and pages to turn

const explored = all('.explored');
const isAddress = /^[\w=&.,-]{1,200}$/;
// #explore:t=12 is the moment t=12 of the page in the frame explore.
function toMoment() {
  const [id, address] = location.hash.slice(1).split(':'), figure = document.getElementById(id);
  if (!figure?.matches('.explored') || !isAddress.test(address)) return;
  const frame = figure.querySelector('iframe');
  frame.loading = 'eager';
  frame.src = frame.getAttribute('src').split('#')[0] + '#' + address;
  figure.scrollIntoView();
}
for (const figure of explored) {
  const frame = figure.querySelector('iframe');
  const speak = () => {  // in the language of the page, where it has the words
    const {lang} = document.documentElement;
    if (window.exploredWords) frame.contentWindow.postMessage({language: lang, words: window.exploredWords}, '*');
  };
  speak();  // to a frame that was there before this script
  frame.addEventListener('load', speak);
  addEventListener('message', event => {
    const address = event.source == frame.contentWindow && String(event.data?.explored).slice(1);
    if (address && isAddress.test(address))
      figure.querySelector('.moment').setAttribute('href', `#${figure.id}:${address}`);
  });
  figure.querySelector('.whole').addEventListener('click', () => whole(figure));
}
addEventListener('hashchange', toMoment);
toMoment();
// The one that is named, or that is nearest to the middle of the window.
function whole(figure) {
  const apart = one => {
    const box = one.getBoundingClientRect();
    return Math.abs(box.top + box.bottom - innerHeight);
  };
  const frame = (figure || [...explored].sort((a, b) => apart(a) - apart(b))[0]).querySelector('iframe');
  frame.loading = 'eager';
  if (frame.requestFullscreen) frame.requestFullscreen().then(() => frame.focus(), () => {});
  else location.href = frame.src;  // telephones that have no whole screen for pages
}

// ---- Search

const search = {
  dialog: document.getElementById('search'),
  open() {
    if (!search.dialog.open) search.dialog.showModal();
    search.input.select();
    if (search.asked) return;
    search.asked = true;
    for (const src of [search.dialog.dataset.library, search.dialog.dataset.index]) {
      const script = document.createElement('script');
      script.src = src;
      script.async = false;  // in this order
      script.addEventListener('load', () => search.show());
      document.head.append(script);
    }
  },
  // Words; of Chinese, which has no blanks between them, each two neighbours, and in a text also the
  // last one alone.
  words(text, isText) {
    const words = text.toLowerCase().match(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu) || [];
    return words.flatMap(word => {
      if (!/\p{Script=Han}/u.test(word)) return [word];
      const letters = [...word], pairs = letters.slice(1).map((letter, i) => letters[i] + letter);
      return isText || !pairs.length ? [...pairs, letters.at(-1)] : pairs;
    });
  },
  // Sections that have all words or what begins so, also with a slip in a long one; best first.
  find(text) {
    if (!window.searchIndex || !window.MiniSearch) return [];
    search.index ||= (() => {
      const index = new MiniSearch({fields: ['title', 'in', 'text'], storeFields: ['title'], processTerm: term => term,
                                    tokenize: text => search.words(text, true)});
      index.addAll(window.searchIndex.map((section, id) => ({...section, id})));
      return index;
    })();
    const asked = text.trim().toLowerCase();
    return search.index.search(asked, {
      combineWith: 'AND', prefix: true, boost: {title: 4, in: 2}, tokenize: text => search.words(text, false),
      fuzzy: term => /^[a-z]{5,}$/.test(term) && 0.2,
      boostDocument: (id, term, {title}) => title.toLowerCase() == asked ? 10 : 1,
    }).slice(0, 30).map(({id, terms}) => {
      const section = window.searchIndex[id], body = section.text.toLowerCase();
      const words = asked.split(/\s+/).filter(word => body.includes(word));
      return {section, words: words.length ? words : terms};
    });
  },
  show() {
    const found = search.find(search.input.value), {dialog} = search;
    const root = new URL('.', new URL(dialog.dataset.root, location.href));
    dialog.querySelector('ol').replaceChildren(...found.map(({section, words}) => {
      const link = element('a');
      link.href = new URL(section.page + (section.id ? '#' + section.id : ''), root).href;
      link.append(element('b', '', section.title), section.title == section.in ? '' : ' · ' + section.in,
                  search.excerpt(section.text, words));
      const item = element('li');
      item.append(link);
      return item;
    }));
    search.hint.textContent = found.length || !search.input.value ? search.firstHint : dialog.dataset.none;
  },
  excerpt(text, words) {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 50), small = element('small');
    const part = (at ? '… ' : '') + text.slice(at, at + 170) + (at + 170 < text.length ? ' …' : '');
    const marks = new RegExp('(' + words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') + ')', 'i');
    small.append(...part.split(marks).map((piece, i) => i % 2 ? element('mark', '', piece) : piece));
    return small;
  },
};
search.input = search.dialog.querySelector('input');
search.hint = search.dialog.querySelector('.hint');
search.firstHint = search.hint.textContent;
search.input.addEventListener('input', search.show);
search.dialog.querySelector('form').addEventListener('submit', event => {
  const first = search.dialog.querySelector('li a');
  if (event.submitter || !first) return;
  event.preventDefault();
  first.click();
});
search.input.addEventListener('keydown', event => {
  if (event.key != 'Enter') return;
  event.preventDefault();
  search.dialog.querySelector('li a')?.click();
});
search.dialog.addEventListener('click', event => {
  if (event.target == search.dialog || event.target.closest('a')) search.dialog.close();
});
document.querySelector('.look').addEventListener('click', search.open);

// ---- The other language, at the same section

for (const link of all('a.language'))
  link.addEventListener('click', () => {
    const read = all('article :is(h2, h3)[id]').filter(h => h.getBoundingClientRect().top < 120).pop();
    link.hash = location.hash.includes(':') ? location.hash : read ? read.id : '';
  });

// ---- Keys

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, dialog, select')) return;
  const to = selector => document.querySelector(selector)?.click();
  if (event.key == '/') search.open();
  else if (event.key == 'n') to('.ways .next');
  else if (event.key == 'p') to('.ways .previous');
  else if (event.key == 'x' && explored.length) whole();
  else return;
  event.preventDefault();
});
