import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ObjectChange, ObjectKind, ObjectPlace, ObjectRef, ObjectsFacet, PlannedChange } from '@tabularium/sdk';
import { pathOf } from '../link.ts';
import type { Link } from '../link.ts';
import type { Tables } from '../tables.ts';

const YES = { allowed: true } as const;
const MEMBERS: readonly string[] = ['table', 'note'];

const VIEW: ObjectKind = {
  id: 'view',
  term: { one: 'Saved View', other: 'Saved Views' },
  help: 'A saved view is a name for a table, with a note.',
  scope: 'server',
  columns: [{ id: 'table', label: 'Table' }],
  form: [
    { path: ['table'], label: 'Table', type: 'table', required: true },
    { path: ['note'], label: 'Note', type: 'text', required: false },
  ],
  save: YES,
  remove: YES,
};

/** A view as the server has it: `version` is another one after every change. */
interface StoredView {
  readonly version: string;
  readonly document: Readonly<Record<string, unknown>>;
}

function requireView({ kind, table, within }: ObjectPlace): void {
  if (kind !== VIEW.id || table !== undefined || within !== undefined)
    throw new DriverError('INVALID_INPUT', 'There are no such objects here.', { details: { field: 'kind' } });
}

/** Objects beside tables: here saved views, each a small document under a name. */
export function objectsFacet(link: Link, tables: Tables): ObjectsFacet {
  async function stored({ name }: ObjectRef, signal: AbortSignal): Promise<StoredView> {
    return (await link.json({ method: 'GET', path: pathOf('views', name), isReading: true, signal })) as StoredView;
  }

  async function storedOrNone(object: ObjectRef, signal: AbortSignal): Promise<StoredView | undefined> {
    return stored(object, signal).catch((error: unknown) => {
      if (isDriverError(error) && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
  }

  /** A document that the server takes. @throws DriverError `INVALID_INPUT` */
  async function documentOf(text: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const wrong = (message: string, field: string): DriverError =>
      new DriverError('INVALID_INPUT', message, { details: { field } });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw wrong('The document is not JSON.', 'document');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrong('The document is not a JSON object.', 'document');
    const document = value as Readonly<Record<string, unknown>>;
    const { table, note } = document;
    for (const member of Object.keys(document)) if (!MEMBERS.includes(member)) throw wrong(`A view has no “${member}”.`, member);
    const names = (await tables.list(signal)).map(({ ref }) => ref.name);
    if (typeof table !== 'string' || !names.includes(table)) throw wrong('A view names a table of this server.', 'table');
    if (note !== undefined && typeof note !== 'string') throw wrong('A note is a text.', 'note');
    return document;
  }

  /** The request that makes a change, and what it means. It holds the version that the change began from, so that the server compares it too. */
  async function prepared(
    change: ObjectChange,
    signal: AbortSignal,
  ): Promise<{ planned: PlannedChange; send: () => Promise<unknown> }> {
    const { object } = change;
    link.begin(signal);
    requireView(object);
    const path = pathOf('views', object.name);
    const document = change.action === 'save' ? await documentOf(change.document, signal) : undefined;
    const now = change.action === 'save' ? await storedOrNone(object, signal) : await stored(object, signal);
    const text = now === undefined ? null : JSON.stringify(now.document);
    if (change.was !== undefined && change.was !== text)
      throw new DriverError('CONFLICT', `The view “${object.name}” is another one by now. Read it again.`);
    const headers: Readonly<Record<string, string>> = now === undefined ? {} : { 'if-match': now.version };
    if (document === undefined) {
      return {
        planned: {
          effect: 'destructive',
          consequence: `The view “${object.name}” is removed. Its table stays.`,
          requests: [{ method: 'DELETE', path, headers }],
        },
        send: () => link.text({ method: 'DELETE', path, headers, isReading: false, signal }),
      };
    }
    const body = JSON.stringify(document);
    return {
      planned: {
        // What was there before is lost.
        effect: now === undefined ? 'write' : 'destructive',
        consequence: now === undefined ? `The view “${object.name}” is added.` : `The view “${object.name}” is replaced.`,
        requests: [{ method: 'PUT', path, headers: { 'content-type': 'application/json', ...headers }, body }],
      },
      send: () => link.text({ method: 'PUT', path, headers, text: body, isReading: false, signal }),
    };
  }

  return {
    async kinds({ signal }) {
      link.begin(signal);
      return [VIEW];
    },
    async list(place, _next, { signal }) {
      link.begin(signal);
      requireView(place);
      const found = await link.json({ method: 'GET', path: '/views', isReading: true, signal });
      const views = found as readonly { readonly name: string; readonly table: string }[];
      return { objects: views.map(({ name, table }) => ({ name, facts: { table } })) };
    },
    async get(object, { signal }) {
      link.begin(signal);
      requireView(object);
      return { name: object.name, document: JSON.stringify((await stored(object, signal)).document) };
    },
    plan: async (change, { signal }) => (await prepared(change, signal)).planned,
    async apply(change, { signal }) {
      const { send } = await prepared(change, signal);
      await send();
    },
  };
}
