// The list that was looked at last has left its order and its address in this tab.
export default function (component) {
  const root = component.parentElement.querySelector(".steps");
  const { alert, words } = JSON.parse(new TextDecoder().decode(component.data));
  const { ids = [], address = "" } = JSON.parse(sessionStorage.getItem("vigil-list") ?? "{}");
  const at = ids.indexOf(alert);
  const open = (id) => (id === undefined ? "" : `/alert?id=${encodeURIComponent(id)}`);
  root.setAttribute("aria-label", words.nav);
  link(root, ".back", words.back, address);
  link(root, ".previous", words.previous, at > 0 ? open(ids[at - 1]) : "");
  link(root, ".next", words.next, at >= 0 ? open(ids[at + 1]) : "");
  const place = at < 0 ? "" : words.place.replace("{}", at + 1).replace("{}", ids.length);
  root.querySelector(".place").textContent = place;
  if (root.wired) return;
  root.wired = true;
  document.addEventListener("keydown", (event) => pressed(root, event));
}

function link(root, selector, words, address) {
  const node = root.querySelector(selector);
  node.textContent = words;
  node.hidden = !address;
  if (address) node.href = address;
}

// j and k as in a mail program; r opens what resolves. Not while somebody types.
function pressed(root, event) {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable], [role=combobox]");
  if (!root.isConnected || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const wanted = { j: ".next", k: ".previous", u: ".back" }[event.key];
  if (wanted) root.querySelector(`${wanted}:not([hidden])`)?.click();
  if (event.key === "r") document.querySelector(".st-key-actions [data-testid=stPopover] button")?.click();
}
