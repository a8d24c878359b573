import type { HitPlacement, ObjectChange, ObjectKind, ObjectPlace, ObjectRef, ObjectsFacet } from '../../facets/objects.ts';
import type { RowKey } from '../../model/rowKey.ts';
import { NO_FILTER } from '../../model/filter.ts';
import { cancelled, expectedRefusal, inTime, must, onBench } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { absent, untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownObject, KnownPlacedHits, NotChecked } from '../plan.ts';

const NOT_THERE = 'kit_nothing_has_this_name';
/** Names of objects that don't exist, each a trap for a driver that pastes them into a path or a statement. */
const HOSTILE_NAMES = ['*', '%', '..', '../objects', "x' OR '1'='1", 'a; DROP TABLE b', '?all=true', '\u0000', '💥'];
/** Objects of one kind that are read one by one. */
const SOME_OBJECTS = 20;

interface Parts {
  readonly bench: Bench;
  readonly objects: ObjectsFacet;
  readonly kinds: readonly ObjectKind[];
}

async function withObjects(plan: ConformancePlan, check: (parts: Parts) => Promise<void>): Promise<void> {
  await onBench(plan, async (bench) => {
    const { objects } = bench.session;
    if (objects !== undefined)
      await check({ bench, objects, kinds: await inTime('objects.kinds', objects.kinds(bench.options)) });
  });
}

async function namesOf({ objects, bench }: Parts, place: ObjectPlace): Promise<string[]> {
  const names: string[] = [];
  let next: string | undefined;
  do {
    const page = await inTime('objects.list', objects.list(place, next, bench.options));
    names.push(...page.objects.map(({ name }) => name));
    must(page.objects.length > 0 || page.next === undefined, `A part of the list of “${place.kind}” is empty and not the last.`);
    next = page.next;
  } while (next !== undefined);
  return names;
}

/** The places of a kind that are in no other object. */
function placesOf(kind: ObjectKind, plan: ConformancePlan): ObjectPlace[] {
  if (kind.within !== undefined) return [];
  return kind.scope === 'server' ? [{ kind: kind.id }] : plan.tables.map(({ ref }) => ({ kind: kind.id, table: ref }));
}

function mustBeObject(document: string, where: string): void {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    value = undefined;
  }
  must(typeof value === 'object' && value !== null && !Array.isArray(value), `${where} has a document that isn't a JSON object.`);
}

function checkKinds({ kinds }: Parts): void {
  const ids = kinds.map(({ id }) => id);
  must(new Set(ids).size === ids.length, 'Two kinds have one id.');
  for (const { id, term, help, within, names, scope, columns, form, save, remove } of kinds) {
    must(term.one.trim() !== '' && term.other.trim() !== '' && help.trim() !== '', `The kind “${id}” has no name or no help.`);
    for (const ability of [save, remove]) {
      must(ability.allowed || ability.reason.trim() !== '', `Objects of “${id}” cannot be changed, and nothing says why.`);
    }
    const holder = kinds.find((other) => other.id === within);
    must(
      within === undefined || (holder !== undefined && holder.scope === scope && holder.within === undefined),
      `The kind “${id}” is in “${within ?? ''}”, which isn't a kind of its scope, or is in another one.`,
    );
    must(
      names === undefined || kinds.some((other) => other.id === names && other.scope === 'server'),
      `The kind “${id}” names objects of “${names ?? ''}”, which isn't a kind of the server.`,
    );
    must(new Set(columns.map((column) => column.id)).size === columns.length, `The kind “${id}” has two columns of one id.`);
    const paths = form.map(({ path }) => JSON.stringify(path));
    must(new Set(paths).size === paths.length, `The form of “${id}” has two fields of one path.`);
  }
}

async function checkLists(plan: ConformancePlan, parts: Parts): Promise<void> {
  const { bench, kinds, objects } = parts;
  for (const kind of kinds) {
    for (const place of placesOf(kind, plan)) {
      const names = await namesOf(parts, place);
      must(new Set(names).size === names.length, `The list of “${kind.id}” has an object twice.`);
      const again = await namesOf(parts, place);
      must(JSON.stringify(names) === JSON.stringify(again), `The list of “${kind.id}” has another order the second time.`);
      for (const name of names.slice(0, SOME_OBJECTS)) {
        const { document } = await inTime('objects.get', objects.get({ ...place, name }, bench.options));
        mustBeObject(document, `“${name}” of “${kind.id}”`);
        for (const secret of plan.secrets ?? [])
          must(!document.includes(secret), `“${name}” of “${kind.id}” holds a credential.`);
      }
    }
  }
}

