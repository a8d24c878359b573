import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

// A server to try the driver with: npm run sample. It filters, sorts and searches itself, as a database does. Replace it by your own.

/** The key that it wants, as `Authorization: Bearer sample-key`. */
export const SAMPLE_KEY = 'sample-key';
/** What it says of itself, so that a driver notices when another program answers. */
const PRODUCT = 'Sample';

const makeTables = () =>
  new Map([
    [
      'planets',
      [
        { id: 3, name: 'Earth', moons: 1 },
        { id: 1, name: 'Mercury', moons: 0 },
        { id: 4, name: 'Mars', moons: 2 },
        { id: 2, name: 'Venus', moons: 0 },
        { id: 9, name: 'Pluto "the ninth"', moons: 5 },
        { id: 10, name: null, moons: null },
        { id: 11, name: "Planet o'Nine" },
      ],
    ],
    [
      'moons',
      [
        { id: 1, name: 'Moon', planet: 3 },
        { id: 2, name: 'Phobos', planet: 4 },
        { id: 3, name: 'Deimos', planet: 4 },
      ],
    ],
  ]);

/** An answer that isn't a success. */
class Refusal extends Error {
  constructor(status, code, message, field) {
    super(message);
    Object.assign(this, { status, code, field });
  }
}

const columnsOf = (rows) => {
  const names = new Set(['id', ...rows.flatMap((row) => Object.keys(row))]);
  return [...names].map((name) => ({
    name,
    type: rows.every((row) => typeof row[name] !== 'string') ? 'number' : 'string',
    nullable: name !== 'id',
  }));
};

const isThere = (value) => value !== null && value !== undefined;
const TESTS = {
  equals: (value, wanted) => value === wanted,
  contains: (value, wanted) => typeof value === 'string' && value.includes(wanted),
  greaterThan: (value, wanted) => typeof value === 'number' && value > wanted,
  lessThan: (value, wanted) => typeof value === 'number' && value < wanted,
};

/** The rows that pass, in order. */
function selected(rows, { where = [], match = 'all', sort = [] }) {
  const known = new Set(columnsOf(rows).map(({ name }) => name));
  for (const { column } of [...where, ...sort])
    if (!known.has(column)) throw new Refusal(400, 'unknownColumn', `There is no column “${column}”.`, column);
  const passes = (row) => {
    const results = where.map(({ column, operator, value }) => TESTS[operator](row[column], value));
    return results.length === 0 || (match === 'all' ? results.every(Boolean) : results.some(Boolean));
  };
  return rows.filter(passes).toSorted((a, b) => {
    for (const { column, descending } of [...sort, { column: 'id', descending: false }]) {
      const [x, y] = [a[column], b[column]];
      if (isThere(x) !== isThere(y)) return isThere(x) ? -1 : 1;
      if (!isThere(x) || x === y) continue;
      return x < y === descending ? 1 : -1;
    }
    return 0;
  });
}

/** The parts of a text around each place where one of the words is. */
function highlighted(text, words) {
  const lower = text.toLowerCase();
  const parts = [];
  for (let at = 0; at < text.length;) {
    const word = words.find((one) => lower.startsWith(one, at));
    const length = word === undefined ? 1 : word.length;
    const last = parts.at(-1);
    const piece = text.slice(at, at + length);
    if (word === undefined && last?.isMatch === false) last.text += piece;
    else parts.push({ text: piece, isMatch: word !== undefined });
    at += length;
  }
  return parts;
}

