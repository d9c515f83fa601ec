// Words of alerts go through textContent: nothing of them can become markup.
const LOST_MS = 10_000;

export default function (component) {
  const root = component.parentElement.querySelector(".wall");
  const data = JSON.parse(new TextDecoder().decode(component.data));
  for (const part of ["clock", "word", "where", "what", "last"]) {
    const node = root.querySelector(`.${part}`);
    if (node.textContent !== data[part]) node.textContent = data[part];
  }
  const notices = data.notices.join("\n");
  if (root.querySelector(".notices").textContent !== notices) root.querySelector(".notices").textContent = notices;
  root.dataset.state = data.state;
  root.heard = Date.now();
  root.data = data;
  root.querySelector(".lost").textContent = "";
  // Map and feed get what is left of the screen, however much there is to say.
  const rest = window.innerHeight - root.getBoundingClientRect().bottom - window.scrollY - 40;
  document.documentElement.style.setProperty("--wall-rest", `${Math.round(rest)}px`);
  root.watch ??= setInterval(() => watch(root), 1_000);
}

// A screen that nobody touches must not go on looking calm when nobody tells it anything.
function watch(root) {
  if (!root.isConnected) clearInterval(root.watch);
  if (Date.now() - root.heard < LOST_MS) return;
  root.dataset.state = "attention";
  root.querySelector(".lost").textContent = root.data.lost.replace("{}", root.data.clock);
}