async function checkRefusals(plan: ConformancePlan, parts: Parts): Promise<void> {
  const { bench, kinds, objects } = parts;
  const { options } = bench;
  const table = { namespace: [], name: NOT_THERE };
  await expectedRefusal('Listing an unknown kind', () => objects.list({ kind: NOT_THERE.slice(0, 40) }, undefined, options), [
    'INVALID_INPUT',
  ]);
  for (const kind of kinds) {
    const wrong = kind.scope === 'table' ? { kind: kind.id } : { kind: kind.id, table: plan.tables[0]?.ref ?? table };
    await expectedRefusal(
      `Listing “${kind.id}” in a place that it does not have`,
      () => objects.list(wrong, undefined, options),
      ['INVALID_INPUT'],
    );
    if (kind.scope === 'table' && kind.within === undefined) {
      await expectedRefusal(
        `Listing “${kind.id}” of a table that is not there`,
        () => objects.list({ kind: kind.id, table }, undefined, options),
        ['NOT_FOUND'],
      );
    }
    for (const place of placesOf(kind, plan).slice(0, 1)) {
      const before = await namesOf(parts, place);
      for (const name of [NOT_THERE, ...HOSTILE_NAMES]) {
        const codes = name === NOT_THERE ? (['NOT_FOUND'] as const) : (['NOT_FOUND', 'INVALID_INPUT'] as const);
        const object = { ...place, name };
        await expectedRefusal(`Reading ${JSON.stringify(name)} of “${kind.id}”`, () => objects.get(object, options), codes);
        const removed = kind.remove.allowed ? codes : ([...codes, 'UNSUPPORTED'] as const);
        const change: ObjectChange = { action: 'remove', object };
        await expectedRefusal(`Removing ${JSON.stringify(name)} of “${kind.id}”`, () => objects.apply(change, options), removed);
      }
      const after = await namesOf(parts, place);
      must(JSON.stringify(before) === JSON.stringify(after), `A refused removal changed the list of “${kind.id}”.`);
    }
  }
  const signal = AbortSignal.abort();
  await cancelled('objects.kinds with an aborted signal', () => objects.kinds({ signal }));
  const [place] = kinds.flatMap((kind) => placesOf(kind, plan));
  if (place !== undefined) {
    await cancelled('objects.list with an aborted signal', () => objects.list(place, undefined, { signal }));
    await cancelled('objects.get with an aborted signal', () => objects.get({ ...place, name: NOT_THERE }, { signal }));
  }
}

const CHANGED = 'objects: one is added, changed and removed as its plan said, and never over what was not seen';

async function checkChange(plan: ConformancePlan, parts: Parts, known: KnownObject): Promise<void> {
  const { objects, bench } = parts;
  const { options } = bench;
  const { object, document, changed, refused } = known;
  const where = `“${object.name}” of “${object.kind}”`;
  const { name: _name, ...place } = object;
  const read = async (): Promise<string> => (await inTime('objects.get', objects.get(object, options))).document;
  const isListed = async (): Promise<boolean> => (await namesOf(parts, place)).includes(object.name);
  const asPlanned = async (change: ObjectChange, effects: readonly string[]): Promise<void> => {
    const before = await isListed();
    const { effect, consequence, requests } = await inTime('objects.plan', objects.plan(change, options));
    must(effects.includes(effect), `The plan for ${where} has the effect ${effect}.`);
    must(consequence.trim() !== '' && requests.length > 0, `The plan for ${where} says nothing, or sends nothing.`);
    for (const secret of plan.secrets ?? []) {
      must(!JSON.stringify(requests).includes(secret), `The plan for ${where} holds a credential.`);
    }
    must((await isListed()) === before, `The plan for ${where} changed something.`);
    await inTime('objects.apply', objects.apply(change, options));
  };
  const stays = async (what: string, change: ObjectChange, codes: Parameters<typeof expectedRefusal>[2]): Promise<void> => {
    const before = (await isListed()) ? await read() : undefined;
    await expectedRefusal(`Planning ${what} of ${where}`, () => objects.plan(change, options), codes);
    await expectedRefusal(`Making ${what} of ${where}`, () => objects.apply(change, options), codes);
    const after = (await isListed()) ? await read() : undefined;
    must(before === after, `${what} of ${where} was refused, and changed it.`);
  };
  must(!(await isListed()), `${where} is there already: the plan has to name one that isn't.`);
  const save = (text: string, was: string | null): ObjectChange => ({ action: 'save', object, document: text, was });
  for (const text of ['{', '[]', '"text"', ...(refused ?? [])])
    await stays('a document that does not fit', save(text, null), ['INVALID_INPUT']);
  await asPlanned(save(document, null), ['write', 'destructive']);
  must(await isListed(), `${where} was added and is not listed.`);
  const first = await read();
  mustBeObject(first, where);
  mustHold(first, document, where);
  await stays('a new one over one that is there', save(document, null), ['CONFLICT']);
  await asPlanned(save(first, first), ['write', 'destructive']);
  must((await read()) === first, `${where} was saved as it was read, and changed.`);
  await asPlanned(save(changed, first), ['write', 'destructive']);
  const second = await read();
  must(second !== first, `${where} was changed and is what it was.`);
  mustHold(second, changed, where);
  await stays('a change that began from an older document', save(document, first), ['CONFLICT']);
  await asPlanned({ action: 'remove', object }, ['destructive']);
  must(!(await isListed()), `${where} was removed and is still listed.`);
  await stays('a change of one that was removed', save(changed, second), ['CONFLICT', 'NOT_FOUND']);
  await expectedRefusal(
    `Removing ${where} twice`,
    () => objects.apply({ action: 'remove', object } satisfies { action: 'remove'; object: ObjectRef }, options),
    ['NOT_FOUND'],
  );
}

