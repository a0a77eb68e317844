// One chart: Plotly.react on the same node, so that zoom and hover survive new data.
const SCRIPT_ID = "breakeven-plotly";
const PRINT_WIDTH = 680; // CSS pixels; fits A4 and Letter between the usual margins
const NARROW = 520; // below it, a chart is laid out for a phone
const LINE = 19; // of a legend, and of a name at an axis
const AROUND = 170; // title, axis and legend above and below a plot
const LEGEND_MARK = 45; // a legend entry's line or symbol, with its distances

function appRoot() {
  // Streamlit's own stylesheet is loaded relative to the root, below any base path.
  const own = document.querySelector('script[type="module"][src*="static/js/"]');
  return new URL("../../", own ? own.src : document.baseURI);
}

function loadPlotly(path) {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  let script = document.getElementById(SCRIPT_ID);
  if (!script) {
    script = document.createElement("script");
    script.id = SCRIPT_ID;
    script.src = new URL(path, appRoot());
    document.head.appendChild(script);
  }
  return new Promise((resolve, reject) => {
    script.addEventListener("load", () => resolve(window.Plotly));
    script.addEventListener("error", () => reject(new Error("Plotly did not load")));
  });
}

function themeName(node) {
  if (node.dataset.printing) return "light";
  const probe = getComputedStyle(node).getPropertyValue("--st-background-color").trim();
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = probe || "#ffffff";
  const hex = canvas.fillStyle;
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

function clicked(event) {
  const point = event.points && event.points[0];
  if (!point) return null;
  const plain = (value) => {
    if (value === undefined) return null;
    return ArrayBuffer.isView(value) ? Array.from(value) : value;
  };
  return {
    x: plain(point.x),
    y: plain(point.y),
    customdata: plain(point.customdata),
    curve: plain(point.curveNumber),
    name: plain(point.data && point.data.name),
  };
}

function draw(state) {
  const { node, figure, templates } = state;
  const mode = themeName(node);
  const narrow = node.clientWidth < NARROW;
  const height = chartHeight(state);
  const layout = { ...figure.layout, template: templates[mode], autosize: true, height };
  delete layout.width;
  node.style.height = `${height}px`;
  if (narrow) wrapLabels(layout, figure.data, node);
  wrapTitle(layout, node, narrow);
  wrapSideTitle(layout, node);
  wrapFootTitle(layout, figure.data, node);
  if (narrow) layout.margin = { ...layout.margin, l: 44, r: 8 };
  const config = { displaylogo: false, responsive: false, displayModeBar: "hover",
    modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]], scrollZoom: false };
  state.mode = mode;
  return state.Plotly.react(node, figure.data, layout, config);
}

const canvas = document.createElement("canvas").getContext("2d");

function wrapped(text, width, size, weight) {
  canvas.font = `${weight} ${size}px ${TEMPLATES.light.layout.font.family}`;
  // A number stays on the line of its unit.
  const whole = text.replaceAll("<br>", " ").replace(/(\d) (USD|GiB|KiB|%|ms|s)(?!\w)/g, "$1\u00a0$2");
  const lines = [""];
  for (const word of whole.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && canvas.measureText(`${last} ${word}`).width > width) lines.push(word);
    else lines[lines.length - 1] = last ? last + " " + word : word;
  }
  return lines;
}

function wrapSideTitle(layout, node) {
  // The title of the upright axis breaks into the lines that the plot's height holds.
  const title = layout.yaxis && layout.yaxis.title;
  if (!title || !title.text) return;
  const plot = node.clientHeight - layout.margin.t - 100;
  const text = wrapped(title.text, Math.max(112, plot), 13, 400).join("<br>");
  layout.yaxis = { ...layout.yaxis, title: { ...title, text } };
}

function widest(texts) {
  canvas.font = `400 13px ${TEMPLATES.light.layout.font.family}`;
  const plain = texts.map((text) => text.replace(/<br>/g, "\n").replace(/<[^>]*>/g, "").split("\n"));
  return Math.max(0, ...plain.flat().map((line) => canvas.measureText(line).width));
}

function chartHeight({ node, figure, height }) {
  return height + (node.clientWidth < NARROW ? legendRows(figure, node) * LINE : 0);
}

function legendRows(figure, node) {
  // Lines of the legend beyond the first: the chart grows by them, so that the plot keeps its height.
  const names = figure.data.filter((trace) => trace.name && trace.showlegend !== false)
    .map((trace) => trace.name);
  if (names.length < 2) return 0;
  const columns = Math.max(1, Math.floor(node.clientWidth / (widest(names) + LEGEND_MARK)));
  return Math.ceil(names.length / columns) - 1;
}

function labels(layout, data) {
  // The words at the upright axis: its own, or the names in the data.
  const axis = layout.yaxis || {};
  if (axis.ticktext) return { tickvals: axis.tickvals, ticktext: axis.ticktext };
  const names = [...new Set(data.flatMap((trace) => (Array.isArray(trace.y) ? trace.y : [])))];
  const words = names.length > 0 && names.every((name) => typeof name === "string");
  return words ? { tickvals: names, ticktext: names } : null;
}

