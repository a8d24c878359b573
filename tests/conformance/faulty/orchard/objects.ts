import { DriverError } from '@tabularium/sdk';
import type { ObjectChange, ObjectKind, ObjectPlace, ObjectsFacet, PlannedChange } from '@tabularium/sdk';
import { placement } from './placements.ts';
import type { World } from './world.ts';

const KIND: ObjectKind = {
  id: 'note',
  term: { one: 'Note', other: 'Notes' },
  help: 'A note at the gate.',
  scope: 'server',
  columns: [{ id: 'text', label: 'Text' }],
  form: [{ path: ['text'], type: 'text', label: 'Text', required: true }],
  save: { allowed: true },
  remove: { allowed: true },
};
/** Notes of one part of a list: small, so that parts must join. */
const PART = 1;

const textOf = (document: string): string | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    return undefined;
  }
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;
  return typeof text === 'string' ? text : undefined;
};

export function createObjects(world: World): ObjectsFacet {
  const mustBePlace = ({ kind, table, within }: ObjectPlace): void => {
    if (kind === KIND.id && table === undefined && within === undefined) return;
    throw new DriverError('INVALID_INPUT', 'An orchard has notes, and they are at its gate.');
  };
  const planned = (change: ObjectChange): PlannedChange => {
    const { name } = change.object;
    mustBePlace(change.object);
    const path = `/notes/${encodeURIComponent(name)}`;
    const before = world.notes.get(name);
    if (change.action === 'remove') {
      if (before === undefined) throw new DriverError('NOT_FOUND', `There is no note “${name}”.`);
      return { effect: 'destructive', consequence: `The note “${name}” is removed.`, requests: [{ method: 'DELETE', path }] };
    }
    if (textOf(change.document) === undefined) {
      throw new DriverError('INVALID_INPUT', 'A note needs a text.', { details: { field: 'document' } });
    }
    if ((before ?? null) !== change.was) throw new DriverError('CONFLICT', `The note “${name}” is another one by now.`);
    return {
      effect: 'write',
      consequence: `The note “${name}” is written.`,
      requests: [{ method: 'PUT', path, body: change.document }],
    };
  };
  return {
    async kinds(options) {
      await world.ready(options);
      return [KIND];
    },
    async list(place, next, options) {
      await world.ready(options);
      mustBePlace(place);
      const all = Array.from(world.notes, ([name, document]) => ({ name, facts: { text: textOf(document) ?? '' } }));
      const from = Number(next ?? 0);
      const to = from + PART;
      return { objects: all.slice(from, to), ...(to < all.length ? { next: String(to) } : {}) };
    },
    async get(object, options) {
      await world.ready(options);
      mustBePlace(object);
      const document = world.notes.get(object.name);
      if (document === undefined) throw new DriverError('NOT_FOUND', `There is no note “${object.name}”.`);
      return { name: object.name, document };
    },
    async plan(change, options) {
      await world.ready(options);
      return planned(change);
    },
    async apply(change, options) {
      await world.ready(options);
      planned(change);
      if (change.action === 'remove') world.notes.delete(change.object.name);
      else world.notes.set(change.object.name, change.document);
    },
    async placeHit(hit, options) {
      await world.ready(options);
      return placement(world, hit);
    },
  };
}
