// Every piece goes through textContent: nothing of a query can become markup.
export default function (component) {
  const code = component.parentElement.querySelector(".query code");
  const pieces = JSON.parse(new TextDecoder().decode(component.data));
  code.replaceChildren(...pieces.map(([kind, words]) => {
    const piece = document.createElement("span");
    piece.className = kind;
    piece.textContent = words;
    return piece;
  }));
}
