export default async function (component) {
  const { parentElement } = component;
  const graph = parentElement.querySelector(".graph");
  const page = getComputedStyle(parentElement);
  const told = new TextDecoder().decode(component.data);
  // Most ticks of a quiet place change nothing: then there is nothing to draw.
  if (graph.told === told + page.color) return;
  graph.told = told + page.color;
  const data = JSON.parse(told);
  await draw(graph, data, page);
  markPulsing(graph);
  if (!graph.wired) {
    graph.wired = true;
    beat(graph);
    graph.on("plotly_click", (event) => {
      const id = event.points[0].customdata;
      if (id) window.location.assign(`/alert?id=${encodeURIComponent(id)}`);
    });
  }
}

const BEAT_MS = 700;

function beat(graph) {
  const clock = setInterval(() => {
    graph.classList.toggle("beat");
    if (!graph.isConnected) clearInterval(clock);
  }, BEAT_MS);
}

// A trace with meta "pulse" gets a class and its colour; the stylesheet gives it a halo.
function markPulsing(graph) {
  const drawn = graph.calcdata ?? [];
  graph.querySelectorAll(".scatterlayer .trace").forEach((node) => {
    const uid = [...node.classList].find((name) => name.startsWith("trace") && name !== "trace");
    const trace = drawn.map((one) => one[0]?.trace).find((one) => one && `trace${one.uid}` === uid);
    node.classList.toggle("pulse", trace?.meta === "pulse");
    if (trace?.meta !== "pulse") return;
    node.style.setProperty("--severity", trace.marker.color);
  });
}
