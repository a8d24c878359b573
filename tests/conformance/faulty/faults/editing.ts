import { DriverError } from '@tabularium/sdk';
import type { ChangeOutcome, EditsFacet, RowChange } from '@tabularium/sdk';
import { orchardPlan } from '../orchard/plan.ts';
import { orchardDriver } from '../orchard/driver.ts';
import type { World } from '../orchard/world.ts';
import { acts, deaf, declares, mapped } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const MADE = ['edits', 'a row is inserted, changed in its columns alone, and deleted; every value exact'] as const;
const GONE = ['edits', 'a change of a row that is gone fails'] as const;
const REFUSED = ['edits', 'a value that does not fit is refused, with its column, and nothing is changed'] as const;
const REPORTED = ['edits', 'the preview shows changes before they are sent, and sends none'] as const;
const KEY = ['edits', 'a hostile key names no row, and no row is changed or deleted by it'] as const;
const VALUE = ['edits', 'a hostile value is written as it is, or refused'] as const;
const SEEN = ['edits', 'what the person saw is compared or ignored, and a conflict changes nothing'] as const;
const CANCELLED = ['edits', 'cancelled before it begins, nothing is changed; an unknown table is NOT_FOUND'] as const;

const edits = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (facet: EditsFacet, world: World) => Partial<EditsFacet>,
): Seeded => acts(name, breaks, says, (session, world) => ({ edits: { ...session.edits, ...change(session.edits, world) } }));

/** Other changes are made than were asked for. */
const makes = (name: string, breaks: Seeded['breaks'], says: RegExp, change: (asked: RowChange) => RowChange): Seeded =>
  edits(name, breaks, says, (facet) => ({
    apply: (table, changes, options) => facet.apply(table, changes.map(change), options),
  }));

/** Outcomes are reported wrongly. */
const notifies = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (outcome: ChangeOutcome) => readonly ChangeOutcome[],
): Seeded =>
  edits(name, breaks, says, (facet) => ({
    apply: (table, changes, options) => mapped(facet.apply(table, changes, options), change),
  }));

