import { DriverError, listOfNames } from '@tabularium/sdk';
import type { OperationCall } from '@tabularium/sdk';
import { isExactObject } from '../edits/exactValue.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { jsonRequest } from '../objects/objectSource.ts';
import { tableRef } from '../tables.ts';
import type { CopyJob } from './copyJob.ts';
import { runCopyJob } from './copyJob.ts';
import { basisText, copyJob, copySteps, readBasis } from './copyPlan.ts';
import type { CopyBasis } from './copyPlan.ts';
import { aliasTarget, aliasesOf, freeCollectionName, mustBeFree } from './freeName.ts';
import type { AliasMove } from './moveAliases.ts';
import { operationField } from './operationField.ts';
import { ownedSettings } from './ownedSettings.ts';
import { readSchema } from './readSchema.ts';
import { fieldNames, schemaForm, schemaToCreate } from './schemaFields.ts';
import {
  MOST_OF_LABEL,
  confirmedOtherwise,
  describedOperation,
  documentsText,
  inputMembers,
  placedCollection,
  requiredText,
  said,
  switchOf,
  textList,
} from './searchOperation.ts';
import type { OperationSource, RequestStep, SearchOperation } from './searchOperation.ts';
import { faultTexts } from '../faultTexts.ts';

/** Copies a collection into a new one of a changed schema, and leads its aliases there. */
export function reindex(source: OperationSource): SearchOperation {
  const { client, schemas } = source;
  const operation = describedOperation({
    id: 'reindex',
    label: 'Reindex and swap',
    help: 'Makes a new collection of a changed schema, copies the documents, compares the counts, and leads the aliases there. The old collection is kept.',
    effect: 'write',
    resumable: true,
  });
  return {
    on: 'table',
    operation,
    async form(place, signal) {
      const asked = placedCollection(place);
      const { name, members } = await readSchema(asked, client, signal);
      const aliases = await aliasesOf(name, client, signal);
      const document = {
        target: await freeCollectionName(proposedName(aliases[0] ?? name), client, signal),
        aliases,
        schema: schemaToCreate(members),
        on_rejected: 'stop',
        other_types: 'reject',
        copy_settings: true,
      };
      return {
        document: JSON.stringify(document, null, 2),
        fields: [
          operationField({ type: 'text', path: ['target'], label: 'New collection', required: true }),
          operationField({
            type: 'texts',
            path: ['aliases'],
            label: 'Aliases to move',
            help: 'Applications that use them read the new collection from then on. A name that is none yet becomes an alias. Empty: no alias is moved.',
            required: false,
          }),
          ...schemaForm(['schema']),
          operationField({
            type: 'choice',
            path: ['on_rejected'],
            label: 'When the new schema rejects documents',
            required: false,
            choices: [
              { value: 'stop', label: 'Leave the aliases where they are' },
              { value: 'continue', label: 'Continue without these documents' },
            ],
          }),
          operationField({
            type: 'choice',
            path: ['other_types'],
            label: 'Values of another type than the new schema has',
            help: 'The server converts 9.99 to 9 for a whole number, and 5 to “5” for a text.',
            required: false,
            choices: [
              { value: 'reject', label: 'Reject their documents' },
              { value: 'convert', label: 'Convert them where the server can' },
            ],
          }),
          operationField({
            type: 'switch',
            path: ['copy_settings'],
            label: 'Copy synonyms and rules',
            help: 'From version 30 on they are in sets, which the schema names.',
            required: false,
            default: true,
          }),
        ],
        presets: [],
      };
    },
    async plan(call, signal) {
      const { job, requests, documents, aliases, retyped } = await preparedReindex(call, source, signal);
      const names = aliases.map(({ alias }) => alias);
      const values = {
        ...{ from: job.from, to: job.to, count: documents, names },
        ...{ types: retyped.length === 0 ? 'same' : job.converts ? 'convert' : 'reject', retyped },
      };
      const [how, id] = consequenceOf(job, aliases);
      return {
        effect: 'write',
        consequence:
          `“${job.to}” is made and gets ${documentsText(documents)} of “${job.from}”. ${how} “${job.from}” is kept. ` +
          `Documents that are changed while the copy runs may be copied as they were before.${typesText(job, retyped)}`,
        texts: said('consequence', id, values),
        steps: requests.map(({ requests: _requests, ...one }) => one),
        count: { rows: documents, exact: true },
        affected: [
          { table: tableRef(job.to), becomes: 'new' },
          ...aliases.map(({ alias }) => ({ table: tableRef(alias), becomes: 'changed' as const })),
        ],
        basis: basisText(job),
      };
    },
    async *run(call, { basis, checkpoint, signal }) {
      const job =
        checkpoint === undefined
          ? (await preparedReindex(call, source, signal)).job
          : jobOf(inputMembers(call), readBasis(basis));
      if (basisText(job) !== basis) throw confirmedOtherwise();
      try {
        yield* runCopyJob(job, source, checkpoint, signal);
      } finally {
        schemas.clear();
      }
    },
  };
}

