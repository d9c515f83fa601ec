// Rows are kept by incident: a row that stays is the same node, so that focus and scroll stay too.
// Everything from an alert goes through textContent: nothing of it can become markup.
const SHAPES = {
  "diamond": "M8 0 16 8 8 16 0 8Z",
  "triangle-up": "M8 1 16 15H0Z",
  "square": "M1 1H15V15H1Z",
  "circle": "M8 0A8 8 0 1 1 8 16A8 8 0 1 1 8 0Z",
  "circle-open": "M8 0A8 8 0 1 1 8 16A8 8 0 1 1 8 0ZM8 3A5 5 0 1 0 8 13A5 5 0 1 0 8 3Z",
};

export default function (component) {
  const { parentElement, setTriggerValue } = component;
  const data = JSON.parse(new TextDecoder().decode(component.data));
  const root = parentElement.querySelector(".feed");
  const list = root.querySelector("ol");
  list.style.maxHeight = data.height;
  list.setAttribute("aria-label", data.words.feed);
  root.ask = setTriggerValue;
  show(root, list, data);
  announce(root, data.news);
  const ids = data.rows.map((row) => row.alert);
  sessionStorage.setItem("vigil-list", JSON.stringify({ ids, address: window.location.pathname }));
}

function show(root, list, { rows, words }) {
  const known = new Map([...list.children].map((node) => [node.dataset.id, node]));
  const wanted = rows.map((row) => fill(known.get(row.id) ?? make(root, row, words), row));
  const kept = new Set(wanted);
  [...list.children].filter((node) => !kept.has(node)).forEach((node) => node.remove());
  wanted.forEach((node, at) => {
    if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null);
  });
}

function make(root, row, words) {
  const node = document.createElement("li");
  node.dataset.id = row.id;
  // A link, not a message to the server: a page that changes under a ticking fragment breaks Streamlit's tree.
  const open = add(node, "a", "open");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  open.appendChild(svg);
  const words_ = add(open, "span", "words");
  for (const part of ["title", "kind", "detail", "foot"]) add(words_, "span", part);
  for (const part of ["notes", "marks"]) add(words_.querySelector(".kind"), "span", part);
  const take = add(node, "button", "take");
  take.textContent = words.take;
  take.onclick = () => root.ask("take", row.id);
  return node;
}

function fill(node, row) {
  // What it opens may change: an incident that grows may get a worse member.
  node.querySelector(".open").href = `/alert?id=${encodeURIComponent(row.alert)}`;
  const path = node.querySelector("path");
  path.setAttribute("d", SHAPES[row.shape]);
  path.setAttribute("fill", row.colour);
  path.setAttribute("fill-rule", "evenodd");
  node.style.setProperty("--severity", row.colour);
  write(node, ".title", row.title);
  write(node, ".notes", row.notes);
  mark(node.querySelector(".marks"), row.marks);
  write(node, ".detail", row.detail);
  write(node, ".foot", [row.severity, row.when, row.state].filter(Boolean).join(" · "));
  node.querySelector(".take").hidden = !row.takeable;
  node.querySelector(".take").setAttribute("aria-label", `${node.querySelector(".take").textContent}: ${row.title}`);
  return node;
}

function add(parent, tag, name) {
  const node = parent.appendChild(document.createElement(tag));
  node.className = name;
  if (tag === "button") node.type = "button";
  return node;
}

// What is in doubt about it: unproven, how sure.
function mark(parent, marks) {
  if ([...parent.children].map((one) => one.textContent).join("\n") === marks.join("\n")) return;
  parent.replaceChildren();
  for (const words of marks) add(parent, "span", "mark").textContent = words;
}

function write(node, selector, words) {
  const part = node.querySelector(selector);
  if (part.textContent !== words) part.textContent = words;
}

function announce(root, news) {
  if (root.heard === undefined || news.serial <= root.heard || !news.words) {
    root.heard = Math.max(root.heard ?? 0, news.serial);
    return;
  }
  root.heard = news.serial;
  root.querySelector(".news").textContent = news.words;
  if (news.sound) chime(news.urgent);
}
