import type { Completion, CompletionList } from '@tabularium/sdk';
import { actionOptions } from '../principals/actions.ts';
import type { Names } from './names.ts';
import type { Route } from './routes.ts';
import { COLLECTION_VALUES, FIELD_VALUES, FIXED_VALUES } from './parameterValues.ts';
import type { Parameter } from './parameters.ts';
import { has } from '../versions.ts';
import { routes } from './routes.ts';
import { REQUEST_LINE } from './requestText.ts';

/** More than anybody looks through; typing on makes the list shorter. */
const MOST_ITEMS = 500;

/** Characters before a string in which the name of its member is looked for. */
const MOST_AHEAD = 2_000;

/**
 * Completions at an offset of a console text.
 *
 * @param version - of the server, from `versionNumber`: only what it has is offered; undefined: what any version has
 */
export async function completeRequest(
  text: string,
  offset: number,
  names: Names,
  version: number | undefined,
): Promise<CompletionList> {
  const { typed, items } = await found(text.slice(0, offset), names, interfaceOf(version));
  const wanted = typed.toLowerCase();
  const matching = items.filter(({ label }) => label.toLowerCase().includes(wanted));
  // Entries that begin with the typed text come before those that only contain it.
  const begins = matching.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const holds = matching.filter(({ label }) => !label.toLowerCase().startsWith(wanted));
  return { from: offset - typed.length, items: [...begins, ...holds].slice(0, MOST_ITEMS) };
}

/** The language of a version: its routes with their parameters, and the actions of its keys. */
interface Interface {
  readonly known: readonly Route[];
  readonly version: number | undefined;
}

function interfaceOf(version: number | undefined): Interface {
  const ofVersion = (list: readonly Parameter[]): Parameter[] => list.filter((parameter) => has(version, parameter));
  const known = routes()
    .filter((route) => has(version, route))
    .map((route) => ({ ...route, parameters: ofVersion(route.parameters), members: ofVersion(route.members) }));
  return { known, version };
}

async function found(before: string, names: Names, server: Interface): Promise<Found> {
  const lines = before.split('\n');
  const current = lines.at(-1) ?? '';
  if (/^\s*\S+\s/.test(current) && REQUEST_LINE.test(current)) return inRequestLine(current, names, server);
  const above = lines.slice(0, -1).findLastIndex((line) => REQUEST_LINE.test(line));
  const body = above === -1 ? '' : lines.slice(above + 1).join('\n');
  if (/^\s*[A-Za-z]*$/.test(current) && isClosed(body)) return { typed: current.trimStart(), items: methods(server) };
  return above === -1 ? { typed: '', items: [] } : inBody(lines[above] ?? '', body, names, server);
}

/** Whether a JSON text is complete, so that the next request can begin. */
function isClosed(json: string): boolean {
  if (openString(json) !== undefined) return false;
  const bare = json.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  return (bare.match(/[{[]/g)?.length ?? 0) === (bare.match(/[}\]]/g)?.length ?? 0);
}

interface Found {
  /** The part of it that is typed already. */
  readonly typed: string;
  readonly items: readonly Completion[];
}

/** Whole requests, then methods alone. */
function methods({ known }: Interface): Completion[] {
  const requests = known.map(({ method, segments, detail }): Completion => {
    const label = `${method} /${segments.join('/')}`;
    // As far as it can be written without knowing a name.
    const name = segments.findIndex((segment) => segment.startsWith(':'));
    return {
      label,
      detail,
      insert: name === -1 ? label : `${method} /${segments.slice(0, name).join('/')}/`,
      kind: 'request',
    };
  });
  const words = [...new Set(known.map(({ method }) => method))];
  return [...requests, ...words.map((word): Completion => ({ label: word, insert: `${word} `, kind: 'keyword' }))];
}