function searched(rows, { text, fields, facets, anywhere, ...query }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (value, word) => {
    const lower = typeof value === 'string' ? value.toLowerCase() : '';
    return anywhere ? lower.includes(word) : lower.split(/[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word));
  };
  const found = selected(rows, query)
    .map((row) => ({ row, score: words.filter((word) => fields.some((field) => matches(row[field], word))).length }))
    .filter(({ score }) => score === words.length);
  const { offset = 0, limit } = query;
  return {
    found: found.length,
    outOf: rows.length,
    hits: found.slice(offset, offset + limit).map(({ row, score }) => ({
      row,
      score,
      highlights: fields
        .filter((field) => words.some((word) => matches(row[field], word)))
        .map((field) => ({ field, parts: highlighted(row[field], words) })),
    })),
    facets: facets.map((column) => {
      const counts = new Map();
      for (const { row } of found) if (isThere(row[column])) counts.set(row[column], (counts.get(row[column]) ?? 0) + 1);
      const values = [...counts].map(([value, rows]) => ({ value, rows }));
      return { column, values: values.sort((a, b) => b.rows - a.rows) };
    }),
  };
}

/** The outcome of each line. */
function imported(rows, mode, lines) {
  return lines.map((line) => {
    let row;
    try {
      row = JSON.parse(line);
    } catch {
      return { ok: false, message: 'The row is not JSON.' };
    }
    if (!Number.isInteger(row?.id)) return { ok: false, message: 'The row has no whole number as its id.', column: 'id' };
    const at = rows.findIndex(({ id }) => id === row.id);
    if (at >= 0 && mode === 'create') return { ok: false, message: `There is a row ${row.id}.`, present: true };
    if (at >= 0) rows[at] = row;
    else rows.push(row);
    return { ok: true };
  });
}

const NAME = /^[A-Za-z][\w-]{0,39}$/;

/** @returns the statement's parts; a text that isn't one is refused */
function parsed(text) {
  const [, verb, table, number] = /^\s*(list|remove|wait)(?:\s+([A-Za-z][\w-]*))?(?:\s+(\d+))?\s*$/.exec(text) ?? [];
  const milliseconds = /^\s*wait\s+(\d+)\s*$/.exec(text)?.[1];
  if (milliseconds !== undefined) return { verb: 'wait', milliseconds: Number(milliseconds) };
  if (verb === 'list' && table !== undefined && number === undefined) return { verb, table };
  if (verb === 'remove' && table !== undefined && number !== undefined) return { verb, table, id: Number(number) };
  throw new Refusal(400, 'notAStatement', 'This is not a statement.');
}

