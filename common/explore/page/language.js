// The page around this one may bring the words of another language: pairs of a regular expression
// and what stands in its place, one after the other on every text but code.
addEventListener('message', event => {
  if (parent == window || event.source != parent || !Array.isArray(event.data?.words)) return;
  const words = event.data.words.map(([what, instead]) => [new RegExp(what, 'g'), String(instead)]);
  const said = text => /[a-z]{2}/i.test(text)
      ? words.reduce((part, [what, instead]) => part.replace(what, instead), text) : text;
  const translate = root => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = root.nodeType == Node.TEXT_NODE ? root : texts.nextNode(); text; text = texts.nextNode())
      if (!text.parentElement?.closest('.code, script, style') && said(text.data) != text.data)
        text.data = said(text.data);
  };
  translate(document.body);
  new MutationObserver(changes => {
    for (const change of changes) for (const node of [change.target, ...change.addedNodes])
      if (change.type == 'characterData' || node != change.target) translate(node);
  }).observe(document.body, {childList: true, characterData: true, subtree: true});
  document.documentElement.lang = String(event.data.language);
});
