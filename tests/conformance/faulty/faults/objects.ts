import type { HitPlacement, ObjectChange, ObjectKind, ObjectsFacet } from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';
import type { World } from '../orchard/world.ts';

const KINDS = ['objects', 'their kinds have names, forms and places that are there'] as const;
const LISTED = ['objects', 'each is listed once, in a stable order, and read as a JSON object'] as const;
const REFUSED = ['objects', 'a place or a name that is not there is refused and changes nothing; calls are cancelled'] as const;
const CHANGED = ['objects', 'one is added, changed and removed as its plan said, and never over what was not seen'] as const;

const PLACED = ['objects', 'a hit of a search is pinned, hidden and released by the change that was said'] as const;

const replacing = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (objects: ObjectsFacet, world: World) => Partial<ObjectsFacet>,
): Seeded => acts(name, breaks, says, ({ objects }, world) => ({ objects: { ...objects, ...change(objects, world) } }));

const offering = (name: string, says: RegExp, change: (kind: ObjectKind) => readonly ObjectKind[]): Seeded =>
  replacing(name, KINDS, says, ({ kinds }) => ({ kinds: async (options) => (await kinds(options)).flatMap(change) }));

/** Places hits in another way. */
const placing = (
  name: string,
  says: RegExp,
  change: (
    hit: HitPlacement,
    place: (hit: HitPlacement) => Promise<ObjectChange>,
    apply: (change: ObjectChange) => Promise<void>,
  ) => Promise<ObjectChange>,
): Seeded =>
  replacing(name, PLACED, says, ({ placeHit, apply }) => ({
    placeHit: (hit, options) => {
      if (placeHit === undefined) throw new Error('The orchard places hits.');
      return change(
        hit,
        (one) => placeHit(one, options),
        (one) => apply(one, options),
      );
    },
  }));

/** Makes a change whatever was seen. */
const unseen = (world: World, change: ObjectChange): ObjectChange =>
  change.action === 'remove' ? change : { ...change, was: world.notes.get(change.object.name) ?? null };

export const objectFaults: readonly Seeded[] = [
  offering('two kinds of one id', /one id/, (kind) => [kind, kind]),
  offering('a kind without a help', /no name or no help/, (kind) => [{ ...kind, help: ' ' }]),
  offering('a kind in one that is not there', /isn't a kind of its scope/, (kind) => [{ ...kind, within: 'drawer' }]),
  offering('a kind that names objects of none', /isn't a kind of the server/, (kind) => [{ ...kind, names: 'drawer' }]),
  offering('a form with one field twice', /one path/, (kind) => [{ ...kind, form: [...kind.form, ...kind.form] }]),
  replacing('an object that is listed twice', LISTED, /twice/, ({ list }) => ({
    list: async (...asked) => {
      const page = await list(...asked);
      return { ...page, objects: [...page.objects, ...page.objects] };
    },
  })),
  replacing('a document of an object that is a list', LISTED, /JSON object/, () => ({
    get: async ({ name }) => ({ name, document: '[]' }),
  })),
  replacing('an unknown kind that is listed as empty', REFUSED, /unknown kind/, ({ list }) => ({
    list: async (place, next, options) => (place.kind === 'note' ? list(place, next, options) : { objects: [] }),
  })),
  replacing('a table that is passed over where objects have none', REFUSED, /does not have/, ({ list }) => ({
    list: async ({ kind }, next, options) => list({ kind }, next, options),
  })),
  replacing('an object that is not there and read as empty', REFUSED, /Reading/, ({ get }) => ({
    get: async (object, options) => get(object, options).catch(() => ({ name: object.name, document: '{}' })),
  })),
  replacing('a name that removes more than itself', REFUSED, /Removing/, ({ apply }, world) => ({
    apply: async (change, options) => {
      if (change.action === 'remove' && change.object.name === '*') return world.notes.clear();
      return apply(change, options);
    },
  })),
  replacing('a list of objects that is not cancelled', REFUSED, /aborted signal/, ({ list }) => ({
    list: (place, next) => list(place, next, { signal: new AbortController().signal }),
  })),
  replacing('a plan that makes the change', CHANGED, /changed something|there already|CONFLICT/, ({ plan, apply }) => ({
    plan: async (change, options) => {
      const planned = await plan(change, options);
      await apply(change, options);
      return planned;
    },
  })),
  replacing('a removal that is called a write', CHANGED, /has the effect write/, ({ plan }) => ({
    plan: async (change, options) => ({ ...(await plan(change, options)), effect: 'write' }),
  })),
  replacing('a change over what was not seen', CHANGED, /succeeded/, ({ plan, apply }, world) => ({
    plan: (change, options) => plan(unseen(world, change), options),
    apply: (change, options) => apply(unseen(world, change), options),
  })),
  replacing('a document that does not fit and is taken', CHANGED, /succeeded/, ({ plan, apply }) => {
    const fitting = (change: ObjectChange): ObjectChange =>
      change.action === 'save' && change.document === '{}' ? { ...change, document: '{"text":""}' } : change;
    return {
      plan: (change, options) => plan(fitting(change), options),
      apply: (change, options) => apply(fitting(change), options),
    };
  }),
  replacing('an object that is saved without a part of it', CHANGED, /which is not in it/, ({ get }) => ({
    get: async (object, options) => ({ ...(await get(object, options)), document: '{}' }),
  })),
  replacing('a removal that leaves the object', CHANGED, /still listed/, ({ apply }) => ({
    apply: async (change, options) => (change.action === 'remove' ? undefined : apply(change, options)),
  })),
  placing('a hit that is pinned at another place', /pinned as the/, (hit, place) =>
    place(hit.action === 'pin' ? { ...hit, rank: hit.rank + 1 } : hit),
  ),
  placing('a question that places the hit', /Asking for the change/, async (hit, place, apply) => {
    const change = await place(hit);
    await apply(change);
    return change;
  }),
  placing('a hidden hit that is pinned', /was hidden/, (hit, place) =>
    place(hit.action === 'hide' ? { ...hit, action: 'pin', rank: 1 } : hit),
  ),
  placing('a released hit that is hidden', /was released/, (hit, place) =>
    place(hit.action === 'release' ? { ...hit, action: 'hide' } : hit),
  ),
  placing('a hit that is released though nothing places it', /Releasing a hit/, (hit, place) =>
    hit.action === 'release'
      ? place(hit).catch(() => ({ action: 'remove' as const, object: { kind: 'note', name: 'gate' } }))
      : place(hit),
  ),
  placing('blank words that place a hit', /blank words/, (hit, place) => place(hit.text === ' ' ? { ...hit, text: 'x' } : hit)),
  placing('a table that is not there and places a hit', /not there/, (hit, place) =>
    place({ ...hit, table: { namespace: ['orchard'], name: 'trees' } }),
  ),
];
