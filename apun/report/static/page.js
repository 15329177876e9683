"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const names = read("names"), rows = read("rows");
  const chunkSize = Number(document.getElementById("rows").dataset.chunk);
  const PAGE = 50, chunks = new Map(), chosen = new Map();
  let page = 0, open = null;

  // Every text goes in through textContent: nothing from a model or a file is parsed as HTML.
  const make = (tag, options = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      if (name === "text") element.textContent = value;
      else if (name === "class") element.className = value;
      else if (name === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
      else element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  };

  const detail = (index) => {
    const chunk = Math.floor(index / chunkSize);
    if (!chunks.has(chunk)) chunks.set(chunk, read(`chunk-${chunk}`));
    return chunks.get(chunk)[index % chunkSize];
  };

  const facet = {
    run: (row) => names[row.run], task: (row) => row.task, status: (row) => row.status,
    result: (row) => (row.right === null ? "no verdict" : row.right ? "right" : "wrong"),
  };
  for (const row of rows) for (const label of Object.keys(row.labels)) if (!facet[label]) facet[label] = (r) => r.labels[label] ?? "";

  const controls = () => {
    const form = document.getElementById("filters"), search = form.firstElementChild;
    for (const [name, value] of Object.entries(facet)) {
      const values = [...new Set(rows.map(value))].filter((v) => v !== "").sort();
      if (values.length < 2 || values.length > 60) continue;
      const select = make("select", { id: `filter-${name}`, on: { change: () => set(name, select.value) } },
        make("option", { value: "", text: "all" }), ...values.map((v) => make("option", { value: v, text: v })));
      form.insertBefore(make("label", {}, document.createTextNode(name.replaceAll("_", " ")), select), search);
    }
    form.addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("search").addEventListener("input", (event) => set("search", event.target.value));
  };

  const set = (name, value) => {
    if (value) chosen.set(name, value); else chosen.delete(name);
    page = 0; open = null; remember(); list();
  };

  const matches = () => {
    const wanted = (chosen.get("search") ?? "").toLowerCase();
    const found = [];
    rows.forEach((row, index) => {
      for (const [name, value] of chosen) if (name !== "search" && facet[name]?.(row) !== value) return;
      if (wanted && !`${row.id} ${row.text}`.toLowerCase().includes(wanted)) return;
      found.push(index);
    });
    return found;
  };

  const remember = () => {
    const state = new URLSearchParams([...chosen]);
    if (page) state.set("page", page + 1);
    if (open !== null) { state.set("q", rows[open].id); state.set("r", rows[open].run); }
    history.replaceState(null, "", `#items${state.size ? `?${state}` : ""}`);
  };

  const recall = () => {
    const query = location.hash.split("?")[1];
    chosen.clear(); open = null; page = 0;
    for (const [name, value] of new URLSearchParams(query ?? "")) {
      if (name === "page") page = Math.max(0, Number(value) - 1 || 0);
      else if (name === "search" || facet[name]) chosen.set(name, value);
    }
    const asked = new URLSearchParams(query ?? "");
    if (asked.has("q")) {
      const at = rows.findIndex((row) => row.id === asked.get("q") && row.run === Number(asked.get("r") ?? 0));
      if (at >= 0) { open = at; const place = matches().indexOf(at); page = place < 0 ? 0 : Math.floor(place / PAGE); }
    }
    for (const select of document.querySelectorAll("#filters select")) select.value = chosen.get(select.id.slice(7)) ?? "";
    document.getElementById("search").value = chosen.get("search") ?? "";
  };

  const list = () => {
    const found = matches(), last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
    page = Math.min(page, last);
    document.getElementById("count").textContent = `${found.length} of ${rows.length} questions`;
    document.getElementById("list").replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map(item));
    const turn = (step, text) => {
      const button = make("button", { type: "button", text, on: { click: () => { page += step; open = null; remember(); list(); document.getElementById("items").scrollIntoView(); } } });
      button.disabled = page + step < 0 || page + step > last;
      return button;
    };
    document.getElementById("pages").replaceChildren(turn(-1, "Previous"), make("span", { text: `page ${page + 1} of ${last + 1}` }), turn(1, "Next"));
  };

  const item = (index) => {
    const row = rows[index];
    const verdict = row.status !== "scored" ? row.status : row.right === null ? "scored" : row.right ? "right" : "wrong";
    const element = make("details", { class: "item", "data-id": row.id },
      make("summary", {},
        make("span", { class: `tag ${verdict === "right" ? "good" : verdict === "scored" ? "" : "bad"}`, text: verdict }),
        make("code", { text: row.id }), names.length > 1 ? make("span", { class: "small", text: names[row.run] }) : null,
        make("span", { text: row.text })));
    element.addEventListener("toggle", () => {
      if (!element.open) return;
      if (element.childElementCount === 1) element.append(body(row, detail(index)));
      open = index; remember();
    });
    if (index === open) { element.open = true; requestAnimationFrame(() => element.scrollIntoView({ block: "center" })); }
    return element;
  };

  const heading = (text) => make("h3", { text });
  const folded = (title, text) => make("details", {}, make("summary", { text: title }), make("pre", { text }));

  const body = (row, d) => {
    const box = make("div"), where = located(d.detail), players = [];
    for (const audio of d.audio) {
      const player = make("audio", { controls: "", preload: "none", src: audio.source, "aria-label": `Clip ${audio.name} of ${row.item}` });
      players.push(player);
      box.append(make("div", {}, d.audio.length > 1 ? make("span", { class: "small", text: `${audio.name} ` }) : null, player));
    }
    if (where) {
      box.append(heading("Where"), sentence(where, players[0], d.words[0] ?? []), bars(where));
    }
    if (d.alignment.length) box.append(heading("Heard against written"), alignment(d.alignment));
    box.append(heading("Reply"), make("pre", { text: d.reply || `(${d.reason ?? "empty"})` }));
    if (d.reason && d.reply) box.append(make("p", { class: "bad", text: d.reason }));
    if (d.thinking) box.append(folded("Thinking", d.thinking));
    box.append(make("p", {}, document.createTextNode("Read as: "), make("code", { text: JSON.stringify(d.parsed) })));
    if (d.sent.length) box.append(folded("Prompt as sent", d.sent.map((m) => `${m.role}: ${m.text}`).join("\n\n")));
    box.append(folded("Everything", JSON.stringify({ labels: row.labels, statistics: d.statistics, detail: d.detail,
      seconds: d.seconds, consumed: d.consumed, transcripts: d.transcripts }, null, 1)));
    return box;
  };

  const located = (d) => (Array.isArray(d.similarities) ? d : d.location && Array.isArray(d.location.similarities) ? d.location : null);

  const sentence = (where, player, words) => {
    const line = make("p");
    where.similarities.forEach(([word], index) => {
      const kinds = [index === where.gold_index ? "gold" : "", index === where.index ? "guess" : ""].filter(Boolean);
      const titles = { gold: "gold word", guess: "word the answer points at" };
      line.append(kinds.length ? make("mark", { class: kinds.join(" "), title: kinds.map((k) => titles[k]).join(", "), text: word }) : document.createTextNode(word), " ");
    });
    const start = where.seconds ? where.seconds[0] : words[where.index] ? words[where.index][1] : null;
    if (player && start !== null) {
      line.append(make("button", { type: "button", text: `Play from ${start.toFixed(2)} s`, on: { click: () => { player.currentTime = Math.max(0, start - 0.15); player.play(); } } }));
    }
    return line;
  };

  const bars = (where) => {
    const grid = make("div", { class: "bars", role: "img", "aria-label": "Similarity of each word to the answer, 0 to 2" });
    where.similarities.forEach(([word, edit, cosine], index) => {
      const total = edit + cosine, bar = make("i");
      bar.style.width = `${50 * total}%`;
      grid.append(make("span", { text: word, class: index === where.index ? "good" : "" }), bar,
        make("span", { text: `${total.toFixed(2)} = ${edit.toFixed(2)} + ${cosine.toFixed(2)}` }));
    });
    return make("details", {}, make("summary", { text: "Similarity per word (edit + cosine)" }), grid);
  };

  const alignment = (chunks) => make("div", { class: "alignment" }, ...chunks.map(([kind, reference, hypothesis]) =>
    make("span", {}, make("span", { text: reference || "∅", class: kind === "equal" ? "" : "off" }),
      kind === "equal" ? null : make("span", { text: hypothesis || "∅", class: "off" }))));

  const draw = () => {
    if (typeof Plotly === "undefined") return;
    const style = getComputedStyle(document.body);
    document.querySelectorAll(".figure").forEach((box) => {
      const chart = JSON.parse(box.nextElementSibling.textContent);
      Plotly.newPlot(box, chart.data, { paper_bgcolor: "transparent", plot_bgcolor: "transparent", font: { color: style.color },
        margin: { t: 10, r: 10, b: 40, l: 50 }, legend: { orientation: "h" }, barmode: "group" },
      { displaylogo: false, responsive: true, staticPlot: false, displayModeBar: false });
    });
  };

  controls(); recall(); list();
  addEventListener("hashchange", () => { if (location.hash.startsWith("#items")) { recall(); list(); } });
  const watch = new IntersectionObserver((entries) => { if (entries.some((e) => e.isIntersecting)) { watch.disconnect(); draw(); } });
  const first = document.querySelector(".figure");
  if (first) watch.observe(first);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