export const editingFaults: readonly Seeded[] = [
  notifies('a conflict with another code', SEEN, /instead of CONFLICT/, (outcome) =>
    outcome.outcome === 'failed' && outcome.code === 'CONFLICT' ? [{ ...outcome, code: 'SERVER_ERROR' }] : [outcome],
  ),
  edits('a conflict that is reported after the row was overwritten', SEEN, /a conflict was made/, (facet) => ({
    async *apply(table, changes, options) {
      for await (const outcome of facet.apply(table, changes, options)) {
        const change = changes[outcome.index];
        if (outcome.outcome === 'failed' && outcome.code === 'CONFLICT' && change?.kind === 'update') {
          const { key, assignments } = change;
          for await (const { outcome: made } of facet.apply(table, [{ kind: 'update', key, assignments }], options))
            if (made === 'failed') break;
        }
        yield outcome;
      }
    },
  })),
  makes('a conflict where there is none', SEEN, /as the person saw it/, (change) =>
    change.kind === 'update' && change.expected !== undefined
      ? { ...change, expected: change.expected.map(({ column }) => ({ column, value: 'something else' })) }
      : change,
  ),
  declares("edits that can't be tried", ['edits', 'a session that can edit is tried at it'], /names no row/, {
    ...orchardPlan(orchardDriver()),
    edits: [],
  }),
  edits(
    'a key that is called read-only, and written',
    ['edits', 'what cannot be edited is refused, with a reason and the column'],
    /prepare lets it pass/,
    (facet) => ({
      prepare: async (...asked) => (await facet.prepare(...asked)).map(() => ({ ready: true, text: 'UPDATE', language: 'sql' })),
    }),
  ),
  edits('preparing that sends', REPORTED, /prepare changed the table/, (facet) => ({
    async prepare(table, changes, options) {
      const prepared = await facet.prepare(table, changes, options);
      for await (const { outcome } of facet.apply(table, changes, options)) if (outcome === 'failed') break;
      return prepared;
    },
  })),
  edits('a prepared change without its text', REPORTED, /no text/, (facet) => ({
    prepare: async (...asked) => (await facet.prepare(...asked)).map((one) => (one.ready ? { ...one, text: '' } : one)),
  })),
  makes('an insert that loses a field', MADE, /After the insert: height is \(null\)/, (change) =>
    change.kind === 'insert' ? { ...change, values: change.values.filter(({ column }) => column !== 'height') } : change,
  ),
  makes('an insert that loses digits', MADE, /./, (change) =>
    change.kind === 'insert'
      ? {
          ...change,
          values: change.values.map((one) => (one.column === 'id' ? { ...one, value: String(BigInt(Number(one.value))) } : one)),
        }
      : change,
  ),
  makes('an update that replaces the row', MADE, /After the update: plot is \(null\)/, (change) =>
    change.kind === 'update' && change.assignments.some(({ column }) => column === 'name')
      ? { ...change, assignments: [{ column: 'plot', value: null }, ...change.assignments] }
      : change,
  ),
  makes('a null that is written as a text', MADE, /height is/, (change) =>
    change.kind === 'update'
      ? { ...change, assignments: change.assignments.map((one) => (one.value === null ? { ...one, value: '0.00' } : one)) }
      : change,
  ),
  edits('an update that changes the neighbours too', MADE, /changed others|should be/, (facet, world) => ({
    async *apply(table, changes, options) {
      yield* facet.apply(table, changes, options);
      const stored = world.table(table);
      if (changes.some(({ kind }) => kind === 'update')) stored.rows = stored.rows.filter((_row, index) => index !== 0);
    },
  })),
  notifies('an inserted row without its key', MADE, /The key of the inserted row/, (outcome) =>
    outcome.outcome === 'saved' ? [{ index: outcome.index, outcome: 'saved' }] : [outcome],
  ),
  notifies('an outcome that is reported twice', MADE, /apply reported change 0 after change 0/, (outcome) => [outcome, outcome]),
  edits("a change that is reported as saved, and isn't", MADE, /the row is not there/, () => ({
    async *apply(_table, changes, { signal }): AsyncGenerator<ChangeOutcome> {
      if (signal.aborted) throw new DriverError('CANCELLED');
      for (const [index, change] of changes.entries()) {
        const key =
          change.kind === 'insert'
            ? change.values
                .filter(({ column }) => column === 'id' || column === 'row' || column === 'number')
                .map(({ value }) => value)
            : undefined;
        yield { index, outcome: 'saved', ...(key === undefined ? {} : { key }) };
      }
    },
  })),
  notifies('a deletion of nothing that is reported as done', GONE, /ended as.*saved/, (outcome) =>
    outcome.outcome === 'failed' && outcome.code === 'NOT_FOUND' ? [{ index: outcome.index, outcome: 'saved' }] : [outcome],
  ),
  edits('an update of nothing that makes a row', GONE, /ended as.*saved/, (facet) => ({
    async *apply(table, changes, options) {
      for (const change of changes) {
        if (change.kind === 'update' && table.name === 'trees') {
          const values = [{ column: 'id', value: change.key[0] ?? null }, ...change.assignments];
          for await (const one of facet.apply(table, [{ kind: 'insert', values }], options)) if (one.outcome === 'failed') break;
        }
        yield* facet.apply(table, [change], options);
      }
    },
  })),
  edits('a refused value without its column', REFUSED, /without its column/, (facet) => ({
    prepare: async (...asked) =>
      (await facet.prepare(...asked)).map((one) => (one.ready ? one : { ready: false, message: one.message })),
  })),
  edits(
    'one failure that stops what stands for itself',
    ['edits', 'a change that fails leaves the others as the atomicity says'],
    /Each for itself, and/,
    (facet) => ({
      async *apply(table, changes, options) {
        for await (const outcome of facet.apply(table, changes, options)) {
          yield outcome;
          if (outcome.outcome === 'failed') return;
        }
      },
    }),
  ),
  edits(
    'all or none that is each for itself',
    ['edits', 'a change that fails leaves the others as the atomicity says'],
    /All or none, and/,
    () => ({ atomicity: 'all' }),
  ),
  edits('changes that cannot be cancelled', CANCELLED, /saved/, (facet) => ({
    apply: (table, changes) => facet.apply(table, changes, deaf),
  })),
  edits('changes of a table that is not there', CANCELLED, /must end in NOT_FOUND/, () => ({
    prepare: async (_table, _changes, { signal }) => (signal.throwIfAborted(), []),
  })),
  edits('a key that is taken for a pattern', KEY, /ended as.*saved/, (facet, world) => ({
    async *apply(table, changes, options) {
      const [change] = changes;
      if (change?.kind === 'delete' && change.key.includes('*')) {
        world.table(table).rows = [];
        yield { index: 0, outcome: 'saved' };
        return;
      }
      yield* facet.apply(table, changes, options);
    },
  })),
  edits('a key that ends its quotation, and deletes everything in silence', KEY, /changed others/, (facet, world) => ({
    async *apply(table, changes, options) {
      if (changes.some((change) => change.kind === 'delete' && String(change.key[0]).includes("' OR '")))
        world.table(table).rows = [];
      yield* facet.apply(table, changes, options);
    },
  })),
  notifies('a change that fails with a code of its own', KEY, /which the contract does not have/, (outcome) =>
    outcome.outcome === 'failed' ? [{ ...outcome, code: 'ENOENT' as 'NOT_FOUND' }] : [outcome],
  ),
  makes('a value whose quotation marks are doubled', VALUE, /is read/, (change) =>
    change.kind === 'update'
      ? {
          ...change,
          assignments: change.assignments.map(({ column, value }) => ({
            column,
            value: typeof value === 'string' ? value.replaceAll("'", "''") : value,
          })),
        }
      : change,
  ),
  makes('a value that is trimmed', VALUE, /" spaces ".*is read/, (change) =>
    change.kind === 'update'
      ? {
          ...change,
          assignments: change.assignments.map(({ column, value }) => ({
            column,
            value: typeof value === 'string' ? value.trim() : value,
          })),
        }
      : change,
  ),
];
