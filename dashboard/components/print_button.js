export default function (component) {
  component.parentElement.querySelector(".print-button button").onclick = () => window.print();
}
