// The steps of what was staged, and a stopwatch that runs in the browser from the deed to the alert.
export default function (component) {
  const root = component.parentElement.querySelector(".story");
  const data = JSON.parse(new TextDecoder().decode(component.data));
  write(root, ".head", data.title);
  write(root, ".expect", data.expect);
  list(root.querySelector("ol"), data.steps);
  const watch = root.querySelector(".watch");
  watch.hidden = data.elapsed === null;
  write(root, ".label", data.watch);
  root.running = data.running;
  root.zero = performance.now() - (data.elapsed ?? 0);
  if (!data.running && data.elapsed !== null) face(root, data.elapsed);
  const link = root.querySelector("a");
  link.hidden = !data.alert;
  if (data.alert) {
    link.textContent = data.open;
    link.href = `/alert?id=${encodeURIComponent(data.alert)}`;
    write(root, ".conclusion", data.conclusion);
  } else write(root, ".conclusion", "");
  // Whoever comes later has not waited for it.
  if (data.alert && root.waiting === data.number && data.sound) chime(data.urgent);
  root.waiting = data.alert ? undefined : data.number;
  root.clock ??= setInterval(() => tick(root), 50);
}

function tick(root) {
  if (!root.isConnected) return clearInterval(root.clock);
  if (root.running) face(root, performance.now() - root.zero);
}

function face(root, elapsed) {
  write(root, ".time", `${(elapsed / 1000).toFixed(1)} s`);
}

function list(parent, steps) {
  steps.forEach((step, at) => {
    const item = parent.children[at] ?? parent.appendChild(document.createElement("li"));
    item.className = step.kind;
    if (item.textContent !== step.words) item.textContent = step.words;
  });
  while (parent.children.length > steps.length) parent.lastChild.remove();
}

function write(root, selector, words) {
  const node = root.querySelector(selector);
  if (node.textContent !== words) node.textContent = words;
}
