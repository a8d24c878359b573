import { DriverError } from '@tabularium/sdk';
import type { OperationCall, OperationPlan, OperationsFacet } from '@tabularium/sdk';

/** Boxes of a database in memory: names with what is in them. */
export interface FakeBoxes {
  readonly boxes: Map<string, readonly string[]>;
  /** Awaited behind each checkpoint of a copy. */
  pause: (done: number, signal: AbortSignal) => Promise<void>;
}

const OPERATION = { ability: { allowed: true }, resumable: false } as const;

/** Makes boxes (server), empties them, and copies them one thing at a time (table). */
export function fakeOperations(world: FakeBoxes): OperationsFacet {
  const nameOf = ({ input }: OperationCall): string => {
    const { name } = JSON.parse(input) as { readonly name?: string };
    if (name === undefined || name === '') {
      throw new DriverError('INVALID_INPUT', 'A box needs a name.', { details: { field: 'name' } });
    }
    return name;
  };
  const boxOf = ({ place }: OperationCall): string => {
    if (place.on !== 'table' || !world.boxes.has(place.table.name)) throw new DriverError('NOT_FOUND', 'There is no such box.');
    return place.table.name;
  };
  const ref = (name: string) => ({ namespace: [], name });
  const plan = (call: OperationCall): OperationPlan => {
    if (call.operation === 'empty') {
      const name = boxOf(call);
      return {
        effect: 'destructive',
        consequence: `The box “${name}” is emptied.`,
        steps: [{ title: 'Empty', statements: [`empty ${name}`] }],
        confirm: name,
        affected: [{ table: ref(name), becomes: 'emptied' }],
        basis: JSON.stringify({ empty: name }),
      };
    }
    const name = nameOf(call);
    return {
      effect: 'write',
      consequence: `The box “${name}” is made.`,
      steps: [
        { title: 'Make', statements: [`make ${name}`] },
        ...(call.operation === 'copy' ? [{ title: 'Copy', statements: [`copy ${boxOf(call)}`] }] : []),
      ],
      affected: [{ table: ref(name), becomes: 'new' }],
      basis: JSON.stringify({ name }),
    };
  };
  return {
    list: async ({ on }) =>
      on === 'server'
        ? [{ ...OPERATION, id: 'make', label: 'New box', help: 'Makes a box.', effect: 'write', makes: 'table' }]
        : on === 'table'
          ? [
              { ...OPERATION, id: 'copy', label: 'Copy', help: 'Copies a box.', effect: 'write', resumable: true },
              { ...OPERATION, id: 'empty', label: 'Empty', help: 'Empties a box.', effect: 'destructive' },
            ]
          : [],
    form: async () => ({
      document: '{"name":"new"}',
      fields: [{ path: ['name'], type: 'text', label: 'Name', required: true }],
      presets: [],
    }),
    plan: async (call) => plan(call),
    async *run(call, { basis, checkpoint, signal }) {
      if (plan(call).basis !== basis) throw new DriverError('CONFLICT', 'Another box was confirmed.');
      yield { type: 'progress', step: 0 };
      if (call.operation === 'empty') {
        const name = boxOf(call);
        const affectedRows = world.boxes.get(name)?.length ?? 0;
        world.boxes.set(name, []);
        yield { type: 'result', message: `Emptied “${name}”.`, affectedRows };
        return;
      }
      const name = nameOf(call);
      if (checkpoint === undefined) world.boxes.set(name, []);
      if (call.operation === 'copy') {
        const things = world.boxes.get(boxOf(call)) ?? [];
        const from = checkpoint === undefined ? 0 : (JSON.parse(checkpoint) as { readonly done: number }).done;
        for (const [place, thing] of things.entries()) {
          if (place < from) continue;
          if (thing === 'bad') yield { type: 'rejected', row: thing, message: 'It does not fit.' };
          else world.boxes.set(name, [...(world.boxes.get(name) ?? []), thing]);
          yield { type: 'progress', step: 1, done: place + 1, of: things.length, unit: 'things' };
          yield { type: 'checkpoint', checkpoint: JSON.stringify({ done: place + 1 }) };
          await world.pause(place + 1, signal);
        }
      }
      yield {
        type: 'result',
        message: `Made “${name}”.`,
        undo: { label: `Empty ${name}`, call: { place: { on: 'table', table: ref(name) }, operation: 'empty', input: '{}' } },
      };
    },
  };
}
