import type { Command } from 'commander';
import { applyEdits, format } from 'jsonc-parser';
import { visibleText } from '@tabularium/sdk';
import type { DescribedRequest, ObjectChange, ObjectKind, ObjectPlace, PlannedChange } from '@tabularium/sdk';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import {
  LARGEST_OBJECT_FILE,
  changedObjectSchema,
  exportedObjectsSchema,
  importObjectsEventSchema,
  objectDocumentSchema,
  objectKindsSchema,
  objectPageSchema,
  otherwiseText,
  plannedChangeSchema,
} from '../../common/objects.ts';
import type { ChangedObject, FiledOutcome } from '../../common/objects.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { canAskPerson, confirm, rewriteLine } from '../terminal.ts';
import { readTextFile } from '../textFiles.ts';
import { UsageError } from '../usageError.ts';
import { findTableOf } from './findTableOf.ts';
import { isNotFound } from './isNotFound.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { STANDARD_STREAM, namedPath } from './namedPath.ts';
import { follow, print, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { readStandardInput } from './readStandardInput.ts';
import { writeOutput } from './writeOutput.ts';

/** Characters of a name in the contract. */
const LONGEST_NAME = 1_000;

const requestSchema = z.object({ method: z.string(), path: z.string(), body: z.string().optional() });
const kindsAnswer = new JsonAnswer(
  z.object({
    kinds: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        help: z.string(),
        scope: z.enum(['server', 'table']),
        /** The kind whose objects hold these. */
        within: z.string().optional(),
        canSave: z.boolean(),
        canRemove: z.boolean(),
      }),
    ),
  }),
);
const listAnswer = new JsonAnswer(
  z.object({ kind: z.string(), objects: z.array(z.object({ name: z.string(), facts: z.record(z.string(), z.string()) })) }),
);
/** `document` is the text of a JSON object: numbers have all their digits. */
const getAnswer = new JsonAnswer(objectDocumentSchema);
const changeAnswer = new JsonAnswer(
  z.object({
    name: z.string(),
    consequence: z.string(),
    requests: z.array(requestSchema),
    /** False with `--dry-run`. */
    done: z.boolean(),
  }),
);
const exportAnswer = new JsonAnswer(z.object({ file: z.string(), objects: z.number() }));
const importAnswer = new JsonAnswer(
  z.object({
    added: z.array(z.string()),
    changed: z.array(z.string()),
    same: z.array(z.string()),
    failed: z.array(z.object({ name: z.string(), message: z.string() })),
    done: z.boolean(),
  }),
);

interface PlaceOptions extends JsonOption {
  readonly table?: string;
  readonly within?: string;
}

interface ChangeOptions extends PlaceOptions {
  readonly dryRun?: true;
}

/** Adds the options that say where objects are. */
function placed(command: Command): Command {
  return command
    .option('--table <name>', 'the table, for kinds of the scope "table"')
    .option('--within <name>', 'the object that holds these, for kinds with "within"');
}

