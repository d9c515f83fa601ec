// Plotly.js is loaded once per browser tab, from our own server.
const load = () => (window.__vigilPlotly ??= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = new URL("/vigil/plotly.js", document.baseURI).href;
  script.onload = () => done(window.Plotly);
  script.onerror = failed;
  document.head.appendChild(script);
}));

// A picture in the page's own colours and type.
async function draw(graph, data, page) {
  graph.style.height = data.height;
  graph.setAttribute("aria-label", data.label);
  const Plotly = await load();
  const layout = {
    ...data.layout,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: page.color, size: data.type ?? 13, family: page.fontFamily },
  };
  // A picture that cannot be moved leaves wheel and finger to the page.
  const config = { displayModeBar: false, responsive: true, scrollZoom: data.layout.dragmode === "pan" };
  await Plotly.react(graph, data.traces, layout, config);
  return Plotly;
}
