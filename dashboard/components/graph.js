export default async function (component) {
  const { parentElement } = component;
  const graph = parentElement.querySelector(".graph");
  const page = getComputedStyle(parentElement);
  graph.ask = component.setTriggerValue;
  const told = new TextDecoder().decode(component.data);
  // Most ticks of a quiet place change nothing: then there is nothing to draw.
  if (graph.told === told + page.color) return;
  graph.told = told + page.color;
  const data = JSON.parse(told);
  await draw(graph, data, page);
  graph.regions = data.regions;
  graph.classList.toggle("regions", data.regions.length > 0);
  markPulsing(graph);
  if (!graph.wired) {
    graph.wired = true;
    beat(graph);
    graph.addEventListener("click", (event) => {
      const area = graph.regions.find((one) => inside(point(graph, event), one.shape));
      if (area) graph.ask("area", area.name);
    });
    graph.on("plotly_click", (event) => {
      const id = event.points[0].customdata;
      if (id) window.location.assign(`/alert?id=${encodeURIComponent(id)}`);
    });
  }
}

// Where on the plan it was clicked.
function point(graph, event) {
  const { xaxis, yaxis } = graph._fullLayout;
  const box = graph.getBoundingClientRect();
  return [xaxis.p2d(event.clientX - box.left - xaxis._offset), yaxis.p2d(event.clientY - box.top - yaxis._offset)];
}

// Even-odd rule: a ray to the right crosses the outline an odd number of times.
function inside([x, y], shape) {
  const crossed = shape.filter(([ax, ay], at) => {
    const [bx, by] = shape[(at + 1) % shape.length];
    return ay > y !== by > y && ax + ((y - ay) / (by - ay)) * (bx - ax) > x;
  });
  return crossed.length % 2 === 1;
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
