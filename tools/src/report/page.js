"use strict";
(() => {
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const WORDS = {
  en: {red:"Red",black:"Black",first:"Start",back:"Back",forward:"Forward",last:"End",play:"Play",flip:"Turn the board",games:"Game",cross:"Cross table",player:"Player",points:"Points",played:"Games",win:"+",draw:"=",loss:"−",judge:"Repetition",verdict:"Verdict",rules:"Rules",reason:"Reason",move:"Move",class:"Kind",why:"Why",none:"No repetition or move limit decides this game.",eval:"Evaluation",mate:"mate in",start:"Start position",theme:"Light or dark",wxf:"WXF",zh:"Chinese",vi:"Vietnamese",uci:"Coordinates",after:"after move {}",law:"law"},
  vi: {red:"Đỏ",black:"Đen",first:"Đầu ván",back:"Lùi",forward:"Tiến",last:"Cuối ván",play:"Tự chạy",flip:"Xoay bàn cờ",games:"Ván",cross:"Bảng đối đầu",player:"Kỳ thủ",points:"Điểm",played:"Ván",win:"T",draw:"H",loss:"B",judge:"Lặp nước",verdict:"Phán quyết",rules:"Luật",reason:"Lý do",move:"Nước",class:"Loại",why:"Vì sao",none:"Không có lặp nước hay giới hạn nước nào quyết định ván này.",eval:"Đánh giá",mate:"chiếu hết sau",start:"Thế cờ ban đầu",theme:"Sáng hoặc tối",wxf:"WXF",zh:"Chữ Hán",vi:"Tiếng Việt",uci:"Toạ độ",after:"sau nước {}",law:"luật"},
  zh: {red:"红方",black:"黑方",first:"开局",back:"后退",forward:"前进",last:"终局",play:"播放",flip:"翻转棋盘",games:"对局",cross:"对局循环表",player:"棋手",points:"积分",played:"局数",win:"胜",draw:"和",loss:"负",judge:"循环裁定",verdict:"裁定",rules:"规则",reason:"理由",move:"着法",class:"性质",why:"说明",none:"没有循环或步数限制决定本局。",eval:"评估",mate:"步杀",start:"初始局面",theme:"浅色或深色",wxf:"WXF",zh:"中文",vi:"越南文",uci:"坐标",after:"第{}步之后",law:"裁定"}
};
const SVG = "http://www.w3.org/2000/svg";
const CELL = 60, MARGIN = 52, WIDTH = 584, HEIGHT = 644;
const NAGS = {1:"!",2:"?",3:"!!",4:"??",5:"!?",6:"?!"};
const state = {game: 0, node: -1, flip: false, timer: 0};
let lang = data.lang in WORDS ? data.lang : "en";
let notation = lang === "zh" ? "zh" : lang === "vi" ? "vi" : "wxf";
const t = key => WORDS[lang][key];
const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value); else if (value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};
const svg = (tag, attributes) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};
const game = () => data.games[state.game];
// Children of every node, built once a game; the first child continues the line.
const children = new Map();
const kids = (g, id) => {
  if (!children.has(g)) {
    const lists = new Map();
    g.nodes.forEach((node, index) => {
      if (!lists.has(node.p)) lists.set(node.p, []);
      lists.get(node.p).push(index);
    });
    children.set(g, lists);
  }
  return children.get(g).get(id) || [];
};
const mainLine = g => { const line = []; for (let id = kids(g, -1)[0]; id !== undefined; id = kids(g, id)[0]) line.push(id); return line; };
const path = (g, id) => { const nodes = []; for (; id >= 0; id = g.nodes[id].p) nodes.unshift(id); return nodes; };
const parse = fen => {
  const board = new Array(90).fill("");
  fen.split(" ")[0].split("/").forEach((row, top) => {
    let file = 0;
    for (const c of row) { if (c >= "1" && c <= "9") file += +c; else board[(9 - top) * 9 + file++] = c; }
  });
  return board;
};
const square = text => (text.charCodeAt(0) - 97) + 9 * +text[1];
const boardAt = (g, id) => {
  const board = parse(g.fen);
  for (const step of path(g, id)) {
    const m = g.nodes[step].m, from = square(m.slice(0, 2)), to = square(m.slice(2));
    board[to] = board[from]; board[from] = "";
  }
  return board;
};
const point = index => {
  const file = index % 9, rank = Math.floor(index / 9);
  return state.flip ? [MARGIN + (8 - file) * CELL, MARGIN + rank * CELL] : [MARGIN + file * CELL, MARGIN + (9 - rank) * CELL];
};
const redToMove = (g, id) => (g.fen.split(" ")[1] !== "b") === (path(g, id).length % 2 === 0);
const number = (g, id) => {
  const ply = path(g, id).length, first = +(g.fen.split(" ")[5] || 1), black = g.fen.split(" ")[1] === "b";
  return first + Math.floor((ply - 1 + (black ? 1 : 0)) / 2);
};
const name = node => notation === "uci" ? node.m : node[notation] || node.m;
const score = node => {
  if (node.mate !== undefined) return (node.mate >= 0 ? "+" : "−") + "#" + Math.abs(node.mate);
  if (node.law !== undefined) return (node.law ? "+" : "−") + t("law");
  if (node.e === undefined) return "";
  return (node.e >= 0 ? "+" : "−") + (Math.abs(node.e) / 100).toFixed(2);
};
// Red's chance to win, a draw counted half; as in evaluation.rs.
const chance = node => node.law !== undefined ? +node.law : node.mate !== undefined ? (node.mate >= 0 ? 1 : 0) : 1 / (1 + Math.pow(10, -node.e / 240));

