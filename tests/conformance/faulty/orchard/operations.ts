import { DriverError } from '@tabularium/sdk';
import type { Operation, OperationCall, OperationPlan, OperationsFacet, OperationUndo, TableRef } from '@tabularium/sdk';
import { keyOf } from './world.ts';
import type { World } from './world.ts';

const operation = (facts: Pick<Operation, 'id' | 'label' | 'help' | 'effect'> & Partial<Operation>): Operation => ({
  ability: { allowed: true },
  resumable: false,
  ...facts,
});

const PLANT = operation({ id: 'plant', label: 'New plot', help: 'Makes an empty plot.', effect: 'write', makes: 'table' });
const CLEAR = operation({ id: 'clear', label: 'Clear', help: 'Removes the trees of a plot.', effect: 'destructive' });
const GRAFT = operation({
  id: 'graft',
  label: 'Graft',
  help: 'Makes a plot with the same trees.',
  effect: 'write',
  resumable: true,
});

function nameOf({ input }: OperationCall): string {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DriverError('INVALID_INPUT', 'This is no JSON object.');
  }
  return 'name' in value && typeof value.name === 'string' ? value.name : '';
}

function named(call: OperationCall): string {
  const name = nameOf(call);
  if (name === '') throw new DriverError('INVALID_INPUT', 'A plot needs a name.', { details: { field: 'name' } });
  return name;
}

/** Operations of an orchard: a plot is planted, cleared, or grafted tree by tree. */
export function createOrchardOperations(world: World): OperationsFacet {
  const refOf = (name: string): TableRef => ({ namespace: ['orchard'], name });
  const tableOf = ({ place }: OperationCall) => {
    if (place.on !== 'table') throw new DriverError('UNSUPPORTED', 'This is done to one plot.');
    return world.table(place.table);
  };
  const offered = (on: string): readonly Operation[] => (on === 'server' ? [PLANT] : on === 'table' ? [CLEAR, GRAFT] : []);
  const mustBeOffered = (on: string, id: string): void => {
    if (!offered(on).some((one) => one.id === id)) throw new DriverError('UNSUPPORTED', 'An orchard has no such operation.');
  };
  const plan = (call: OperationCall): OperationPlan => {
    mustBeOffered(call.place.on, call.operation);
    if (call.operation === 'clear') {
      nameOf(call);
      const { ref, rows } = tableOf(call);
      return {
        effect: 'destructive',
        consequence: `The plot “${ref.name}” loses its trees.`,
        steps: [{ title: 'Clear', statements: [`clear ${ref.name}`] }],
        confirm: ref.name,
        count: { rows: rows.length, exact: true },
        affected: [{ table: ref, becomes: 'emptied' }],
        basis: JSON.stringify({ clear: ref.name }),
      };
    }
    const name = named(call);
    const steps = [{ title: 'Plant', statements: [`plant ${name}`] }];
    const basis = JSON.stringify({ [call.operation]: name });
    const affected = [{ table: refOf(name), becomes: 'new' as const }];
    if (call.operation === 'plant')
      return { effect: 'write', consequence: `The plot “${name}” is planted.`, steps, affected, basis };
    const { ref } = tableOf(call);
    return {
      effect: 'write',
      consequence: `The trees of “${ref.name}” are grafted.`,
      steps: [...steps, { title: 'Graft', statements: [`graft ${ref.name} ${name}`] }],
      affected,
      basis,
    };
  };
  const plant = (name: string): void => {
    const trees = world.table(refOf('trees'));
    world.tables.set(keyOf(refOf(name)), { ...trees, ref: refOf(name), rows: [] });
  };
  const undoOf = (name: string): OperationUndo => ({
    label: `Clear ${name}`,
    call: { place: { on: 'table', table: refOf(name) }, operation: 'clear', input: '{}' },
  });
  return {
    async list({ on }, options) {
      await world.ready(options);
      return offered(on);
    },
    async form({ on }, id, options) {
      await world.ready(options);
      mustBeOffered(on, id);
      return id === 'clear'
        ? { document: '{}', fields: [], presets: [] }
        : {
            document: '{"name":""}',
            fields: [{ path: ['name'], type: 'text', label: 'Name', required: true }],
            presets: [{ id: 'south', label: 'South', document: '{"name":"south"}' }],
          };
    },
    async plan(call, options) {
      await world.ready(options);
      return plan(call);
    },
    async *run(call, { basis, checkpoint, ...options }) {
      await world.ready(options);
      if (plan(call).basis !== basis) throw new DriverError('CONFLICT', 'You confirmed something else.');
      yield { type: 'progress', step: 0 };
      if (call.operation === 'clear') {
        const table = tableOf(call);
        table.rows = [];
        yield { type: 'result', message: 'The plot is clear.' };
        return;
      }
      const name = named(call);
      if (checkpoint === undefined) plant(name);
      if (call.operation === 'plant') {
        yield { type: 'result', message: `Planted “${name}”.`, undo: undoOf(name) };
        return;
      }
      const { rows } = tableOf(call);
      const made = world.table(refOf(name));
      let done = checkpoint === undefined ? 0 : (JSON.parse(checkpoint) as { done: number }).done;
      for (; done < rows.length; done += 2) {
        await world.ready(options);
        made.rows = [...made.rows.slice(0, done), ...rows.slice(done, done + 2)];
        yield { type: 'progress', step: 1, done, of: rows.length, unit: 'trees' };
        yield { type: 'checkpoint', checkpoint: JSON.stringify({ done: done + 2 }) };
      }
      yield { type: 'result', message: `Grafted “${name}”.`, undo: undoOf(name) };
    },
  };
}