/** @param {number} port - 0 for a free one */
export async function startSampleServer(port) {
  const tables = makeTables();
  const views = new Map();
  const running = new Map();
  const tableNamed = (name) => {
    const rows = tables.get(name);
    if (rows === undefined) throw new Refusal(404, 'notFound', `There is no table “${name}”.`);
    return rows;
  };
  const viewNamed = (name) => {
    const view = views.get(name);
    if (view === undefined) throw new Refusal(404, 'notFound', `There is no view “${name}”.`);
    return view;
  };

  async function run({ text, maxRows }, signal) {
    const statement = parsed(text);
    const rows = statement.table === undefined ? [] : tableNamed(statement.table);
    if (statement.verb === 'remove') {
      const at = rows.findIndex(({ id }) => id === statement.id);
      if (at >= 0) rows.splice(at, 1);
      return { changed: at >= 0 ? 1 : 0 };
    }
    if (statement.verb === 'list') {
      return { columns: columnsOf(rows), rows: selected(rows, {}).slice(0, maxRows), truncated: rows.length > maxRows };
    }
    const id = randomUUID();
    const ending = new AbortController();
    running.set(id, { id, text, began: performance.now(), ending });
    try {
      await delay(statement.milliseconds, undefined, { signal: AbortSignal.any([signal, ending.signal]) });
      return { changed: 0 };
    } catch {
      throw new Refusal(409, 'ended', 'The statement was ended.');
    } finally {
      running.delete(id);
    }
  }

  function planned({ text, analyze }) {
    const statement = parsed(text);
    const rows = statement.table === undefined ? [] : tableNamed(statement.table);
    if (analyze && statement.verb === 'remove') throw new Refusal(403, 'changes', 'Only what reads is measured.');
    const measure = (count) => (analyze ? { rows: count, milliseconds: 0.1 } : {});
    if (statement.verb === 'wait') return { steps: [{ depth: 0, operation: 'Wait', expected: 0, ...measure(0) }] };
    const scan = { operation: 'Scan', target: statement.table, expected: rows.length, ...measure(rows.length) };
    if (statement.verb === 'list') return { steps: [{ depth: 0, ...scan }] };
    return {
      steps: [
        { depth: 0, operation: 'Remove', target: statement.table, expected: 1 },
        { depth: 1, ...scan },
      ],
    };
  }

  async function answered(request, body, signal) {
    const url = new URL(request.url, 'http://sample');
    const [kind, name = '', action] = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const call = [request.method, kind, name === '' ? '' : ':', action ?? ''].join(' ').trim();
    const json = () => JSON.parse(body);
    switch (call) {
      case 'GET':
        return { product: PRODUCT, version: '1.0' };
      case 'GET tables':
        return [...tables].map(([table, rows]) => ({ name: table, rows: rows.length }));
      case 'GET tables :':
        return { key: ['id'], columns: columnsOf(tableNamed(name)) };
      case 'POST tables : query': {
        const query = json();
        const found = selected(tableNamed(name), query);
        return { found: found.length, rows: found.slice(query.offset, query.offset + query.limit) };
      }
      case 'POST tables : search':
        return searched(tableNamed(name), json());
      case 'POST tables : import': {
        const lines = body.split('\n').filter((line) => line !== '');
        return imported(tableNamed(name), url.searchParams.get('mode'), lines)
          .map((one) => JSON.stringify(one))
          .join('\n');
      }
      case 'GET views':
        return [...views]
          .map(([view, { document }]) => ({ name: view, table: document.table }))
          .sort((a, b) => (a.name < b.name ? -1 : 1));
      case 'GET views :':
        return viewNamed(name);
      case 'PUT views :': {
        if (!NAME.test(name)) throw new Refusal(400, 'badName', 'A name has letters, digits, - and _.');
        const wanted = request.headers['if-match'];
        const version = views.get(name)?.version;
        if (wanted === undefined ? version !== undefined : version !== wanted)
          throw new Refusal(412, 'changed', `The view “${name}” is another one by now.`);
        views.set(name, { version: randomUUID(), document: json() });
        return {};
      }
      case 'DELETE views :': {
        const { version } = viewNamed(name);
        const wanted = request.headers['if-match'];
        if (wanted !== undefined && wanted !== version)
          throw new Refusal(412, 'changed', `The view “${name}” is another one by now.`);
        views.delete(name);
        return {};
      }
      case 'POST statements':
        return run(json(), signal);
      case 'POST plans':
        return planned(json());
      case 'GET running':
        return [...running.values()].map(({ id, text, began }) => ({ id, text, milliseconds: performance.now() - began }));
      case 'DELETE running :': {
        const entry = running.get(name);
        if (entry === undefined) throw new Refusal(404, 'notFound', 'It runs no more.');
        entry.ending.abort();
        return {};
      }
      default:
        throw new Refusal(404, 'notFound', 'There is nothing here.');
    }
  }

  const server = createServer(async (request, response) => {
    const ending = new AbortController();
    response.on('close', () => ending.abort());
    let [status, value] = [200, undefined];
    try {
      if (request.headers.authorization !== `Bearer ${SAMPLE_KEY}`) throw new Refusal(401, 'badKey', 'The key is wrong.');
      let body = '';
      request.setEncoding('utf8');
      for await (const chunk of request) body += chunk;
      value = await answered(request, body, ending.signal);
    } catch (error) {
      const known = error instanceof Refusal ? error : new Refusal(400, 'badRequest', 'The request is not understood.');
      status = known.status;
      value = { code: known.code, message: known.message, field: known.field };
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    response.writeHead(status, { 'content-type': typeof value === 'string' ? 'application/x-ndjson' : 'application/json' });
    response.end(text);
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  return server;
}

if (process.argv[1] === import.meta.filename) {
  const { port } = (await startSampleServer(8787)).address();
  console.log(`http://127.0.0.1:${port}, API key: ${SAMPLE_KEY}`);
}