function drawBoard() {
  const g = game(), board = boardAt(g, state.node), node = g.nodes[state.node];
  const picture = svg("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`});
  picture.append(svg("use", {href: "#grid", width: WIDTH, height: HEIGHT}));
  const label = (text, x, y) => { const node = svg("text", {x, y, fill: "var(--grid)", "font-size": 15, "text-anchor": "middle", "dominant-baseline": "central"}); node.textContent = text; picture.append(node); };
  for (let i = 0; i < 9; i++) label("abcdefghi"[state.flip ? 8 - i : i], MARGIN + i * CELL, HEIGHT - 12);
  for (let i = 0; i < 10; i++) label(state.flip ? i : 9 - i, 12, MARGIN + i * CELL);
  if (node) {
    const [x, y] = point(square(node.m.slice(0, 2)));
    picture.append(svg("rect", {x: x - 23, y: y - 23, width: 46, height: 46, rx: 8, fill: "none", stroke: "var(--mark)", "stroke-width": 3, "stroke-dasharray": "12 10"}));
  }
  board.forEach((piece, index) => {
    if (!piece) return;
    const [x, y] = point(index);
    picture.append(svg("use", {href: "#p-" + piece, x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL}));
  });
  if (node) {
    const [x, y] = point(square(node.m.slice(2)));
    picture.append(svg("circle", {cx: x, cy: y, r: 28, fill: "none", stroke: "var(--mark)", "stroke-width": 3.5}));
  }
  $("board").replaceChildren(picture);
  $("board").setAttribute("aria-label", node ? name(node) : t("start"));
}
function drawPlayers() {
  const g = game(), red = redToMove(g, state.node);
  const side = (id, isRed) => {
    const box = $(id);
    box.className = "player" + (isRed === red ? " turn" : "");
    const who = el("span", {}, el("span", {class: "dot " + (isRed ? "red" : "black")}), (isRed ? g.red : g.black) || t(isRed ? "red" : "black"));
    box.replaceChildren(who, el("span", {}, result(g, isRed)));
  };
  side("top", state.flip); side("bottom", !state.flip);
}
const result = (g, isRed) => ({"1-0": isRed ? "1" : "0", "0-1": isRed ? "0" : "1", "1/2-1/2": "½"})[g.result] || "";
function drawGraph() {
  const g = game(), line = mainLine(g), points = [];
  line.forEach((id, index) => { const node = g.nodes[id]; if (node.e !== undefined || score(node)) points.push([index, chance(node)]); });
  $("graph").replaceChildren();
  if (points.length < 2) return;
  const width = 1000, height = 110, x = index => line.length > 1 ? index / (line.length - 1) * width : 0, y = p => (1 - p) * (height - 8) + 4;
  const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none"});
  const at = points.map(([index, p]) => `${x(index).toFixed(1)},${y(p).toFixed(1)}`).join(" ");
  picture.append(svg("polygon", {points: `${x(points[0][0])},${height / 2} ${at} ${x(points[points.length - 1][0])},${height / 2}`, fill: "var(--redside)", opacity: 0.25}));
  picture.append(svg("line", {x1: 0, x2: width, y1: height / 2, y2: height / 2, stroke: "var(--soft)", "stroke-dasharray": "6 6", "vector-effect": "non-scaling-stroke"}));
  picture.append(svg("polyline", {points: at, fill: "none", stroke: "var(--redside)", "stroke-width": 2, "vector-effect": "non-scaling-stroke"}));
  const now = line.indexOf(state.node);
  if (now >= 0) picture.append(svg("line", {x1: x(now), x2: x(now), y1: 0, y2: height, stroke: "var(--mark)", "stroke-width": 2, "vector-effect": "non-scaling-stroke"}));
  const title = svg("title", {}); title.textContent = t("eval"); picture.append(title);
  picture.addEventListener("click", event => {
    const box = picture.getBoundingClientRect();
    go(line[Math.round((event.clientX - box.left) / box.width * (line.length - 1))]);
  });
  $("graph").append(picture);
}
function moveSpan(g, id) {
  const node = g.nodes[id], nags = (node.n || []).map(n => NAGS[n] || "$" + n).join("");
  const span = el("span", {class: "mv" + (id === state.node ? " now" : ""), "data-id": id, tabindex: 0, onclick: () => go(id)}, name(node));
  if (nags) span.append(el("span", {class: "nag"}, nags));
  return span;
}
function drawMoves() {
  const g = game(), box = $("moves");
  box.replaceChildren();
  // Lines are drawn with a stack, for variations may be nested deep.
  const work = [[-1, box, true, false]];
  while (work.length) {
    let [id, into, numbered] = work.pop();
    for (;;) {
      const next = kids(g, id);
      if (!next.length) break;
      numbered = addMove(g, next[0], into, numbered);
      for (const other of next.slice(1)) {
        const variation = el("span", {class: "var"});
        into.append(variation);
        const again = addMove(g, other, variation, true);
        work.push([other, variation, again]);
        numbered = true;
      }
      id = next[0];
    }
  }
}
function addMove(g, id, into, numbered) {
  const node = g.nodes[id], red = !redToMove(g, id);
  // A number stays with its move.
  const unit = el("span", {class: "unit"});
  if (red || numbered) unit.append(el("span", {class: "no"}, number(g, id) + (red ? "." : "...")), " ");
  unit.append(moveSpan(g, id));
  into.append(unit, " ");
  if (node.c && into !== $("moves")) into.append(el("span", {class: "note"}, node.c + " "));
  return false;
}
function mark() {
  for (const old of document.querySelectorAll(".mv.now")) old.classList.remove("now");
  const now = document.querySelector(`.mv[data-id="${state.node}"]`), box = $("moves");
  if (!now) { box.scrollTop = 0; return; }
  now.classList.add("now");
  const top = now.offsetTop - box.offsetTop;
  if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 40) box.scrollTop = top - box.clientHeight / 2;
}
function drawComment() {
  const g = game(), node = g.nodes[state.node], parts = [];
  if (node) {
    const value = score(node);
    if (value) parts.push(`${t("eval")}: ${value}`);
    if (node.c) parts.push(node.c);
  } else if (g.c) parts.push(g.c);
  $("comment").textContent = parts.join("\n");
}
function drawJudge() {
  const box = $("judge"), report = (game().judge || {})[lang];
  box.replaceChildren();
  if (!report) return;
  box.append(el("h2", {}, t("judge")));
  if (report.verdict === "none") { box.append(el("p", {class: "note"}, t("none"))); return; }
  box.append(el("p", {}, `${report.rules}${lang === "zh" ? "，" : ", "}${t("after").replace("{}", report.ply)}${lang === "zh" ? "：" : ": "}`, el("b", {}, report.verdict_text), ` — ${report.clause}`));
  if (!report.moves.length) return;
  const table = el("table", {}, el("tr", {}, el("th", {}, "#"), el("th", {}, t("move")), el("th", {}, t("class")), el("th", {class: "name"}, t("why"))));
  const line = mainLine(game());
  for (const [index, step] of report.moves.entries()) {
    const node = game().nodes[line[step.ply - 1]];
    table.append(el("tr", {}, el("td", {}, String(step.ply)), el("td", {}, el("span", {class: "mv", onclick: () => go(line[step.ply - 1])}, node ? name(node) : step.move)), el("td", {}, report.classes[index]), el("td", {class: "name"}, step.why)));
  }
  box.append(el("div", {class: "scroll"}, table));
}
const MOST_POINTS = 6;
function sum(cell) {
  const half = cell.reduce((sum, [points]) => sum + {"0": 0, "½": 1, "1": 2}[points], 0);
  return (half > 1 || half === 0 ? Math.floor(half / 2) : "") + (half % 2 ? "½" : "");
}
function drawCross() {
  const box = $("cross"), cross = data.cross;
  box.hidden = !cross;
  if (!cross) return;
  const head = el("tr", {}, el("th", {}, "#"), el("th", {class: "name"}, t("player")), el("th", {}, t("points")));
  cross.forEach((_, index) => head.append(el("th", {}, String(index + 1))));
  head.append(el("th", {}, t("win")), el("th", {}, t("draw")), el("th", {}, t("loss")), el("th", {class: "played"}, t("played")));
  const table = el("table", {}, head);
  cross.forEach((row, index) => {
    const line = el("tr", {}, el("td", {}, String(index + 1)), el("td", {class: "name", title: row.name}, row.name), el("td", {}, el("b", {}, row.points)));
    row.cells.forEach((cell, column) => {
      const td = el("td", {class: index === column ? "self" : "met"});
      const link = (text, id) => el("a", {href: "#viewer", onclick: () => select(id)}, text);
      // Of a match the sum: a column must not be a list.
      if (cell.length > MOST_POINTS) td.append(link(`${sum(cell)}/${cell.length}`, cell[0][1]));
      else cell.forEach(([points, id]) => td.append(link(points, id), " "));
      line.append(td);
    });
    line.append(el("td", {}, String(row.won)), el("td", {}, String(row.drawn)), el("td", {}, String(row.lost)), el("td", {class: "played"}, String(row.won + row.drawn + row.lost)));
    table.append(line);
  });
  box.replaceChildren(el("h2", {}, t("cross")), el("div", {class: "scroll"}, table));
}
function drawTexts() {
  document.documentElement.lang = lang;
  $("title").textContent = data.title;
  $("theme").title = t("theme");
  for (const button of $("buttons").children) { button.title = t(button.dataset.go); button.setAttribute("aria-label", t(button.dataset.go)); }
  $("notation").replaceChildren(...["wxf", "zh", "vi", "uci"].map(key => el("option", {value: key}, `${t("move")}: ${t(key)}`)));
  $("notation").value = notation;
  $("games").replaceChildren(...data.games.map((g, index) => el("option", {value: index}, `${index + 1}. ${g.red || t("red")} – ${g.black || t("black")}  ${g.result}`)));
  $("games").hidden = data.games.length < 2;
  $("games").value = state.game;
}
function drawStep() { drawBoard(); drawPlayers(); drawGraph(); drawComment(); mark(); $("fen").textContent = currentFen(); }
function drawAll() {
  drawTexts(); drawCross(); drawMoves(); drawJudge();
  const g = game();
  $("about").textContent = [g.event, g.site, g.date, g.round, g.opening, g.result].filter(Boolean).join(" · ");
  drawStep();
}
function currentFen() {
  const g = game(), board = boardAt(g, state.node), rows = [];
  for (let rank = 9; rank >= 0; rank--) {
    let row = "", empty = 0;
    for (let file = 0; file < 9; file++) {
      const piece = board[rank * 9 + file];
      if (piece) { row += (empty || "") + piece; empty = 0; } else empty++;
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/") + (redToMove(g, state.node) ? " w" : " b");
}
function go(id) { if (id === undefined) return; state.node = id; drawStep(); }
function select(index) { stop(); state.game = index; state.node = -1; drawAll(); }
function stop() { clearInterval(state.timer); state.timer = 0; document.querySelector('[data-go="play"]').textContent = "▷"; }
const actions = {
  first: () => go(-1),
  back: () => { if (state.node >= 0) go(game().nodes[state.node].p); },
  forward: () => go(kids(game(), state.node)[0]),
  last: () => { let id = state.node; for (let next; (next = kids(game(), id)[0]) !== undefined;) id = next; go(id); },
  flip: () => { state.flip = !state.flip; drawStep(); },
  play: () => {
    if (state.timer) return stop();
    document.querySelector('[data-go="play"]').textContent = "■";
    state.timer = setInterval(() => { if (kids(game(), state.node)[0] === undefined) stop(); else actions.forward(); }, 1200);
  }
};
$("buttons").addEventListener("click", event => { const action = event.target.dataset.go; if (action !== "play") stop(); if (action) actions[action](); });
$("board").addEventListener("click", event => {
  const box = $("board").getBoundingClientRect();
  stop(); (event.clientX - box.left < box.width / 2 ? actions.back : actions.forward)();
});
let wheel = 0;
$("board").addEventListener("wheel", event => {
  event.preventDefault();
  if (Date.now() - wheel < 60) return;
  wheel = Date.now();
  (event.deltaY < 0 ? actions.back : actions.forward)();
}, {passive: false});
document.addEventListener("keydown", event => {
  const tag = event.target.tagName || "";
  if (tag === "SELECT" || event.ctrlKey || event.altKey || event.metaKey) return;
  if ((event.key === "Enter" || event.key === " ") && event.target.dataset && event.target.dataset.id) { go(+event.target.dataset.id); event.preventDefault(); return; }
  const action = {ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", " ": tag === "BUTTON" ? "" : "play"}[event.key];
  if (action) { event.preventDefault(); if (action !== "play") stop(); actions[action](); }
});
$("games").addEventListener("change", () => select(+$("games").value));
$("lang").addEventListener("change", () => { lang = $("lang").value; notation = lang === "zh" ? "zh" : lang === "vi" ? "vi" : "wxf"; drawAll(); });
$("notation").addEventListener("change", () => { notation = $("notation").value; drawMoves(); drawJudge(); drawStep(); });
const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen = "";
const paint = () => { document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light"); };
dark.addEventListener("change", paint);
$("theme").addEventListener("click", () => { chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark"; paint(); });
$("lang").value = lang;
paint();
// `#game=2&ply=10` opens a place.
const place = new URLSearchParams(location.hash.slice(1));
if (place.has("game")) state.game = Math.min(Math.max(+place.get("game") - 1 || 0, 0), data.games.length - 1);
if (place.has("ply")) { const line = mainLine(game()); const ply = Math.min(+place.get("ply") || 0, line.length); state.node = ply > 0 ? line[ply - 1] : -1; }
drawAll();
})();
