// Makes the static page interactive: zoom, pan, hover, click, keyboard, filter, and the table of all events. The boxes
// are those that the page came with, moved; requests are drawn anew from the data at every zoom.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const svg = byId("chart"), tip = byId("tip"), box = byId("chart-box");
  // A chart that is narrower than leastBroad has the names of blocks above them, each in a line of nameHeight.
  const broadGutter = Number(svg.dataset.gutter), leastBroad = 640, nameHeight = 16, right = 16, axisHeight = 30;
  const NS = "http://www.w3.org/2000/svg";
  const fates = ["read", "write", "late", "refused", "lost"];
  const verbs = data.verbs, nameless = ["get", "watch", "release"];
  const maxRows = 500, maxArrows = 500;

  // The fields of a request, as requestTuple has them.
  const requests = data.requests.map((r) => ({
    candidate: r[0], verb: verbs[r[1]], fate: r[2], sent: r[3], sentSeq: r[4],
    arrived: r[5], arriveSeq: r[6], arrival: data.kinds[r[7]], done: r[8], doneSeq: r[9], ending: data.kinds[r[10]],
    gaveUp: r[11], giveUpSeq: r[12], status: r[13], version: r[14], holder: data.texts[r[15]], cause: data.texts[r[16]],
    asks: verbs[r[1]] + (r[17] >= 0 ? " of the " + data.texts[r[17]] : ""), record: r[18] || 0,
    end: r[3] + Math.max(0, r[5], r[8], r[11]),
  }));
  const lasting = requests.reduce((most, r) => Math.max(most, r.end - r.sent), 0);
  const events = allEvents();

  let width = 0, gutter = broadGutter, view = [0, data.horizon], picked = null, filter = "", current = -1;
  const x = (at) => gutter + (at - view[0]) / (view[1] - view[0]) * (width - gutter - right);
  const timeAt = (px) => view[0] + (px - gutter) / (width - gutter - right) * (view[1] - view[0]);

  // Times as people read them; step is how fine they must be.
  function human(ns, step) {
    const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
    if (ns === 0) return "0s";
    if (step >= 1e9 && ns >= 600e9) {
      const s = Math.round(ns / 1e9), parts = [[86400, "d"], [3600, "h"], [60, "m"], [1, "s"]];
      let rest = s, out = "";
      for (const [n, name] of parts) { const k = Math.floor(rest / n); rest -= k * n; if (k) out += k + name; }
      return out;
    }
    const [size, name] = units.find(([n]) => Math.abs(ns) >= n) || units[3];
    const places = Math.min(9, Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9)));
    const text = (ns / size).toFixed(places);
    return (places ? text.replace(/\.?0+$/, "") : text) + name;
  }
  const exact = (ns) => Math.floor(ns / 1e9) + "." + String(Math.floor(ns % 1e9 / 1e3)).padStart(6, "0");

  function nextStep(step) {
    const clock = [10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].map((s) => s * 1e9);
    for (const next of clock) if (step >= clock[0] && next > step) return next;
    let unit = step >= 86400e9 ? 86400e9 : 1;
    while (step >= 10 * unit) unit *= 10;
    return { 1: 2, 2: 5 }[Math.round(step / unit)] * unit || 10 * unit;
  }

  // One event a step of a request, and all others, in the order in which they happened.
  function allEvents() {
    const all = data.notes.map(([at, seq, candidate, kind, text]) =>
      ({ at, seq, candidate, kind: data.kinds[kind], text: data.texts[text], style: "" }));
    for (const r of requests) {
      const add = (later, seq, kind, text, style) =>
        all.push({ at: r.sent + later, seq, candidate: r.candidate, kind, text, style: style || "", request: r });
      const written = r.holder ? " naming " + r.holder : nameless.includes(r.verb) ? "" : " naming nobody";
      add(0, r.sentSeq, "requestSent", r.asks + " is sent" + written);
      if (r.arrived >= 0) {
        const text = {
          requestLost: r.asks + " is lost", requestRefused: r.asks + " is refused with " + r.status + (r.version ? ", but applied" : ""),
          requestApplied: r.asks + (r.status && r.status >= 400 ? " is answered with " + r.status : " is applied"),
        }[r.arrival] || r.asks + " is applied: version " + r.version;
        add(r.arrived, r.arriveSeq, r.arrival, text, { requestLost: "lost", requestRefused: "refused" }[r.arrival]);
      }
      if (r.done >= 0) {
        const text = { responseLost: "the answer is lost", responseLate: "the answer comes too late" }[r.ending] || "the answer is handled";
        const slow = r.done - r.arrived >= 1e9 ? ", after " + human(r.done - r.arrived, 1e6) : "";
        add(r.done, r.doneSeq, r.ending, text + " (" + r.asks + slow + ")", { responseLost: "lost", responseLate: "late" }[r.ending]);
      }
      if (r.gaveUp >= 0) add(r.gaveUp, r.giveUpSeq, "gaveUp", r.asks + " is given up: " + r.cause, "late");
    }
    return all.sort((a, b) => a.at - b.at || a.seq - b.seq);
  }

  // Drawing.
  const moved = [...svg.querySelectorAll("[data-a]")];
  moved.forEach((el) => { el.from = Number(el.dataset.a); el.to = Number(el.dataset.b); });
  const blocks = [...svg.querySelectorAll(".block")].map((el) => ({
    el, height: Number(el.dataset.height), candidate: Number(el.dataset.candidate), kind: el.classList[1],
    title: el.querySelector(".name"), lane: el.querySelector(".requests"), shown: true,
  }));
  for (const b of blocks) Object.assign(b, { titleY: b.title.getAttribute("y"), name: b.title.textContent, full: b.title.dataset.full || b.title.textContent });
  for (const b of blocks) b.requests = b.lane ? requests.filter((r) => r.candidate === b.candidate) : [];
  const clocks = [...svg.querySelectorAll(".clock")].map((el) => ({ el, points: el.dataset.points.split(" ").map(Number) }));

  function make(parent, name, attributes, text) {
    const el = document.createElementNS(NS, name);
    for (const key in attributes) el.setAttribute(key, attributes[key]);
    if (text !== undefined) el.textContent = text;
    parent.appendChild(el);
    return el;
  }

  function draw() {
    drawAxis();
    for (const el of moved) el.tagName === "text" ? moveLabel(el) : moveBox(el);
    lanes.forEach(clear);
    for (const c of clocks) {
      let d = "";
      for (let i = 0; i < c.points.length; i += 2) d += (i ? "L" : "M") + x(c.points[i]).toFixed(1) + " " + c.points[i + 1];
      c.el.setAttribute("d", d);
    }
    for (const b of blocks) if (b.lane && b.shown) drawRequests(b);
    drawVersions();
    const all = view[0] <= 0 && view[1] >= data.horizon;
    byId("range").textContent = (all ? "The whole run: " : "Shown: ") + label(view[0]) + " to " + label(view[1]);
    tableSoon();
  }
  const label = (at) => human(Math.round(at), Math.max(1, Math.min(1e6, 10 ** Math.floor(Math.log10((view[1] - view[0]) / 1000)))));

  function drawAxis() {
    const g = byId("axis");
    g.replaceChildren();
    let step = 1;
    while ((view[1] - view[0]) / step > (width - gutter) / 84) step = nextStep(step);
    for (let at = Math.ceil(view[0] / step) * step; at <= view[1]; at += step) {
      const px = x(at).toFixed(1);
      make(g, "line", { x1: px, x2: px, y1: 22, y2: svg.dataset.height || 0 });
      const text = human(at, step);
      make(g, "text", { x: Math.min(px, width - text.length * 3.4 - 3), y: 15 }, text);
    }
  }

  // Coordinates far outside are cut off: they would lose their precision.
  const cut = (px) => Math.max(-50, Math.min(width + 50, px));

  function moveBox(el) {
    const a = cut(x(el.from)), b = cut(x(el.to));
    const inside = el.to >= view[0] && el.from <= view[1];
    el.setAttribute("visibility", inside ? "inherit" : "hidden");
    el.setAttribute("x", a.toFixed(1));
    el.setAttribute("width", Math.max(b - a, el.classList.contains("violation") || el.classList.contains("overlap") ? 3 : 1).toFixed(1));
  }

  // What is written at a fault is in its box if it fits, otherwise beside it. What is written at a violation is beside its box, without
  // the names if there is no room for these. Where there is room on neither side, it is over the box.
  for (const el of moved) {
    el.isFault = el.tagName === "text" && el.previousElementSibling.classList.contains("fault");
    el.text = el.textContent;
    el.isShort = false;
  }
  const lengthOf = (el) => el.getComputedTextLength() || el.textContent.length * 6.4; // what is not shown has no length
  function moveLabel(el) {
    const a = Math.max(x(el.from), gutter), b = Math.min(x(el.to), width);
    const inside = el.to >= view[0] && el.from <= view[1];
    if (!el.full) el.full = lengthOf(el);
    const fits = Math.max(width - 5 - b, a - gutter, b - a - 8) > el.full;
    if (el.isShort === fits && !el.isFault && el.classList.contains("beside")) {
      el.isShort = !fits;
      el.textContent = el.isShort ? el.text.split("  ")[0] : el.text;
    }
    const long = el.long = el.isShort ? lengthOf(el) : el.full;
    if (el.isFault) el.classList.toggle("beside", long + 8 > b - a);
    if (el.classList.contains("beside")) {
      const end = b + 5 + long > width && a - long > gutter;
      el.classList.toggle("end", end);
      const outside = b + 5 + long > width ? Math.max(gutter + 2, Math.min(a + 6, width - long - 4)) : b + 5;
      el.setAttribute("x", (end ? a - 5 : outside).toFixed(1));
      el.setAttribute("visibility", inside ? "inherit" : "hidden");
      return;
    }
    el.classList.remove("end");
    el.setAttribute("x", (a + 4).toFixed(1));
    el.setAttribute("visibility", inside && long + 8 <= b - a ? "inherit" : "hidden");
  }

  // Labels of violations and faults that would lie on boxes or on other labels go to the other side of their box, or are hidden if
  // they would there too; those of the longest come first.
  const lanes = Object.values(Object.groupBy(svg.querySelectorAll(".violations .label, .fault + .label"),
    (el) => el.closest(".block").getAttribute("transform") + el.getAttribute("y")));
  lanes.forEach((lane) => lane.sort((a, b) => b.to - b.from - (a.to - a.from)));
  function clear(lane) {
    const taken = lane.map((el) => [cut(x(el.from)), cut(x(el.to)), el]);
    for (const el of lane) {
      if (el.getAttribute("visibility") === "hidden") continue;
      const covers = (from) => taken.some(([a, b, box]) => box !== el && from < b + 3 && a < from + el.long + 3);
      const at = Number(el.getAttribute("x")), left = Math.max(x(el.from), gutter) - 5;
      let from = el.classList.contains("end") ? at - el.long : at;
      if (covers(from) && el.classList.contains("beside") && left - el.long > gutter) {
        el.classList.add("end");
        el.setAttribute("x", left.toFixed(1));
        from = left - el.long;
      }
      if (covers(from)) el.setAttribute("visibility", "hidden");
      else taken.push([from, from + el.long]);
    }
  }

  // Which of a candidate's requests are in sight: they are in order of sending, and none takes longer than lasting.
  function visible(list, from, to) {
    const start = lowerBound(list, from - lasting);
    const found = [];
    for (let i = start; i < list.length && list[i].sent <= to; i++) if (list[i].end >= from) found.push(list[i]);
    return found;
  }
  function lowerBound(list, at) {
    let low = 0, high = list.length;
    while (low < high) { const middle = (low + high) >> 1; list[middle].sent < at ? low = middle + 1 : high = middle; }
    return low;
  }

  function drawRequests(b) {
    const top = Number(b.lane.dataset.top), height = Number(b.lane.dataset.height);
    b.lane.replaceChildren();
    make(b.lane, "path", { class: "service", d: `M${gutter} ${top}H${width}` });
    const seen = visible(b.requests, view[0], view[1]);
    const short = fates.map(() => ""), last = fates.map(() => -1);
    let arrows = 0;
    for (const r of seen) {
      const px = x(r.sent);
      if ((x(r.end) - px >= 4 || r.fate > 2 || r === picked) && arrows < maxArrows) {
        arrows++;
        drawArrow(b.lane, r, top, height);
      } else if (Math.floor(px / 2) !== last[r.fate]) {
        last[r.fate] = Math.floor(px / 2);
        short[r.fate] += `M${px.toFixed(1)} ${top}v${height}`;
      }
    }
    short.forEach((d, fate) => { if (d) make(b.lane, "path", { class: fates[fate], d }); });
  }

  function drawArrow(lane, r, top, height) {
    const bottom = top + height, middle = top + height / 2, name = fates[r.fate] + (r === picked ? " picked" : "");
    const line = (x1, y1, x2, y2) => `M${cut(x1).toFixed(1)} ${y1}L${cut(x2).toFixed(1)} ${y2}`;
    const cross = (px, y) => `M${(px - 3).toFixed(1)} ${y - 3}l6 6m0 -6l-6 6`;
    const sent = x(r.sent), at = x(r.sent + Math.max(r.arrived, 0)), done = x(r.sent + Math.max(r.done, 0));
    if (r.arrival === "requestLost") {
      make(lane, "path", { class: name, d: line(sent, bottom, sent, middle) + cross(sent, middle) });
      return;
    }
    if (r.arrived < 0) return;
    make(lane, "path", { class: name + " out", d: clipped(sent, bottom, at, top) });
    if (r.ending === "responseLost") make(lane, "path", { class: name, d: line(at, top, at, middle) + cross(at, middle) });
    else if (r.done >= 0) make(lane, "path", { class: name + " out", d: clipped(at, top, done, bottom) });
  }

  // A slanted line, cut to what is in sight so that its slope stays right.
  function clipped(x1, y1, x2, y2) {
    const at = (px) => y1 + (y2 - y1) * (px - x1) / (x2 - x1);
    const a = cut(x1), b = cut(x2);
    const ya = a === x1 ? y1 : at(a), yb = b === x2 ? y2 : at(b);
    return `M${a.toFixed(1)} ${ya.toFixed(1)}L${b.toFixed(1)} ${yb.toFixed(1)}`;
  }

  // Versions stand at the writes of each record as soon as there is room.
  const writes = requests.filter((r) => r.version).sort((a, b) => a.sent + a.arrived - b.sent - b.arrived);
  const records = blocks.filter((b) => b.kind === "record").map((b, i) => ({
    versions: make(b.el, "g", { class: "versions", "clip-path": "url(#plot)" }), writes: writes.filter((r) => r.record === i),
  }));
  function drawVersions() {
    for (const { versions, writes } of records) {
      versions.replaceChildren();
      const seen = writes.filter((r) => r.sent + r.arrived >= view[0] && r.sent + r.arrived <= view[1]);
      if (seen.length * 4 > width) continue;
      make(versions, "path", { d: seen.map((r) => `M${x(r.sent + r.arrived).toFixed(1)} 31v8`).join("") });
      let free = 0;
      for (const r of seen) {
        const px = x(r.sent + r.arrived), label = "v" + r.version;
        if (px < free) continue;
        make(versions, "text", { x: Math.max(px, gutter + 8).toFixed(1), y: 50 }, label);
        free = px + Math.max(26, 6 * label.length + 4);
      }
    }
  }

  // The table of events: those in sight, of the candidates in sight, or those of what was clicked.
  let pending = 0;
  const tableSoon = () => { clearTimeout(pending); pending = setTimeout(fillTable, 120); };
  let range = null, cursorAt = null;
  function fillTable() {
    const [from, to] = range ? [range.from, range.to] : view;
    const who = range && range.candidate >= 0 ? new Set([range.candidate]) : filter ? new Set(matching()) : null;
    let found = events.filter((e) => e.at >= from && e.at <= to && (!who || who.has(e.candidate) || e.candidate < 0));
    if (range && range.request) found = events.filter((e) => e.request === range.request);
    const count = found.length;
    const rows = found.slice(0, maxRows).map(row);
    byId("events").tBodies[0].replaceChildren(...rows);
    const what = range ? range.what : "in sight";
    const about = byId("events-about");
    about.textContent = count.toLocaleString("en") + (count === 1 ? " event" : " events") + ": " + what +
      (count > maxRows ? `; the first ${maxRows} are listed, zoom in for others` : "") + ". ";
    if (range) {
      const all = document.createElement("button");
      all.type = "button"; all.id = "unpick"; all.textContent = "Show all in sight";
      all.addEventListener("click", () => pick(null));
      about.appendChild(all);
    }
  }

  function row(e) {
    const tr = document.createElement("tr");
    tr.tabIndex = 0;
    tr.className = e.style;
    const cell = (text, name) => { const td = tr.insertCell(); td.className = name || ""; td.textContent = text; return td; };
    cell(exact(e.at), "when");
    const who = document.createElement("bdi");
    who.textContent = e.candidate < 0 ? "" : data.candidates[e.candidate];
    const cellOfWho = tr.insertCell();
    cellOfWho.appendChild(who);
    cell(e.text).title = `${e.kind}, event ${e.seq}`;
    const go = () => {
      for (const other of tr.parentNode.children) other.classList.toggle("current", other === tr);
      show(e.at);
      picked = e.request || null;
      for (const b of blocks) if (b.lane && b.shown) drawRequests(b);
    };
    tr.addEventListener("click", go);
    tr.addEventListener("keydown", (k) => {
      const next = { ArrowDown: tr.nextElementSibling, ArrowUp: tr.previousElementSibling }[k.key];
      if (k.key === "Enter") go();
      else if (next) { next.focus(); k.preventDefault(); }
    });
    return tr;
  }

  // show marks an instant, and moves the view where it is out of sight.
  function show(at) {
    cursorAt = at;
    if (at < view[0] || at > view[1]) { const half = (view[1] - view[0]) / 2; goTo(at - half, at + half); }
    placeCursor();
  }
  function placeCursor() {
    const line = byId("cursor"), px = cursorAt === null ? -9 : x(cursorAt);
    line.setAttribute("x1", px); line.setAttribute("x2", px);
    line.setAttribute("visibility", cursorAt !== null && px >= gutter && px <= width ? "visible" : "hidden");
  }

  // Zoom and pan: d3-zoom turns wheel, drag and pinch into a transform of the axis of time.
  const zoom = d3.zoom().scaleExtent([1, Math.max(1, data.horizon / 1000)])
    .filter((e) => !e.button && (e.type !== "wheel" || point(e).x > gutter))
    .on("zoom", (e) => {
      const from = (e.transform.invertX(gutter) - gutter) / (width - gutter - right) * data.horizon;
      view = [from, from + data.horizon / e.transform.k];
      request();
    });
  let frame = 0;
  const request = () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; draw(); placeCursor(); }); };
  const surface = d3.select(svg);
  function goTo(from, to) {
    const plot = width - gutter - right, span = Math.max(1000, to - from);
    const k = Math.max(1, data.horizon / span);
    const left = Math.max(0, Math.min(data.horizon - data.horizon / k, (from + to) / 2 - data.horizon / k / 2));
    surface.call(zoom.transform, d3.zoomIdentity.translate(gutter - k * (gutter + left / data.horizon * plot), 0).scale(k));
  }
  const by = (factor) => { const middle = (view[0] + view[1]) / 2, half = (view[1] - view[0]) / 2 / factor; goTo(middle - half, middle + half); };
  const pan = (part) => { const d = (view[1] - view[0]) * part; goTo(view[0] + d, view[1] + d); };
  const whole = () => { surface.call(zoom.transform, d3.zoomIdentity); };

  // Violations.
  const items = [...document.querySelectorAll("#violations li")];
  items.forEach((li, i) => {
    const b = document.createElement("button");
    b.type = "button";
    b.append(...li.childNodes);
    b.addEventListener("click", () => jump(i));
    li.appendChild(b);
  });
  if (items.length) byId("violations").removeAttribute("tabindex");
  function jump(i) {
    if (!items.length) return;
    current = (i + items.length) % items.length;
    items.forEach((li, k) => li.classList.toggle("current", k === current));
    within(items[current], byId("violations"));
    box.scrollIntoView({ block: box.offsetHeight > innerHeight ? "start" : "nearest" });
    const a = Number(items[current].dataset.a), b = Number(items[current].dataset.b);
    const around = Math.max((b - a) * 0.6, data.horizon / 100);
    goTo(a - around, b + around);
    pick({ from: a, to: b, candidate: -1, what: "in " + items[current].querySelector("strong").textContent + " violation" });
    show(a);
  }

  // Scrolls a list, and not the page, so that an entry is in sight.
  function within(item, list) {
    const r = item.getBoundingClientRect(), l = list.getBoundingClientRect();
    if (r.top < l.top) list.scrollTop += r.top - l.top;
    if (r.bottom > l.bottom) list.scrollTop += r.bottom - l.bottom;
  }
  // Hover and click.
  function textOf(el) { return el.getAttribute("aria-label") || ""; }
  for (const el of svg.querySelectorAll("title")) {
    el.parentNode.setAttribute("aria-label", el.textContent);
    el.parentNode.setAttribute("role", "img");
    el.remove();
  }
  for (const el of svg.querySelectorAll(".violation")) {
    el.tabIndex = 0;
    el.setAttribute("role", "button");
  }
  function nearest(e) {
    const p = point(e);
    for (const b of blocks) {
      if (!b.lane || !b.shown) continue;
      const top = b.y + Number(b.lane.dataset.top), height = Number(b.lane.dataset.height);
      if (p.y < top - 2 || p.y > top + height + 2) continue;
      const near = (view[1] - view[0]) / (width - gutter - right) * 6, at = timeAt(p.x);
      const found = visible(b.requests, at - near, at + near);
      const down = (p.y - top) / height;
      const away = (r) => {
        const out = r.sent + Math.max(r.arrived, 0) * (1 - down), back = r.sent + Math.max(r.arrived, 0) + Math.max(r.done - r.arrived, 0) * down;
        return Math.min(Math.abs(out - at), Math.abs(back - at)) - r.fate * near / 8;
      };
      found.sort((q, r) => away(q) - away(r));
      if (found.length && away(found[0]) <= near) return { request: found[0], count: found.filter((r) => away(r) <= near).length };
    }
    return null;
  }
  function point(e) {
    const r = svg.getBoundingClientRect();
    return { x: (e.clientX - r.left) * width / r.width, y: (e.clientY - r.top) * width / r.width };
  }
  function requestText(r, count) {
    const lines = [data.candidates[r.candidate] + ": " + r.asks + " sent at " + human(r.sent, 1e3)];
    for (const e of events.filter((one) => one.request === r && one.kind !== "requestSent")) lines.push(human(e.at, 1e3) + "  " + e.text);
    if (count > 1) lines.push(`and ${count - 1} more here; zoom in`);
    return lines.join("\n");
  }
  function hint(text, px, py) {
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = Math.max(4, Math.min(px + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = (py + 18 + tip.offsetHeight > innerHeight ? py - tip.offsetHeight - 10 : py + 18) + "px";
  }
  svg.addEventListener("mousemove", (e) => {
    const mark = e.target.closest("[aria-label][data-a], .clock"), near = mark ? null : nearest(e);
    hint(mark ? textOf(mark) : near ? requestText(near.request, near.count) : "", e.clientX, e.clientY);
  });
  svg.addEventListener("mouseleave", () => hint(""));
  svg.addEventListener("focusin", (e) => {
    if (!e.target.classList.contains("violation")) return;
    const r = e.target.getBoundingClientRect();
    hint(textOf(e.target), r.left, r.top);
  });
  svg.addEventListener("focusout", () => hint(""));
  svg.addEventListener("click", (e) => {
    const mark = e.target.closest(".block rect[data-a]"), near = mark ? null : nearest(e);
    if (mark) pickMark(mark);
    else if (near) pick({ request: near.request, what: "of one request" });
    else pick(null);
  });
  function pickMark(mark) {
    const candidate = Number(mark.closest(".block").dataset.candidate);
    pick({ from: mark.from, to: mark.to, candidate, what: textOf(mark) || "of the mark" });
    show(mark.from);
  }
  function pick(what) {
    range = what;
    picked = what && what.request || null;
    if (!what) cursorAt = null;
    request();
  }

  // The candidate filter hides the others' lanes, and moves what is below up.
  function matching() {
    const wanted = filter.toLowerCase(), found = [];
    const exactly = data.candidates.findIndex((id) => id.toLowerCase() === wanted);
    if (exactly >= 0) return [exactly];
    data.candidates.forEach((id, i) => { if (id.toLowerCase().includes(wanted)) found.push(i); });
    return found;
  }
  function stack() {
    const wanted = filter ? new Set(matching()) : null;
    const above = width < leastBroad ? nameHeight : 0;
    gutter = above ? 104 : broadGutter;
    let y = axisHeight;
    for (const b of blocks) {
      b.shown = b.kind !== "candidate" || !wanted || wanted.has(b.candidate);
      b.el.style.display = b.shown ? "" : "none";
      b.y = y + above;
      b.el.setAttribute("transform", `translate(0 ${b.y})`);
      b.title.setAttribute("y", above ? -4 : b.titleY);
      b.title.textContent = above ? b.full : b.name;
      if (b.shown) y = b.y + b.height;
    }
    const height = y + 8;
    svg.dataset.height = height;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const el of svg.querySelectorAll(".band")) el.setAttribute("height", height - axisHeight);
    for (const el of [byId("hit"), svg.querySelector("#plot rect")]) {
      el.setAttribute("x", gutter);
      el.setAttribute("height", height);
      el.setAttribute("width", width - gutter);
    }
    byId("cursor").setAttribute("y2", height);
    for (const el of svg.querySelectorAll(".lane")) el.setAttribute("x", gutter - 10);
    for (const el of svg.querySelectorAll(".rule")) {
      el.setAttribute("x2", width);
      el.setAttribute("y1", -above);
      el.setAttribute("y2", -above);
    }
  }

  // Keys, wherever the focus is but in a field.
  const keys = {
    "+": () => by(2), "=": () => by(2), "-": () => by(0.5), "0": whole, ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
    n: () => jump(current + 1), p: () => jump(current < 0 ? -1 : current - 1), Escape: () => { hint(""); pick(null); },
  };
  document.addEventListener("keydown", (e) => {
    if (e.target.closest("input") || e.ctrlKey || e.metaKey || e.altKey) return;
    const violation = e.target.closest(".violation");
    if (violation && (e.key === "Enter" || e.key === " ")) { pickMark(violation); e.preventDefault(); return; }
    if (e.key.startsWith("Arrow") && e.target.closest(".events, .violations")) return;
    if (keys[e.key]) { keys[e.key](); e.preventDefault(); }
  });
  const press = { "zoom-in": () => by(2), "zoom-out": () => by(0.5), "pan-left": () => pan(-0.2), "pan-right": () => pan(0.2),
    "zoom-reset": whole, previous: keys.p, next: keys.n };
  for (const id in press) if (byId(id)) byId(id).addEventListener("click", press[id]);
  byId("filter").addEventListener("input", (e) => { filter = e.target.value.trim(); stack(); request(); });
  for (const li of document.querySelectorAll(".steps li[data-at]")) {
    li.tabIndex = 0;
    const go = () => show(Number(li.dataset.at));
    li.addEventListener("click", go);
    li.addEventListener("keydown", (e) => { if (e.key === "Enter") go(); });
  }

  const widthOf = () => Math.max(280, box.clientWidth);
  function resize() {
    const before = view;
    width = widthOf();
    stack();
    const plot = [[gutter, 0], [width - right, 1]];
    zoom.extent(plot).translateExtent(plot);
    goTo(before[0], before[1]);
  }
  byId("controls").hidden = false;
  byId("keys").hidden = false;
  surface.call(zoom).on("dblclick.zoom", null);
  new ResizeObserver(() => { if (widthOf() !== width) resize(); }).observe(box);
  resize();
  // Where what the scenario is about takes the window, the page opens at the verdict, so that the violation is in sight.
  const first = svg.querySelector(".violations");
  if (first && first.getBoundingClientRect().bottom > innerHeight && !scrollY) byId("verdict").scrollIntoView();
})();