/** The name of a collection after the day: `products_2026-11-25`, where a name of this form is replaced. */
function proposedName(name: string, now = new Date()): string {
  return `${name.replace(/_\d{4}-\d{2}-\d{2}(?:_\d+)?$/, '')}_${now.toISOString().slice(0, 10)}`;
}

function consequenceOf(job: CopyJob, aliases: readonly AliasMove[]): readonly [how: string, id: string] {
  const names = listOfNames(aliases.map(({ alias }) => `“${alias}”`));
  if (aliases.length === 0)
    return [
      `No alias leads to “${job.from}” and none is made: applications read “${job.from}” until you change them.`,
      'operationPlan.reindex.none',
    ];
  const isNew = aliases.every(({ collection }) => collection === undefined);
  return isNew
    ? [
        `Then ${names} becomes an alias of it: applications have to use that name from then on, for “${job.from}” stays a collection of its own.`,
        'operationPlan.reindex.newAlias',
      ]
    : [`Where the counts agree, ${names} leads to “${job.to}” at once.`, 'operationPlan.reindex.move'];
}

async function preparedReindex(
  call: OperationCall,
  source: OperationSource,
  signal: AbortSignal,
): Promise<{
  readonly job: CopyJob;
  readonly requests: readonly RequestStep[];
  readonly documents: number;
  readonly aliases: readonly AliasMove[];
  /** Fields whose type is another one than in the old collection. */
  readonly retyped: readonly string[];
}> {
  const { client } = source;
  const members = inputMembers(call, ['target', 'aliases', 'schema', 'on_rejected', 'other_types', 'copy_settings']);
  const to = requiredText(members, 'target', 'The name of the new collection');
  const { name: from, madeAt, shape, documents, members: old } = await readSchema(placedCollection(call.place), client, signal);
  await mustBeFree(to, 'target', client, signal);
  const aliases: AliasMove[] = [];
  for (const alias of textList(members, 'aliases')) {
    const target = await aliasTarget(alias, client, signal);
    await mustBeMovable(alias, target, from, source, signal);
    aliases.push({ alias, ...(target === undefined ? {} : { collection: target }) });
  }
  if (aliases.some(({ alias }) => alias === to)) {
    throw new DriverError('INVALID_INPUT', `“${to}” can’t be a collection and an alias.`, {
      details: { field: 'aliases', texts: faultTexts('fault.bothNames', { name: to }) },
    });
  }
  const owned = switchOf(members, 'copy_settings', true) ? await ownedSettings(source, from, to, signal) : [];
  const job = jobOf(members, { from, madeAt, shape, aliases, settings: owned.length > 0 });
  return { job, requests: copySteps(job, owned), documents, aliases, retyped: retypedFields(old, members['schema']) };
}