async function checkChanges(plan: ConformancePlan): Promise<NotChecked | undefined> {
  let outcome: NotChecked | undefined;
  await withObjects(plan, async (parts) => {
    if (parts.kinds.every(({ save, remove }) => !save.allowed && !remove.allowed))
      outcome = absent('The session changes no objects.');
    else if (plan.objects === undefined) outcome = untried('The plan names no object that may be added.');
    else for (const known of plan.objects) await checkChange(plan, parts, known);
  });
  return outcome;
}

/** Everything that was saved is there; a database may add members of its own. */
function mustHold(document: string, saved: string, where: string): void {
  const [has, wants] = [JSON.parse(document) as Record<string, unknown>, JSON.parse(saved) as Record<string, unknown>];
  for (const member of Object.keys(wants))
    must(Object.hasOwn(has, member), `${where} was saved with “${member}”, which is not in it.`);
}

const PLACED = 'objects: a hit of a search is pinned, hidden and released by the change that was said';

type Action = { action: 'pin'; rank: number } | { action: 'hide' } | { action: 'release' };

async function checkPlaced({ bench, objects }: Parts, { table, text }: KnownPlacedHits): Promise<void> {
  const { options, session } = bench;
  const { search } = session;
  must(search !== undefined, 'It places hits, and has no ranked search.');
  const place = async (hit: HitPlacement): Promise<ObjectChange> =>
    inTime('objects.placeHit', objects.placeHit?.(hit, options) ?? Promise.reject(new Error('It places no hits.')));
  const request = { fields: [], facets: [], filter: NO_FILTER, sorts: [], options: {}, offset: 0, limit: 250 };
  const found = async (): Promise<readonly RowKey[]> =>
    (await inTime('search.search', search.search({ table, text, ...request }, options))).hits.map(({ key }) => key);
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const before = await found();
  const last = before.at(-1);
  must(
    before.length > 2 && last !== undefined,
    `A search for “${text}” finds fewer than three rows: the plan has to have such words.`,
  );
  const others = before.slice(0, -1);
  const make = async (action: Action): Promise<readonly RowKey[]> => {
    const shown = await found();
    const change = await place({ table, text, key: last, ...action });
    must(same(await found(), shown), `Asking for the change to ${action.action} a hit changed the search.`);
    await inTime('objects.apply', objects.apply(change, options));
    return found();
  };
  must(
    same(await make({ action: 'pin', rank: 1 }), [last, ...others]),
    'A hit was pinned as the first, and the search shows another order.',
  );
  must(
    same(await make({ action: 'pin', rank: 2 }), [others[0], last, ...others.slice(1)]),
    'A hit was pinned as the second, and the search shows another order.',
  );
  must(same(await make({ action: 'hide' }), others), 'A hit was hidden, and the search shows it or lacks another one.');
  must(same(await make({ action: 'release' }), before), 'A hit was released, and the search is not what it was.');
  const signal = AbortSignal.abort();
  await cancelled(
    'objects.placeHit with an aborted signal',
    () => objects.placeHit?.({ table, text, key: last, action: 'hide' }, { signal }) ?? Promise.resolve(),
  );
  await expectedRefusal('Releasing a hit that nothing places', () => place({ table, text, key: last, action: 'release' }), [
    'CONFLICT',
  ]);
  await expectedRefusal('Hiding a hit of blank words', () => place({ table, text: ' ', key: last, action: 'hide' }), [
    'INVALID_INPUT',
  ]);
  await expectedRefusal(
    'Hiding a hit of a table that is not there',
    () => place({ table: { namespace: [], name: NOT_THERE }, text, key: last, action: 'hide' }),
    ['NOT_FOUND'],
  );
  must(same(await found(), before), 'A refused change of a hit changed the search.');
}

async function checkPlacedHits(plan: ConformancePlan): Promise<NotChecked | undefined> {
  let outcome: NotChecked | undefined;
  await withObjects(plan, async (parts) => {
    if (parts.objects.placeHit === undefined) outcome = absent('The session has no objects that place hits.');
    else if (plan.placedHits === undefined) outcome = untried('The plan names no words whose hits may be placed.');
    else await checkPlaced(parts, plan.placedHits);
  });
  return outcome;
}

/** Named objects are listed, read, and changed as a plan said. */
export function objectChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'objects: their kinds have names, forms and places that are there',
      run: () => withObjects(plan, async (parts) => checkKinds(parts)),
    },
    {
      name: 'objects: each is listed once, in a stable order, and read as a JSON object',
      run: () => withObjects(plan, (parts) => checkLists(plan, parts)),
    },
    {
      name: 'objects: a place or a name that is not there is refused and changes nothing; calls are cancelled',
      run: () => withObjects(plan, (parts) => checkRefusals(plan, parts)),
    },
    {
      name: CHANGED,
      run: async () => checkChanges(plan),
    },
    {
      name: PLACED,
      run: async () => checkPlacedHits(plan),
    },
  ];
}
