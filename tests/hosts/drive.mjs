// Drives `tactical serve --stdio` from another language: node drive.mjs COMMAND...
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import assert from "node:assert";

const [command, ...rest] = process.argv.slice(2);
const server = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let count = 0;
createInterface({ input: server.stdout }).on("line", (line) => {
  const answer = JSON.parse(line);
  waiting.get(answer.id)?.(answer);
});

function send(text, id) {
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    server.stdin.write(text + "\n");
  });
}

async function ask(request) {
  const id = ++count;
  const answer = await send(JSON.stringify({ id, ...request }), id);
  if (!answer.ok) throw Object.assign(new Error(answer.error.text), answer.error);
  return answer.result;
}

const { map } = await ask({ do: "load", map: "village" });
const { session } = await ask({ do: "begin", map, seed: 1 });
const reach = await ask({ do: "reach", session, mover: "raven" });
assert.ok(reach.cells.length > 50);
const moved = await ask({ do: "move", session, mover: "raven", to: "J12" });
assert.equal(moved.events.at(-1).code, "move.ended");
const before = await ask({ do: "position", session });
assert.equal((await ask({ do: "undo", session })).events[0].code, "session.undone");
assert.equal((await ask({ do: "redo", session })).events[0].code, "session.redone");
assert.deepEqual(await ask({ do: "position", session }), before);
const refused = await ask({ do: "move", session, mover: "raven", to: "N14" });
assert.equal(refused.code, "move.impassable");
const { lines } = await ask({ do: "save", session });
assert.equal(lines.trim().split("\n").length, 4);
await assert.rejects(ask({ do: "undo", session: "s99" }), { code: "name" });
await assert.rejects(ask({ do: "dance" }), { code: "request" });
assert.equal((await send("{oops", null)).error.code, "json");
assert.equal((await send(`{"id":"big","do":"load","content":"${"x".repeat(10_000_000)}"}`, "big")).error.code, "too-large");
assert.ok((await ask({ do: "help" })).undo);
const ended = new Promise((resolve) => server.on("exit", resolve));
await ask({ do: "quit" });
assert.equal(await ended, 0);
console.log("all well");
