import type { Operation, OperationEvent, OperationForm, OperationPlan, OperationsFacet } from '@tabularium/sdk';
import { acts } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';
import type { World } from '../orchard/world.ts';
import { keyOf } from '../orchard/world.ts';

const OFFERED = ['operations', 'each place has operations with forms that can be filled in, and asking changes nothing'] as const;
const RUN = ['operations', 'one does what its plan said and nothing else, and nothing that was not confirmed'] as const;
const RESUMED = ['operations', 'one that is interrupted continues from its checkpoint, without a lost or doubled row'] as const;

const replacing = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (operations: OperationsFacet, world: World) => Partial<OperationsFacet>,
): Seeded =>
  acts(name, breaks, says, ({ operations }, world) => ({ operations: { ...operations, ...change(operations, world) } }));

const offering = (name: string, says: RegExp, change: (operation: Operation) => readonly Operation[]): Seeded =>
  replacing(name, OFFERED, says, ({ list }) => ({ list: async (...asked) => (await list(...asked)).flatMap(change) }));

const forming = (name: string, says: RegExp, change: (form: OperationForm) => OperationForm): Seeded =>
  replacing(name, OFFERED, says, ({ form }) => ({ form: async (...asked) => change(await form(...asked)) }));

const planning = (name: string, says: RegExp, change: (plan: OperationPlan) => OperationPlan): Seeded =>
  replacing(name, RUN, says, ({ plan, run }) => ({
    plan: async (...asked) => change(await plan(...asked)),
    run,
  }));

const running = (
  name: string,
  breaks: Seeded['breaks'],
  says: RegExp,
  change: (event: OperationEvent) => readonly OperationEvent[],
): Seeded =>
  replacing(name, breaks, says, ({ run }) => ({
    run: async function* (...asked) {
      for await (const event of run(...asked)) yield* change(event);
    },
  }));

export const operationFaults: readonly Seeded[] = [
  offering('two operations of one id', /one id/, (operation) => [operation, operation]),
  offering('an operation without a help', /label or help/, (operation) => [{ ...operation, help: ' ' }]),
  offering('an operation that cannot be done for no reason', /nothing says why/, (operation) => [
    { ...operation, ability: { allowed: false, reason: '' } },
  ]),
  forming('an input to begin with that is a list', /begins with an input/, (form) => ({ ...form, document: '[]' })),
  forming('a form of an operation with one field twice', /one path/, (form) => ({
    ...form,
    fields: [...form.fields, ...form.fields],
  })),
  forming("a preset that isn't an input", /preset/, (form) => ({
    ...form,
    presets: form.presets.map((preset) => ({ ...preset, document: 'none' })),
  })),
  replacing("an input that isn't an object and is planned", OFFERED, /succeeded/, ({ plan }) => ({
    plan: (call, options) => plan(call.input.startsWith('{"') ? call : { ...call, input: '{"name":"x"}' }, options),
  })),
  replacing('a list of operations that is not cancelled', OFFERED, /aborted signal/, ({ list }) => ({
    list: (place) => list(place, { signal: new AbortController().signal }),
  })),
  replacing('an unknown operation that has a form', OFFERED, /unknown operation/, ({ form }) => ({
    form: (place, id, options) => form(place, id, options).catch(() => ({ document: '{}', fields: [], presets: [] })),
  })),
  planning('a plan without a step', /sends nothing/, (plan) => ({ ...plan, steps: [] })),
  planning('a destructive plan that asks for no name', /asks for the name/, ({ confirm: _confirm, ...plan }) => plan),
  planning('a plan that holds the password', /credential/, (plan) => ({
    ...plan,
    steps: [{ title: 'Open', statements: ['open blossom-0417'] }],
  })),
  replacing('a plan of an operation that does it', RUN, /changed the tables/, ({ plan, run }) => ({
    plan: async (call, options) => {
      const planned = await plan(call, options);
      await Array.fromAsync(run(call, { ...options, basis: planned.basis }));
      return planned;
    },
  })),
  replacing('an operation that does what was not confirmed', RUN, /succeeded|changed the tables/, ({ plan, run }) => ({
    run: async function* (call, options) {
      yield* run(call, { ...options, basis: (await plan(call, options)).basis });
    },
  })),
  running('an operation that goes back a step', RUN, /reports the step/, (event) =>
    event.type === 'result' ? [{ type: 'progress', step: 7 }, event] : [event],
  ),
  running('an operation without a result', RUN, /without a result/, (event) => (event.type === 'result' ? [] : [event])),
  running('a result that is a word', RUN, /isn't a sentence/, (event) =>
    event.type === 'result' ? [{ ...event, message: 'ok' }] : [event],
  ),
  replacing('an operation that empties another table', RUN, /did not name/, ({ run }, world) => ({
    run: async function* (call, options) {
      const picks = world.tables.get(keyOf({ namespace: ['orchard'], name: 'picks' }));
      yield* run(call, options);
      if (picks !== undefined) picks.rows = [];
    },
  })),
  running('an operation that can be resumed from nothing', RESUMED, /gives no checkpoint/, (event) =>
    event.type === 'checkpoint' ? [] : [event],
  ),
  running('a checkpoint that lies ahead', RESUMED, /has \d+ rows/, (event) =>
    event.type === 'checkpoint'
      ? [{ ...event, checkpoint: JSON.stringify({ done: (JSON.parse(event.checkpoint) as { done: number }).done + 2 }) }]
      : [event],
  ),
];