export function addObjectCommands(program: Command, context: ProgramContext): void {
  const objects = program.command('objects').description('named objects beside the tables, such as aliases, synonyms and rules');

  objects
    .command('kinds')
    .description('list the kinds of objects that a connection has')
    .argument('<connection>', 'name or id')
    .addOption(kindsAnswer)
    .action(async (connection: string, options: JsonOption) => {
      const kinds = await run(context, objectKindsSchema, async (api, calling) => {
        const { id: connectionId } = await findConnection(api, connection, calling);
        return api.objects.kinds.query({ connectionId }, calling);
      });
      const answer = {
        kinds: kinds.map(({ id, term, help, scope, within, save, remove }) => ({
          ...{ kind: id, name: term.other, help, scope },
          ...(within === undefined ? {} : { within }),
          ...{ canSave: save.allowed, canRemove: remove.allowed },
        })),
      };
      await print(context, options, kindsAnswer, answer, () =>
        textTable(
          [{ title: 'Kind' }, { title: 'Name' }, { title: 'Of' }, { title: 'Within' }],
          answer.kinds.map(({ kind, name, scope, within }) => [kind, name, scope, within ?? '']),
        ),
      );
    });

  placed(objects.command('list').description('list the objects of a kind'))
    .argument('<connection>', 'name or id')
    .argument('<kind>', 'as "objects kinds" prints it')
    .addOption(listAnswer)
    .action(async (connection: string, kind: string, options: PlaceOptions) => {
      let columns: ObjectKind['columns'] = [];
      const answer = await run(context, listAnswer.schema, async (api, calling) => {
        const found = await findPlace(api, connection, kind, options, calling);
        columns = found.kind.columns;
        return { kind: found.kind.id, objects: await allObjects(api, found, calling) };
      });
      await print(context, options, listAnswer, answer, () =>
        textTable(
          [{ title: 'Name' }, ...columns.map(({ label }) => ({ title: label }))],
          answer.objects.map(({ name, facts }) => [name, ...columns.map(({ id }) => facts[id] ?? '')]),
        ),
      );
    });

  placed(objects.command('get').description('print the document of one object'))
    .argument('<connection>', 'name or id')
    .argument('<kind>', 'as "objects kinds" prints it')
    .argument('<name>', 'the name of the object', objectName)
    .addOption(getAnswer)
    .action(async (connection: string, kind: string, name: string, options: PlaceOptions) => {
      const answer = await run(context, getAnswer.schema, async (api, calling) => {
        const { connectionId, place } = await findPlace(api, connection, kind, options, calling);
        return api.objects.get.query({ connectionId, object: { ...place, name } }, calling);
      });
      await print(context, options, getAnswer, answer, () => `${visibleText(pretty(answer.document), 'data')}\n`);
    });

  placed(objects.command('save').description('add an object, or replace one; prints the requests'))
    .argument('<connection>', 'name or id')
    .argument('<kind>', 'as "objects kinds" prints it')
    .argument('<name>', 'the name of the object', objectName)
    .argument('<file>', 'a file with its document, a JSON object; - reads standard input')
    .option('--replace', 'replace the object when it exists')
    .option('--dry-run', 'print the requests and send none')
    .addOption(changeAnswer)
    .action(async (connection: string, kind: string, name: string, file: string, options: ChangeOptions & { replace?: true }) => {
      const document = await readFileOrInput(context, file);
      await change(context, { connection, kind, name, options }, async (api, found, calling) => {
        const object = { ...found.place, name };
        const was = options.replace === true ? await documentNow(api, found.connectionId, object, calling) : null;
        return { action: 'save', object, document, was };
      });
    });

  placed(objects.command('remove').description('remove an object; prints the requests'))
    .argument('<connection>', 'name or id')
    .argument('<kind>', 'as "objects kinds" prints it')
    .argument('<name>', 'the name of the object', objectName)
    .option('--dry-run', 'print the requests and send none')
    .option('--yes', 'do not ask')
    .addOption(changeAnswer)
    .action(async (connection: string, kind: string, name: string, options: ChangeOptions & { yes?: true }) => {
      const mayAsk = options.yes !== true && options.dryRun !== true;
      if (mayAsk && !canAskPerson(context.terminal)) {
        throw new UsageError("This isn't a terminal. Add --yes to remove without confirmation.");
      }
      await change(
        context,
        { connection, kind, name, options },
        async (api, { connectionId, place }, calling) => {
          const object = { ...place, name };
          // As it is when the question is asked: what somebody changes until the answer is not removed.
          const was = await documentNow(api, connectionId, object, calling);
          return { action: 'remove', object, ...(was === null ? {} : { was }) };
        },
        async ({ consequence }) => {
          if (!mayAsk) return;
          const question = `${visibleText(consequence, 'name', 4_000)} Remove it?`;
          if (!(await confirm(context.terminal, question, context.signal))) throw new UsageError('Nothing was removed.');
        },
      );
    });

  placed(objects.command('export').description('write all objects of a kind to a file'))
    .argument('<connection>', 'name or id')
    .argument('<kind>', 'as "objects kinds" prints it')
    .requiredOption('--output <file>', 'the file to write; - writes standard output')
    .option('--overwrite', 'replace the file when it exists')
    .addOption(exportAnswer)
    .action(async (connection: string, kind: string, options: PlaceOptions & { output: string; overwrite?: true }) => {
      const exported = await run(context, exportedObjectsSchema, async (api, calling) => {
        const { connectionId, place } = await findPlace(api, connection, kind, options, calling);
        return api.objects.export.query({ connectionId, place }, calling);
      });
      const file = await writeOutput(context, options, exported.text);
      if (file === undefined) return;
      const answer = { file, objects: exported.objects };
      await print(
        context,
        options,
        exportAnswer,
        answer,
        () => `Wrote ${visibleText(file, 'name', 4_096)} (objects: ${answer.objects}).\n`,
      );
    });

  placed(objects.command('import').description('add and replace the objects of a file; nothing is removed'))
    .argument('<connection>', 'name or id')
    .argument('<kind>', 'as "objects kinds" prints it')
    .argument('<file>', 'a file that "objects export" has written; - reads standard input')
    .option('--dry-run', 'say what would be done and do nothing')
    .addOption(importAnswer)
    .action(async (connection: string, kind: string, file: string, options: ChangeOptions) => {
      const content = await readFileOrInput(context, file);
      const outcomes = await importFile(context, { connection, kind, options }, content);
      const named = (outcome: FiledOutcome['outcome']): string[] =>
        outcomes.filter((one) => one.outcome === outcome).map(({ name }) => name);
      const failed = outcomes.flatMap(({ name, outcome, message = '' }) => (outcome === 'failed' ? [{ name, message }] : []));
      const answer = {
        added: named('add'),
        changed: named('change'),
        same: named('same'),
        failed,
        done: options.dryRun !== true,
      };
      await print(
        context,
        options,
        importAnswer,
        answer,
        () =>
          `${answer.done ? 'Imported' : 'Would import'} (added: ${answer.added.length}, changed: ${answer.changed.length}, the same: ${answer.same.length}, failed: ${failed.length}).\n`,
      );
      for (const { name, otherwise = [] } of outcomes) {
        const said = otherwiseText(otherwise);
        if (said !== undefined) await warn(context, visibleText(`${name}: ${said}`, 'text', 4_000));
      }
      if (failed.length === 0) return;
      context.setExitCode(1);
      for (const { name, message } of options.json === true ? [] : failed) {
        await warn(context, `${visibleText(name, 'name')}: ${visibleText(message, 'text', 4_000)}`, 'Failed');
      }
    });
}

