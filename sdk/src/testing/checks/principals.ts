import type { PrincipalsFacet } from '../../facets/principals.ts';
import { inTime, must, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownPrincipals } from '../plan.ts';

/** Ids that don't exist, each a trap for a driver that pastes them into a path or a statement. */
const HOSTILE_IDS = ['*', '%', '..', '../principals', "x' OR '1'='1", '0 OR 1=1', '?all=true', '\u0000', '💥'];

const TIME = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

async function withPrincipals(
  plan: ConformancePlan,
  use: (bench: Bench, facet: PrincipalsFacet) => Promise<void>,
): Promise<void> {
  await onBench(plan, async (bench) => {
    const facet = bench.session.principals;
    if (facet !== undefined) await use(bench, facet);
  });
}

const ADDED = 'principals: one is added, its secret shown once and listed nowhere, and removed';

const PLANNED = 'principals: a change is planned without secrets, and done only as it was confirmed';

/** Principals are listed without secrets, added with a secret that is returned once, and removed. */
export function principalChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'principals: they are listed, each once, and their form can be drawn',
      run: () =>
        withPrincipals(plan, async (bench, facet) => {
          const { options } = bench;
          must(facet.term.one.trim() !== '' && facet.term.other.trim() !== '', 'They have no name.');
          must(facet.editable.allowed || facet.editable.reason.trim() !== '', 'They cannot be changed, and nothing says why.');
          const all = await inTime('principals.list', facet.list(options));
          must(new Set(all.map(({ id }) => id)).size === all.length, 'Two of them have one id.');
          for (const { id, label, reach, expiresAt, removable } of all) {
            must(
              id !== '' && label.trim() !== '' && reach.trim() !== '',
              `"${id}" has no label, or does not say what it reaches.`,
            );
            must(expiresAt === undefined || TIME.test(expiresAt), `"${id}" expires at ${expiresAt ?? ''}, which isn't ISO 8601.`);
            must(removable.allowed || removable.reason.trim() !== '', `"${id}" cannot be removed, and nothing says why.`);
          }
          for (const secret of plan.secrets ?? []) must(!JSON.stringify(all).includes(secret), 'The list holds a credential.');
          const form = await inTime('principals.form', facet.form(options));
          must(new Set(form.map(({ id }) => id)).size === form.length, 'The form has two fields of one id.');
          for (const { id, label, type, options: choices } of form) {
            must(label.trim() !== '', `The field "${id}" has no label.`);
            must(type === 'list' || choices === undefined || choices.length > 0, `The field "${id}" has no choice.`);
          }
        }),
    },
    {
      name: 'principals: what is required is asked for, with its field, and what is not there cannot be removed',
      run: () =>
        withPrincipals(plan, async ({ options }, facet) => {
          const before = await inTime('principals.list', facet.list(options));
          const form = await inTime('principals.form', facet.form(options));
          if (form.some(({ required }) => required)) {
            const error = await expectedRefusal('Adding one with an empty form', () => facet.create({}, options), [
              'INVALID_INPUT',
            ]);
            must(
              form.some(({ id }) => id === error.details.field),
              'The refusal of an empty form does not name a field.',
            );
          }
          for (const id of ['no such principal', ...HOSTILE_IDS]) {
            await expectedRefusal(`Removing ${JSON.stringify(id)}, which is not there,`, () => facet.remove(id, options), [
              'NOT_FOUND',
              ...(id === 'no such principal' ? [] : (['INVALID_INPUT'] as const)),
            ]);
          }
          const after = await inTime('principals.list', facet.list(options));
          must(after.length === before.length, 'A refused request changed how many there are.');
        }),
    },
    {
      name: 'principals: credentials are computed only of a whole form, and its refusal names a field',
      run: () =>
        withPrincipals(plan, async ({ options }, { generator }) => {
          if (generator === undefined) return;
          must(generator.term.one.trim() !== '' && generator.term.other.trim() !== '', 'Computed credentials have no name.');
          must(generator.help.trim() !== '', 'Nothing says what computed credentials are for.');
          const form = await inTime('principals.generator.form', generator.form(options));
          must(new Set(form.map(({ id }) => id)).size === form.length, 'The form has two fields of one id.');
          if (!form.some(({ required }) => required)) return;
          const error = await expectedRefusal('Computing one of an empty form', () => generator.generate({}, options), [
            'INVALID_INPUT',
          ]);
          must(
            form.some(({ id }) => id === error.details.field),
            'The refusal of an empty form does not name a field.',
          );
        }),
    },
    {
      name: PLANNED,
      run: () =>
        withPrincipals(plan, async ({ options }, facet) => {
          const { changes } = facet;
          if (changes === undefined) return;
          must(changes.addable.allowed || changes.addable.reason.trim() !== '', 'None can be added, and nothing says why.');
          const all = await inTime('principals.list', facet.list(options));
          for (const { id, editable, removable } of all.slice(0, 20)) {
            const facts = await inTime('principals.changes.details', changes.details(id, options));
            for (const { title, columns, rows } of facts) {
              must(title.trim() !== '' && columns.length > 0, `The details of "${id}" have no title or no columns.`);
              must(
                rows.every((row) => row.length === columns.length),
                `A row of “${title}” of "${id}" has another width than its columns.`,
              );
            }
            if ((editable ?? facet.editable).allowed)
              await inTime('principals.changes.form', changes.form({ is: 'change', id }, options));
            if (removable.allowed) await inTime('principals.changes.form', changes.form({ is: 'remove', id }, options));
          }
          for (const id of HOSTILE_IDS) {
            await expectedRefusal(`Details of ${JSON.stringify(id)}`, () => changes.details(id, options), [
              'NOT_FOUND',
              'INVALID_INPUT',
            ]);
            await expectedRefusal(
              `Removing ${JSON.stringify(id)} by a plan`,
              () => changes.plan({ is: 'remove', id, input: {} }, options),
              ['NOT_FOUND', 'INVALID_INPUT'],
            );
          }
          if (plan.principals === undefined) return;
          const request = { is: 'add', input: plan.principals.input } as const;
          const planned = await inTime('principals.changes.plan', changes.plan(request, options));
          must(planned.statements.length > 0, 'The plan has no statements.');
          for (const secret of plan.secrets ?? [])
            must(!JSON.stringify(planned).includes(secret), 'The plan holds a credential.');
          const count = async (): Promise<number> => (await inTime('principals.list', facet.list(options))).length;
          must((await count()) === all.length, 'Planning changed how many there are.');
          await expectedRefusal(
            'Running other statements than were confirmed',
            () => changes.run(request, [...planned.statements, 'another'], options),
            ['CONFLICT'],
          );
          must((await count()) === all.length, 'What was not confirmed was done.');
        }),
    },
    plan.principals === undefined
      ? { name: ADDED, run: async () => untried('The plan names none that may be added.') }
      : added(plan, plan.principals),
  ];
}

function added(plan: ConformancePlan, { input }: KnownPrincipals): ConformanceCheck {
  return {
    name: ADDED,
    run: () =>
      withPrincipals(plan, async ({ options }, facet) => {
        const { principal, secret } = await inTime('principals.create', facet.create(input, options));
        try {
          const all = await inTime('principals.list', facet.list(options));
          must(
            all.some(({ id }) => id === principal.id),
            'What was added is not listed.',
          );
          must(secret === undefined || secret.value !== '', 'The secret is empty.');
          must(
            secret === undefined || !JSON.stringify([all, principal]).includes(secret.value),
            'The secret is shown a second time.',
          );
        } finally {
          await inTime('principals.remove', facet.remove(principal.id, options));
        }
        const left = await inTime('principals.list', facet.list(options));
        must(!left.some(({ id }) => id === principal.id), 'What was removed is still listed.');
        await expectedRefusal('Removing it again', () => facet.remove(principal.id, options), ['NOT_FOUND']);
      }),
  };
}
