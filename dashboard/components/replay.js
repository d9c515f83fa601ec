const FRAME_MS = 100;
const SPEEDS = [1, 5, 20, 60];

export default async function (component) {
  const { parentElement } = component;
  const root = parentElement.querySelector(".replay");
  const page = getComputedStyle(parentElement);
  const told = new TextDecoder().decode(component.data);
  if (root.told === told + page.color) return;
  root.told = told + page.color;
  const data = JSON.parse(told);
  const graph = root.querySelector(".graph");
  graph.drawn = {};
  const Plotly = await draw(graph, data, page);
  root.state = { data, graph, Plotly, at: root.state?.data.key === data.key ? root.state.at : data.occurred };
  if (data.until) control(root);
  else root.querySelectorAll(".controls, .at").forEach((node) => (node.hidden = true));
}

function control(root) {
  const { data } = root.state;
  const slider = root.querySelector(".at");
  slider.min = data.from;
  slider.max = data.until;
  slider.setAttribute("aria-label", data.words.moment);
  slider.oninput = () => { stop(root); go(root, Number(slider.value)); };
  const speed = root.querySelector(".speed");
  if (!speed.options.length) {
    for (const one of SPEEDS) speed.add(new Option(`${one}×`, one, one === 20, one === 20));
  }
  const play = root.querySelector(".play");
  play.onclick = () => (root.clock ? stop(root) : start(root));
  // Before this moment a click on them would have been lost.
  [play, speed, slider].forEach((node) => (node.disabled = false));
  ticks(root);
  stop(root);
  go(root, root.state.at);
  if (data.autoplay) start(root);
}

function clock(at, zone) {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }).format(at);
}

function ticks(root) {
  const { data } = root.state;
  const list = root.querySelector(".ticks");
  list.replaceChildren(...data.ticks.map((tick) => {
    const item = document.createElement("li");
    const button = item.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = tick.words;
    button.dataset.at = tick.at;
    button.onclick = () => { stop(root); go(root, tick.at); };
    return item;
  }));
}

// From the beginning of the story, unless somebody has put it elsewhere.
function start(root) {
  const { data } = root.state;
  if (root.state.at >= data.until || root.state.at === data.occurred) root.state.at = data.begins;
  root.querySelector(".play").textContent = data.words.pause;
  root.clock = setInterval(() => {
    const next = root.state.at + FRAME_MS * Number(root.querySelector(".speed").value);
    if (!root.isConnected || next >= data.until) stop(root);
    if (root.isConnected) go(root, Math.min(next, data.until));
  }, FRAME_MS);
}

function stop(root) {
  clearInterval(root.clock);
  root.clock = undefined;
  root.querySelector(".play").textContent = root.state.data.words.play;
}

function go(root, at) {
  const { data, graph, Plotly } = root.state;
  root.state.at = at;
  root.querySelector(".at").value = at;
  const words = clock(at, data.zone);
  root.querySelector(".moment").textContent = words;
  root.querySelector(".at").setAttribute("aria-valuetext", words);
  for (const button of root.querySelectorAll(".ticks button")) {
    button.classList.toggle("past", Number(button.dataset.at) <= at);
  }
  const others = placed(data.moving.filter((one) => !one.followed), at);
  const followed = placed(data.moving.filter((one) => one.followed), at);
  put(Plotly, graph, "moving", others);
  put(Plotly, graph, "followed", followed);
  const silent = (reader) => reader.silent.some(([from, until]) => from <= at && at <= (until ?? at));
  put(Plotly, graph, "readers-alive", data.readers.filter((one) => !silent(one)));
  put(Plotly, graph, "readers-silent", data.readers.filter(silent));
}

// Where each was at the moment: the last place it had come to.
function placed(moving, at) {
  return moving.flatMap((one) => {
    const stop = one.stops.findLast(([when]) => when <= at);
    return stop ? [{ x: stop[1], y: stop[2], name: one.name }] : [];
  });
}

function put(Plotly, graph, uid, points) {
  const index = graph.data.findIndex((trace) => trace.uid === uid);
  if (index < 0) return;
  const told = JSON.stringify(points);
  if (graph.drawn[uid] === told) return;
  graph.drawn[uid] = told;
  const values = { x: [points.map((one) => one.x)], y: [points.map((one) => one.y)] };
  const names = points.map((one) => one.name);
  Plotly.restyle(graph, { ...values, hovertext: [names], text: [names] }, [index]);
}
