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
  document.getElementById('help').addEventListener('click', event => {
    if (event.target.closest('button') || event.target.id == 'help')
      document.getElementById('help').close();
  });
}
