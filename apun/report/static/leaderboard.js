"use strict";
(() => {
  const table = document.getElementById("board");
  const body = table.tBodies[0];
  const value = (row, column) => {
    const cell = row.cells[column], number = Number(cell.dataset.sort ?? cell.textContent);
    return Number.isNaN(number) ? cell.textContent : number;
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.firstElementChild.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].sort((a, b) => {
        const x = value(a, column), y = value(b, column);
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
})();
