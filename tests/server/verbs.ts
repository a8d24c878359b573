import { isDriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import type { Ask } from './guardedHttp.ts';

// Holds the search driver's classifier to what a server really does: requests in many spellings, classified by the driver and run through it.
// It makes two collections, an alias, a preset and a set of stopwords with a name of its own, and removes them at the end.

export interface VerbsReport {
  readonly tried: number;
  readonly refused: number;
  readonly read: number;
  readonly write: number;
  readonly destructive: number;
  readonly unknown: number;
  /** Destructive requests that were run and lost something: as many spellings are real. */
  readonly lossesSeen: number;
  /** Writes that changed something. */
  readonly changesSeen: number;
  /** Requests that did more than the driver said. */
  readonly wrong: readonly string[];
}

interface Names {
  readonly a: string;
  readonly b: string;
  readonly other: string;
}

/** Requests, `own` where they touch nothing but what this check made: those are run also where they are destructive. */
function requests({ a, b, other }: Names): readonly { readonly text: string; readonly own: boolean }[] {
  const own = [
    `GET /collections/${a}`,
    `GET /collections/${a}/documents/search?q=*`,
    `GET /collections/${a}/documents/export`,
    `GET /collections/${a}/documents/1`,
    `POST /multi_search\n{"searches":[{"collection":"${a}","q":"*"}]}`,
    ...[
      '',
      '?action=create',
      '?action=update',
      '?action=emplace',
      '?action=upsert',
      '?action=%75psert',
      '?action=create&action=upsert',
    ].flatMap((action) => [
      `POST /collections/${a}/documents${action}\n{"id":"1","t":"new"}`,
      `POST /collections/${a}/documents/import${action}\n{"id":"1","t":"new"}`,
      `PATCH /collections/${a}/documents/1${action}\n{"t":"new"}`,
    ]),
    `POST /collections/${a}/documents\n{"id":"9","t":"new"}`,
    `PATCH /collections/${a}/documents?filter_by=id:1\n{"id":"2","t":"new"}`,
    `PATCH /collections/${a}\n{"fields":[{"name":"added","type":"string","optional":true}]}`,
    `PATCH /collections/${a}\n{"fields":[{"name":"n","drop":true}]}`,
    `PATCH /collections/${a}\n\uFEFF{"fields":[{"name":"n","drop":true}]}`,
    `PATCH /collections/${a}\n{"fields":[{"name":"n","dr\\u006fp":true}]}`,
    `PATCH /collections/${a}\n{"fields":[],"fields":[{"name":"n","drop":true}]}`,
    `DELETE /collections/${a}/documents/1`,
    `DELETE /collections/${a}/documents?filter_by=n:>0`,
    `DELETE /collections/${a}`,
    `PUT /aliases/${other}\n{"collection_name":"${b}"}`,
    `PUT /aliases/${other}-new\n{"collection_name":"${b}"}`,
    `DELETE /aliases/${other}`,
    `PUT /presets/${other}\n{"value":{"q":"replaced"}}`,
    `PUT /stopwords/${other}\n{"stopwords":["replaced"]}`,
    `DELETE /presets/${other}`,
    `POST /keys\n{"actions":["documents:search"],"collections":["${a}"],"description":"${other}"}`,
  ];
  const serverWide = [
    'operations/snapshot',
    'operations/vote',
    'operations/db/compact',
    'operations/cache/clear',
    'config',
    'proxy',
    'limits',
  ];
  return [...own.map((text) => ({ text, own: true })), ...serverWide.map((path) => ({ text: `POST /${path}\n{}`, own: false }))];
}

const path = (change: (path: string) => string) => (text: string) =>
  text.replace(/\/\S*/, (found) => {
    const [plain = '', ...query] = found.split('?');
    return [change(plain), ...query].join('?');
  });
const query = (parameter: string) => (text: string) =>
  text.replace(/\/\S*/, (found) => `${found}${found.includes('?') ? '&' : '?'}${parameter}`);

/** Other ways to write a request, some of which a server takes for the same, some for another, and some for none. */
function spellings({ b }: Names): readonly ((text: string) => string)[] {
  return [
    (text) => text,
    path((found) => found.replaceAll(/(?<=.)\//g, '//')),
    path((found) => `${found}/`),
    path((found) => `${found}///`),
    path((found) => found.replace(/^\/(.)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`)),
    path((found) => found.replace(/\/(.)(?=[^/]*$)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`)),
    path((found) => found.replace(/\/(.)(?=[^/]*$)/, (_, letter: string) => `/%25${letter.charCodeAt(0).toString(16)}`)),
    path((found) => found.replace(/(?<=.)\/(?=[^/]*$)/, '%2F')),
    path((found) => `${found};x`),
    path((found) => `/.${found}`),
    path((found) => `${found}/../documents`),
    path((found) => found.toUpperCase()),
    (text) => text.replace(/^\S+/, (method) => method.toLowerCase()),
    query('x=1'),
    query('&action=upsert'),
    query('x=1;action=upsert'),
    query('Action=upsert'),
    query('action=upsert'),
    query(`collection=${b}`),
    query('id=2'),
    query(`name=${b}&alias=${b}`),
    query('truncate=true&filter_by=n:>0'),
    query('_method=DELETE'),
  ];
}

type State = Readonly<Record<string, string>>;

/** Everything that this check made, each thing under a name of its own. A document is one entry for each of its fields. */
async function stateOf(ask: Ask, { a, b, other }: Names): Promise<State> {
  const state: Record<string, string> = {};
  for (const collection of [a, b]) {
    const schema = await ask('GET', `/collections/${collection}`);
    if (schema.status !== 200) continue;
    for (const { name } of (JSON.parse(schema.text) as { fields: { name: string }[] }).fields)
      state[`field ${collection} ${name}`] = '';
    const { text } = await ask('GET', `/collections/${collection}/documents/export`);
    for (const line of text.split('\n').filter((part) => part !== '')) {
      const document = JSON.parse(line) as Record<string, unknown>;
      for (const [name, value] of Object.entries(document))
        state[`value ${collection} ${String(document['id'])} ${name}`] = JSON.stringify(value);
    }
  }
  for (const thing of ['aliases', 'presets', 'stopwords']) {
    const { status, text } = await ask('GET', `/${thing}/${other}`);
    if (status === 200) state[`whole ${thing} ${other}`] = text;
  }
  const keys = JSON.parse((await ask('GET', '/keys')).text) as { keys?: { id: number; description: string }[] };
  for (const { id, description } of keys.keys ?? []) if (description === other) state[`key ${id}`] = '';
  return state;
}

/** The losses: of documents the fields, whatever their values; of everything else its content. A new key is a loss as well. */
function lossesOf(before: State, after: State): string[] {
  return [
    ...Object.keys(before).filter(
      (name) => !Object.hasOwn(after, name) || (name.startsWith('whole ') && after[name] !== before[name]),
    ),
    ...Object.keys(after).filter((name) => name.startsWith('key ') && !Object.hasOwn(before, name)),
  ];
}

async function clean(ask: Ask, { a, b, other }: Names): Promise<void> {
  const keys = JSON.parse((await ask('GET', '/keys')).text) as { keys?: { id: number; description: string }[] };
  for (const { id, description } of keys.keys ?? []) if (description === other) await ask('DELETE', `/keys/${id}`);
  for (const found of [`/collections/${a}`, `/collections/${b}`, `/aliases/${other}`, `/aliases/${other}-new`, `/aliases/${b}`])
    await ask('DELETE', found);
  for (const found of [`/presets/${other}`, `/presets/${b}`, `/stopwords/${other}`, `/stopwords/${b}`])
    await ask('DELETE', found);
}

async function make(ask: Ask, names: Names): Promise<void> {
  await clean(ask, names);
  const fields = [
    { name: 't', type: 'string' },
    { name: 'n', type: 'int32', optional: true },
  ];
  for (const name of [names.a, names.b]) {
    await ask('POST', '/collections', JSON.stringify({ name, fields }));
    for (const id of ['1', '2', '3'])
      await ask('POST', `/collections/${name}/documents`, JSON.stringify({ id, t: `text ${id}`, n: Number(id) }));
  }
  await ask('PUT', `/aliases/${names.other}`, JSON.stringify({ collection_name: names.a }));
  await ask('PUT', `/presets/${names.other}`, JSON.stringify({ value: { q: '*' } }));
  await ask('PUT', `/stopwords/${names.other}`, JSON.stringify({ stopwords: ['a'] }));
}

/**
 * Classifies every request in every spelling, runs it, and compares what the server holds before and after.
 *
 * @param session - of the search driver, with a key that may do everything
 * @param prefix - begins the name of everything it creates
 */
export async function checkVerbs(session: Session, ask: Ask, prefix: string): Promise<VerbsReport> {
  const names: Names = { a: `${prefix}verbs-a`, b: `${prefix}verbs-b`, other: `${prefix}verbs-o` };
  const { signal } = new AbortController();
  const counts = { tried: 0, refused: 0, read: 0, write: 0, destructive: 0, unknown: 0, lossesSeen: 0, changesSeen: 0 };
  const wrong: string[] = [];
  const texts = new Map(requests(names).flatMap(({ text, own }) => spellings(names).map((spell) => [spell(text), own] as const)));
  try {
    await make(ask, names);
    let before = await stateOf(ask, names);
    for (const [text, own] of texts) {
      counts.tried += 1;
      const found = await session.console?.classify(text, { signal }).catch(refusal);
      const effect = found === undefined ? 'refused' : found.unknown === true ? 'unknown' : found.effect;
      counts[effect] += 1;
      const runs = effect === 'read' || effect === 'write' || (effect === 'destructive' && own);
      if (!runs) continue;
      await drain(session, text, signal);
      const after = await stateOf(ask, names);
      const losses = lossesOf(before, after);
      const changed = JSON.stringify(before) !== JSON.stringify(after);
      if (effect === 'read' && changed) wrong.push(`read, and changed something: ${text}`);
      if (effect === 'write' && losses.length > 0) wrong.push(`write, and lost ${losses.join(', ')}: ${text}`);
      if (effect === 'write' && changed) counts.changesSeen += 1;
      if (effect === 'destructive' && losses.length > 0) counts.lossesSeen += 1;
      if (!changed) continue;
      await make(ask, names);
      before = await stateOf(ask, names);
    }
  } finally {
    await clean(ask, names);
  }
  return { ...counts, wrong };
}

async function drain(session: Session, text: string, signal: AbortSignal): Promise<void> {
  try {
    await Array.fromAsync(session.console?.run(text, { maxRows: 100, signal }) ?? []);
  } catch (error) {
    refusal(error);
  }
}

function refusal(error: unknown): undefined {
  if (!isDriverError(error) || error.code === 'DRIVER_FAULT') throw error;
  return undefined;
}
