// Puts the page together from the traces that stand in it.
{
  const {traces} = JSON.parse(document.getElementById('data').textContent);
  const estimates = JSON.parse(document.getElementById('estimated').textContent).traces;
  const scale = {from: 0, to: 0, whole: 0, views: []};
  let transport = null;
  const views = traces.map((trace, i) => new TraceView(trace, estimates[i], scale, (view, t) => transport.goWith(view, t)));
  document.title = traces.map(trace => trace.title).join(' beside ');
  document.getElementById('traces').append(...views.map(view => view.root));
  document.body.classList.toggle('pair', views.length > 1);
  transport = new Transport(views, document.getElementById('transport'), document.getElementById('views'));
  window.explorer = transport;  // for the console, and for tests
  // One of two may have the page for itself.
  for (const view of views) {
    const button = view.root.querySelector('.alone');
    button.hidden = views.length < 2;
    button.title = 'show this one alone, or both';
    button.addEventListener('click', () => {
      const alone = button.getAttribute('aria-pressed') != 'true';
      button.setAttribute('aria-pressed', alone);
      document.body.classList.toggle('pair', !alone);
      for (const other of views) other.root.hidden = alone && other != view;
      transport.layOut();
    });
  }
  for (const view of views)
    view.root.querySelector('details').addEventListener('toggle', () => view.show());
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
  document.getElementById('help').addEventListener('click', event => {
    if (event.target.closest('button') || event.target.id == 'help')
      document.getElementById('help').close();
  });
}
