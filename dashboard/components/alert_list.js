// Rows are kept by alert, so that focus and choice stay while the list changes.
// Everything from an alert goes through textContent: nothing of it can become markup.
export default function (component) {
  const { parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".alert-list");
  const data = JSON.parse(new TextDecoder().decode(component.data));
  const body = root.querySelector("tbody");
  root.querySelector("table").setAttribute("aria-label", data.words.table);
  root.chosen ??= new Set();
  root.tell = () => setStateValue("chosen", [...root.chosen]);
  head(root.querySelector("thead tr"), data);
  const known = new Map([...body.children].map((node) => [node.dataset.id, node]));
  const wanted = data.rows.map((row) => fill(known.get(row.id) ?? make(root, row, data), row, data));
  body.replaceChildren(...keep(body, wanted));
  forget(root, data.rows);
  const here = window.location.pathname + window.location.search;
  sessionStorage.setItem("vigil-list", JSON.stringify({ ids: data.rows.map((row) => row.id), address: here }));
  if (root.wired) return;
  root.wired = true;
  document.addEventListener("keydown", (event) => pressed(root, event));
}

// Moving a node that has the focus would lose it.
function keep(body, wanted) {
  const focus = document.activeElement;
  if (body.contains(focus)) setTimeout(() => focus.isConnected && focus.focus({ preventScroll: true }));
  return wanted;
}

// What is no longer on the page is no longer chosen.
function forget(root, rows) {
  const shown = new Set(rows.map((row) => row.id));
  const gone = [...root.chosen].filter((id) => !shown.has(id));
  gone.forEach((id) => root.chosen.delete(id));
  if (gone.length) root.tell();
}

function head(row, { headings, words }) {
  if (row.children.length) return;
  const first = row.appendChild(document.createElement("th"));
  first.appendChild(document.createElement("span")).className = "unseen";
  first.firstChild.textContent = words.choose;
  for (const heading of headings) {
    const cell = row.appendChild(document.createElement("th"));
    cell.scope = "col";
    cell.textContent = heading;
  }
}

function make(root, row, { headings, words }) {
  const node = document.createElement("tr");
  node.dataset.id = row.id;
  const box = node.appendChild(document.createElement("td")).appendChild(document.createElement("input"));
  box.type = "checkbox";
  box.checked = root.chosen.has(row.id);
  box.setAttribute("aria-label", `${words.choose}: ${row.name}`);
  box.onchange = () => {
    if (box.checked) root.chosen.add(row.id);
    else root.chosen.delete(row.id);
    root.tell();
  };
  headings.forEach((heading, at) => {
    const cell = node.appendChild(document.createElement("td"));
    cell.dataset.heading = heading;
    if (at === 0) cell.appendChild(document.createElement("a")).href = `/alert?id=${encodeURIComponent(row.id)}`;
  });
  node.onclick = (event) => {
    if (!event.target.closest("a, input") && !String(getSelection())) node.querySelector("a").click();
  };
  return node;
}

function fill(node, row) {
  node.style.setProperty("--severity", row.colour);
  row.cells.forEach((words, at) => {
    const cell = node.children[at + 1];
    const place = at === 0 ? cell.firstChild : cell;
    if (place.textContent !== words) place.textContent = words;
  });
  return node;
}

// j and k walk, x chooses, Enter opens (it is a link), r resolves what is chosen, / searches.
function pressed(root, event) {
  const typing = event.target.closest?.("textarea, select, [contenteditable], [role=combobox]")
    || (event.target.matches?.("input") && event.target.type !== "checkbox");
  if (!root.isConnected || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = event.target.closest?.(".alert-list tbody tr");
  if (event.key === "j") step(root, row ? row.nextElementSibling : root.querySelector("tbody tr"));
  if (event.key === "k") step(root, row?.previousElementSibling);
  if (event.key === "x") row?.querySelector("input").click();
  if (event.key === "r") document.querySelector(".st-key-actions [data-testid=stPopover] button")?.click();
  if (event.key === "/") {
    event.preventDefault();
    document.querySelector(".st-key-q input")?.focus();
  }
}

function step(root, row) {
  row?.querySelector("a").focus();
  row?.scrollIntoView({ block: "nearest" });
}