function wrapLabels(layout, data, node) {
  // Long names at the upright axis break, so that they leave the picture most of a phone's width.
  const found = labels(layout, data);
  if (!found) return;
  const row = (node.clientHeight - AROUND) / found.ticktext.length;
  for (const share of [0.3, 0.4, 0.5]) {
    const lines = found.ticktext.map((name) => wrapped(name, node.clientWidth * share, 13, 400));
    if (Math.max(...lines.map((own) => own.length)) * LINE > row) continue;
    const ticktext = lines.map((own) => own.join("<br>"));
    layout.yaxis = { ...layout.yaxis, tickvals: found.tickvals, ticktext };
    return;
  }
}

function wrapFootTitle(layout, data, node) {
  // The title of the flat axis breaks into the lines that the plot's width holds.
  const title = layout.xaxis && layout.xaxis.title;
  if (!title || !title.text) return;
  const found = labels(layout, data);
  const side = found ? widest(found.ticktext) + 12 : 50;
  const bar = data.some((trace) => trace.type === "heatmap" && trace.showscale !== false) ? 80 : 0;
  const text = wrapped(title.text, Math.max(120, node.clientWidth - side - bar), 13, 400).join("<br>");
  layout.xaxis = { ...layout.xaxis, title: { ...title, text } };
}

function wrapTitle(layout, node, narrow) {
  // The title breaks into the lines that the chart's width holds.
  const full = (layout.title && layout.title.text) || "";
  if (!full) return;
  const lines = wrapped(full, Math.max(160, node.clientWidth - 16), narrow ? 14 : 15, 600);
  const place = { x: 0, xref: "container", xanchor: "left", y: 1, yref: "container",
    yanchor: "top", pad: { t: 18, l: 4 } };
  layout.title = { ...layout.title, ...place, text: lines.join("<br>") };
  if (narrow) layout.title.font = { ...layout.title.font, size: 14, weight: 600 };
  layout.margin = { ...layout.margin, t: 32 + 20 * lines.length };
}

function listen(state) {
  const { node } = state;
  node.on("plotly_click", (event) => {
    const value = clicked(event);
    if (value && state.clickable) state.send("click", value);
  });
  state.resize = new ResizeObserver(() => {
    const width = node.clientWidth;
    if (!width || width === state.width) return;
    state.width = width;
    draw(state).then(() => state.Plotly.Plots.resize(node));
  });
  state.resize.observe(node);
  // A change of theme changes the app's own styles; the chart follows.
  const follow = () => requestAnimationFrame(() => {
    if (themeName(node) !== state.mode) draw(state);
  });
  state.theme = new MutationObserver(follow);
  state.theme.observe(node.parentElement, { attributes: true, subtree: false });
  state.theme.observe(document.head, { childList: true, subtree: true, characterData: true });
  state.onPaper = () => print(state, true);
  state.onScreen = () => print(state, false);
  state.media = window.matchMedia("print");
  state.onMedia = (event) => print(state, event.matches);
  window.addEventListener("beforeprint", state.onPaper);
  window.addEventListener("afterprint", state.onScreen);
  state.media.addEventListener("change", state.onMedia);
}

function print(state, printing) {
  // A chart is drawn anew, as paper is narrower than the window, and white.
  const { node } = state;
  if (printing) node.dataset.printing = "yes";
  else delete node.dataset.printing;
  node.style.width = printing ? `${PRINT_WIDTH}px` : "";
  state.width = node.clientWidth;
  draw(state).then(() => state.Plotly.Plots.resize(node));
}

const states = new WeakMap();

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const node = parentElement.querySelector(".breakeven-plot");
  const text = parentElement.querySelector(".breakeven-alt");
  const message = JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data));
  let state = states.get(node);
  const isNew = !state;
  if (isNew) {
    state = { node };
    states.set(node, state);
  }
  Object.assign(state, { figure: message.figure, height: message.height, templates: TEMPLATES,
    clickable: message.clickable, send: setTriggerValue });
  node.style.height = `${chartHeight(state)}px`; // before Plotly has come: nothing jumps then
  node.setAttribute("aria-label", message.alt);
  text.textContent = message.alt;
  if (isNew) {
    loadPlotly(BUNDLE_PATH)
      .then((Plotly) => { state.Plotly = Plotly; return draw(state); })
      .then(() => { state.width = node.clientWidth; listen(state); })
      .catch((error) => { text.className = ""; console.error(error); });
  } else if (state.Plotly) {
    draw(state);
  }
  return () => {
    if (!state.Plotly || document.contains(node)) return;
    state.resize && state.resize.disconnect();
    state.theme && state.theme.disconnect();
    window.removeEventListener("beforeprint", state.onPaper);
    window.removeEventListener("afterprint", state.onScreen);
    state.media && state.media.removeEventListener("change", state.onMedia);
    state.Plotly.purge(node);
    states.delete(node);
  };
}