function readFileOrInput(context: ProgramContext, file: string): Promise<string> {
  return file === STANDARD_STREAM
    ? readStandardInput(context, LARGEST_OBJECT_FILE)
    : readTextFile(namedPath(context, file), LARGEST_OBJECT_FILE);
}

interface FoundPlace {
  readonly connectionId: string;
  readonly kind: ObjectKind;
  readonly place: ObjectPlace;
}

/** @throws UsageError for a kind that the connection does not have */
async function findPlace(
  api: OwnerApi,
  connection: string,
  named: string,
  { table, within }: PlaceOptions,
  calling: ApiCallOptions,
): Promise<FoundPlace> {
  const { id: connectionId } = await findConnection(api, connection, calling);
  const kinds = understood(objectKindsSchema, await api.objects.kinds.query({ connectionId }, calling));
  const kind = kinds.find(({ id }) => id === named);
  if (kind === undefined) {
    const others = kinds.map(({ id }) => id).join(', ');
    throw new UsageError(
      kinds.length === 0 ? 'This connection has no named objects.' : `There is no kind "${named}". The kinds are: ${others}.`,
    );
  }
  const found = table === undefined ? undefined : await findTableOf(api, connectionId, table, calling);
  return {
    connectionId,
    kind,
    place: { kind: kind.id, ...(found === undefined ? {} : { table: found }), ...(within === undefined ? {} : { within }) },
  };
}

async function allObjects(
  api: OwnerApi,
  { connectionId, place }: FoundPlace,
  calling: ApiCallOptions,
): Promise<{ name: string; facts: Record<string, string> }[]> {
  const objects: { name: string; facts: Record<string, string> }[] = [];
  let next: string | undefined;
  do {
    const page = understood(
      objectPageSchema,
      await api.objects.list.query({ connectionId, place: place, ...(next === undefined ? {} : { next }) }, calling),
    );
    objects.push(...page.objects.map(({ name, facts }) => ({ name, facts: { ...facts } })));
    next = page.next;
  } while (next !== undefined);
  return objects;
}