/** Fields of both schemas that have another type in the new one. */
function retypedFields(old: ObjectMembers, schema: ExactValue): readonly string[] {
  const before = typesOf(schemaToCreate(old));
  return [...typesOf(schema)].flatMap(([name, type]) => {
    const was = before.get(name);
    return was === undefined || was === type ? [] : [name];
  });
}

function typesOf(schema: ExactValue): ReadonlyMap<string, ExactValue> {
  const fields = isExactObject(schema) && Array.isArray(schema['fields']) ? (schema['fields'] as ExactValue[]) : [];
  return new Map(
    fields.flatMap((field) => {
      const name = isExactObject(field) ? field['name'] : undefined;
      return isExactObject(field) && typeof name === 'string' ? [[name, field['type']] as const] : [];
    }),
  );
}

function typesText({ converts }: CopyJob, retyped: readonly string[]): string {
  if (retyped.length === 0) return '';
  const fields = listOfNames(retyped, MOST_OF_LABEL);
  return converts
    ? ` Values of ${fields} are converted to the new type where the server can, and can become others, such as 9 of 9.99.`
    : ` Documents with a value of ${fields} that doesn’t fit the new type are rejected.`;
}

/** @throws DriverError `CONFLICT` for a name that can't lead to the new collection */
async function mustBeMovable(
  alias: string,
  target: string | undefined,
  from: string,
  { client }: OperationSource,
  signal: AbortSignal,
): Promise<void> {
  if (target === from) return;
  if (target !== undefined) {
    throw new DriverError('CONFLICT', `The alias “${alias}” leads to “${target}”, not to “${from}”.`, {
      details: {
        field: 'aliases',
        advice: 'Leave it away, or move it first.',
        texts: faultTexts('fault.aliasElsewhere', { alias, target, name: from }, 'fault.aliasElsewhere.advice'),
      },
    });
  }
  const own = await readSchema(alias, client, signal).catch(() => undefined);
  if (own === undefined) return;
  throw new DriverError('CONFLICT', `“${alias}” is a collection, and an alias can’t have the name of one.`, {
    details: {
      field: 'aliases',
      advice: `Choose another name for the alias and have applications use it, or leave it empty and delete “${alias}” later.`,
      texts: faultTexts('fault.aliasIsCollection', { alias }, 'fault.aliasIsCollection.advice', { alias }),
    },
  });
}

function jobOf(members: ObjectMembers, basis: CopyBasis): CopyJob {
  const to = requiredText(members, 'target', 'The name of the new collection');
  const schema = Object.hasOwn(members, 'schema') ? members['schema'] : undefined;
  if (!isExactObject(schema)) {
    throw new DriverError('INVALID_INPUT', '“schema” must be an object with fields.', {
      details: { field: 'schema', texts: faultTexts('fault.schemaObject') },
    });
  }
  fieldNames(schema, 'schema');
  const rejected = Object.hasOwn(members, 'on_rejected') ? members['on_rejected'] : 'stop';
  if (rejected !== 'stop' && rejected !== 'continue') {
    throw new DriverError('INVALID_INPUT', '“on_rejected” must be stop or continue.', {
      details: { field: 'on_rejected', texts: faultTexts('fault.onRejected') },
    });
  }
  const otherTypes = Object.hasOwn(members, 'other_types') ? members['other_types'] : 'reject';
  if (otherTypes !== 'reject' && otherTypes !== 'convert') {
    throw new DriverError('INVALID_INPUT', '“other_types” must be reject or convert.', {
      details: { field: 'other_types', texts: faultTexts('fault.otherTypes') },
    });
  }
  return copyJob({
    ...basis,
    to,
    create: jsonRequest('POST', '/collections', createBody(to, schema)),
    stopsOnRejected: rejected === 'stop',
    converts: otherTypes === 'convert',
  });
}

function createBody(name: string, schema: ObjectMembers): string {
  return JSON.stringify({ name, ...Object.fromEntries(Object.entries(schema).filter(([member]) => member !== 'name')) });
}
