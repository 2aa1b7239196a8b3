// What these pages and those of the site share: elements, and C++ in colours.
function element(name, className, text) {
  const e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

// Words, numbers, comments, texts.
class Highlighter {
  constructor() { this.inComment = false; }

  line(text) {
    const parts = [];
    const add = (className, part) => {
      if (part) parts.push(className ? element('span', className, part) : part);
    };
    let rest = text;
    while (rest) {
      if (this.inComment) {
        const end = rest.indexOf('*/');
        this.inComment = end < 0;
        add('comment', end < 0 ? rest : rest.slice(0, end + 2));
        rest = end < 0 ? '' : rest.slice(end + 2);
        continue;
      }
      const found = Highlighter.token.exec(rest);
      if (!found) { add('', rest); break; }
      add('', rest.slice(0, found.index));
      const token = found[0];
      if (token == '/*') {
        this.inComment = true;
        rest = rest.slice(found.index);
        if (rest.startsWith('/*/')) { add('comment', '/*'); rest = rest.slice(2); }
        continue;
      }
      add(token.startsWith('//') ? 'comment' : /^["']/.test(token) ? 'text'
          : /^[0-9]/.test(token) ? 'digits' : Highlighter.words.has(token) ? 'word'
          : /^__/.test(token) ? 'cuda' : Highlighter.own.has(token) ? 'cuda' : '', token);
      rest = rest.slice(found.index + token.length);
    }
    return parts;
  }
}
Highlighter.token = /\/\/.*|\/\*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\b[0-9][\w.']*|[A-Za-z_]\w*/;
Highlighter.own = new Set(['threadIdx', 'blockIdx', 'blockDim', 'gridDim', 'warpSize']);
Highlighter.words = new Set(('alignas auto bool break case char class const constexpr continue default do ' +
    'double else enum extern false float for goto if inline int int64_t long nullptr operator return short signed ' +
    'size_t sizeof static struct switch template this true typename uint32_t uint64_t uint8_t union unsigned ' +
    'using void volatile while').split(' '));