/** The document as it is now; null: there is none. */
async function documentNow(
  api: OwnerApi,
  connectionId: string,
  object: ObjectChange['object'],
  calling: ApiCallOptions,
): Promise<string | null> {
  try {
    return understood(objectDocumentSchema, await api.objects.get.query({ connectionId, object }, calling)).document;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** @throws UsageError for a name that no object has */
function objectName(name: string): string {
  if (name === '') throw new UsageError('The name of the object is empty.');
  if (name.length <= LONGEST_NAME) return name;
  throw new UsageError(`The name of the object has ${name.length} characters; ${LONGEST_NAME} are the most.`);
}

interface Asked {
  readonly connection: string;
  readonly kind: string;
  readonly name: string;
  readonly options: ChangeOptions;
}

/** Plans a change and makes it, unless only the plan is wanted. */
async function change(
  context: ProgramContext,
  { connection, kind, name, options }: Asked,
  changeOf: (api: OwnerApi, found: FoundPlace, calling: ApiCallOptions) => Promise<ObjectChange>,
  beforeIt: (plan: PlannedChange) => Promise<void> = async () => undefined,
): Promise<void> {
  const done = options.dryRun !== true;
  let otherwise: ChangedObject['otherwise'] = [];
  const answer = await run(context, changeAnswer.schema, async (api, calling) => {
    const found = await findPlace(api, connection, kind, options, calling);
    const input = { connectionId: found.connectionId, change: await changeOf(api, found, calling) };
    const plan = understood(plannedChangeSchema, await api.objects.plan.mutate(input, calling));
    if (done) {
      await beforeIt(plan);
      ({ otherwise } = understood(changedObjectSchema, await api.objects.change.mutate(input, calling)));
    }
    const requests = plan.requests.map(({ method, path, body }) => ({ method, path, ...(body === undefined ? {} : { body }) }));
    return { name, consequence: plan.consequence, requests, done };
  });
  await print(context, options, changeAnswer, answer, () => {
    const lines = answer.requests.map((request) => visibleText(requestText(request), 'data'));
    return `${lines.join('\n')}\n${visibleText(answer.consequence, 'name', 4_000)}${done ? '' : ' Nothing was sent.'}\n`;
  });
  const said = otherwiseText(otherwise);
  if (said !== undefined) await warn(context, visibleText(`${name}: ${said}`, 'text', 4_000));
}

async function importFile(
  context: ProgramContext,
  { connection, kind, options }: Omit<Asked, 'name'>,
  content: string,
): Promise<readonly FiledOutcome[]> {
  const live = options.json !== true && context.terminal.stderr.isTTY === true;
  let outcomes: readonly FiledOutcome[] | undefined;
  let done = 0;
  const work = run(context, importObjectsEventSchema.optional(), async (api, calling) => {
    const { connectionId, place } = await findPlace(api, connection, kind, options, calling);
    const onlyPlan = options.dryRun === true;
    const events = await api.objects.import.mutate({ connectionId, place: place, content, onlyPlan }, calling);
    return follow(events, importObjectsEventSchema, async (event) => {
      if (event.type === 'outcomes') outcomes = event.outcomes;
      else {
        ({ done } = event);
        if (live) await rewriteLine(context.terminal.stderr, `${event.done} of ${event.of} objects`);
      }
    });
  });
  try {
    await work;
  } catch (error) {
    if (live) await rewriteLine(context.terminal.stderr, '');
    if (done > 0 && options.dryRun !== true) {
      await warn(
        context,
        `${done} ${done === 1 ? 'object of the file was' : 'objects of the file were'} taken before this. Import it again for the others.`,
      );
    }
    throw error;
  }
  if (live) await rewriteLine(context.terminal.stderr, '');
  if (outcomes === undefined) throw new HostError('INTERNAL', 'The import ended without a result.');
  return outcomes;
}

function requestText({ method, path, body }: Pick<DescribedRequest, 'body' | 'method' | 'path'>): string {
  const line = visibleText(`${method} ${path}`, 'name', 8_000);
  return body === undefined ? line : `${line}\n${pretty(body)}`;
}

/** Indented, on the text and never on values, so that numbers keep their digits. Several lines of JSON stay as they are. */
function pretty(json: string): string {
  return json.includes('\n') ? json : applyEdits(json, format(json, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' }));
}