function partsOf(line: string): { method: string; path: string } {
  const [, method = '', path = ''] = /^\s*(\S+)(?:\s+(\S.*)?)?$/s.exec(line) ?? [];
  return { method: method.toUpperCase(), path };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function fits(route: Route, segments: readonly string[]): boolean {
  return segments.every((segment, index) => {
    const pattern = route.segments[index];
    return pattern !== undefined && (pattern === segment || (pattern.startsWith(':') && segment !== ''));
  });
}

/** The route that a request line names. */
function routeOf(
  { known }: Interface,
  method: string,
  path: string,
): { route: Route | undefined; collection: string | undefined } {
  const segments = (path.split('?', 1)[0] ?? '').replace(/^\//, '').split('/');
  const candidates = known.filter(
    (one) => one.method === method && one.segments.length === segments.length && fits(one, segments),
  );
  // A word of the interface wins over a name.
  const route = candidates.find((one) => one.segments.every((part, index) => part === segments[index])) ?? candidates[0];
  return { route, collection: segments[0] === 'collections' ? decoded(segments[1] ?? '') : undefined };
}

async function inRequestLine(line: string, names: Names, server: Interface): Promise<Found> {
  const { method, path } = partsOf(line);
  const query = path.indexOf('?');
  if (query !== -1) return inQuery(method, path, path.slice(query + 1), names, server);
  const segments = path.replace(/^\//, '').split('/');
  const typed = segments.at(-1) ?? '';
  const done = segments.slice(0, -1);
  const next = server.known.filter(
    (route) => route.method === method && route.segments.length > done.length && fits(route, done),
  );
  const slash = path === '' ? '/' : '';
  const items: Completion[] = [];
  const seen = new Set<string>();
  for (const { segments: pattern, detail } of next) {
    const part = pattern[done.length] ?? '';
    if (seen.has(part)) continue;
    seen.add(part);
    if (part === ':collection') items.push(...(await names.collections()).map((name) => nameItem(name)));
    else if (part === ':alias') items.push(...(await names.aliases()).map((name) => nameItem(name)));
    else if (!part.startsWith(':')) {
      const rest = pattern.slice(done.length);
      const open = rest.findIndex((one) => one.startsWith(':'));
      items.push({
        label: rest.join('/'),
        detail,
        insert: slash + (open === -1 ? rest.join('/') : `${rest.slice(0, open).join('/')}/`),
        kind: 'request',
      });
    }
  }
  return { typed, items };
}

function nameItem(name: string): Completion {
  return { label: name, insert: name.replace(/[%/?\s]/g, encodeURIComponent), kind: 'table' };
}

async function inQuery(method: string, path: string, query: string, names: Names, server: Interface): Promise<Found> {
  const { route, collection } = routeOf(server, method, path);
  const last = query.split(/(?<!&)&(?!&)/).at(-1) ?? '';
  const equals = last.indexOf('=');
  if (equals === -1) {
    const items = (route?.parameters ?? []).map(({ name }): Completion => ({
      label: name,
      insert: `${name}=`,
      kind: 'parameter',
    }));
    return { typed: last, items };
  }
  return values(last.slice(0, equals), last.slice(equals + 1), collection, names, server);
}

/** Inside a JSON body: a member's name, or its value. */
async function inBody(requestLine: string, body: string, names: Names, server: Interface): Promise<Found> {
  const open = openString(body);
  if (open === undefined) return { typed: '', items: [] };
  const { method, path } = partsOf(requestLine);
  const { route, collection } = routeOf(server, method, path);
  const ahead = body.slice(Math.max(0, open.start - MOST_AHEAD), open.start).trimEnd();
  const member = /"((?:[^"\\]|\\.)*)"\s*:\s*(?:\[[^[\]{}]*)?$/s.exec(ahead)?.[1];
  if (member === undefined) {
    const fields = collection !== undefined && path.includes('/documents') ? await names.fields(collection) : [];
    const members = distinct(route?.members ?? []).map((name): Completion => ({ label: name, insert: name, kind: 'parameter' }));
    return {
      typed: open.text,
      items: [
        ...members,
        ...fields.map(({ name, type }): Completion => ({ label: name, detail: type, insert: name, kind: 'column' })),
      ],
    };
  }
  // The collection of the search that the cursor is in: the one named last before it, else the next one.
  const named = [...body.matchAll(/"collection"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].at(-1)?.[1];
  return values(member, open.text, named ?? collection, names, server);
}

/** Members of several levels of a body can have one name. */
function distinct(members: readonly Parameter[]): string[] {
  return [...new Set(members.map(({ name }) => name))];
}

/** The string that is not closed at the end of a JSON text. */
function openString(json: string): { start: number; text: string } | undefined {
  let start = -1;
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === '\\' && start !== -1) at += 1;
    else if (json[at] === '"') start = start === -1 ? at : -1;
  }
  return start === -1 ? undefined : { start, text: json.slice(start + 1) };
}

async function values(
  name: string,
  written: string,
  collection: string | undefined,
  names: Names,
  { version }: Interface,
): Promise<Found> {
  const fixed = Object.hasOwn(FIXED_VALUES, name) ? FIXED_VALUES[name] : undefined;
  if (fixed !== undefined)
    return { typed: written, items: fixed.map((value): Completion => ({ label: value, insert: value, kind: 'value' })) };
  if (name === 'actions') {
    return {
      typed: written,
      items: actionOptions(version).map(({ value, group }): Completion => ({
        label: value,
        detail: group,
        insert: value,
        kind: 'value',
      })),
    };
  }
  if (COLLECTION_VALUES.has(name)) {
    return {
      typed: written,
      items: (await names.collections()).map((one): Completion => ({ label: one, insert: one, kind: 'table' })),
    };
  }
  if (!FIELD_VALUES.has(name) || collection === undefined) return { typed: '', items: [] };
  // Behind the last comma, bracket or operator a new name begins.
  const typed = /(?<![^,\s&|():`])[^,\s&|():`]*$/.exec(written)?.[0] ?? '';
  if (written[written.length - typed.length - 1] === ':') return { typed, items: name === 'sort_by' ? directions() : [] };
  const fields = await names.fields(collection);
  return {
    typed,
    items: fields.map(({ name: field, type }): Completion => ({ label: field, detail: type, insert: field, kind: 'column' })),
  };
}

function directions(): Completion[] {
  return ['asc', 'desc'].map((word) => ({ label: word, insert: word, kind: 'value' }));
}
