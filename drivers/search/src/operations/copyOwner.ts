import { DriverError, isDriverError } from '@tabularium/sdk';
import type { DriverTexts } from '@tabularium/sdk';
import { linesOf } from '../console/lines.ts';
import { isExactObject, parseExactly } from '../edits/exactValue.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { lineFault } from '../export/judge.ts';
import { faultTexts } from '../faultTexts.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { requestLine } from '../serverErrors.ts';
import type { CopyCheckpoint } from './copyCheckpoint.ts';
import { exportRequestPath } from './copyDocuments.ts';
import { readAliasesOf } from '../aliases.ts';
import { readSchema } from './readSchema.ts';
import type { ReadSchema } from './readSchema.ts';
import { documentsText } from './searchOperation.ts';
import type { OperationSource } from './searchOperation.ts';

/** The two collections of a copy. */
interface CopyNames {
  readonly from: string;
  readonly to: string;
}

export async function readIfThere(
  name: string,
  { client }: OperationSource,
  signal: AbortSignal,
): Promise<ReadSchema | undefined> {
  return readSchema(name, client, signal).catch((error: unknown) => {
    if (isDriverError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
}

/** How many documents the new collection has got from this run at most, those behind its last checkpoint left out. */
export function sentBy({ sent = 0, state }: CopyCheckpoint): number {
  return Math.max(sent, state.done - state.rejected);
}

/** Documents of one import, which may have arrived without a checkpoint behind it. */
const MOST_UNRECORDED = 1_000;

/**
 * The new collection that this run has made, also where a restarted server says another time of its making. It then needs the schema that it was made with,
 * and the documents that this run sent and no others: writing them once more changes nothing, also in a collection of another client.
 *
 * @throws DriverError `CONFLICT`
 */
export async function mustBeOurs(
  names: CopyNames,
  at: CopyCheckpoint,
  source: OperationSource,
  signal: AbortSignal,
): Promise<ReadSchema> {
  const named = mustHaveName(names, await readIfThere(names.to, source, signal));
  if (named.madeAt === at.madeAt) return named;
  if (at.shape !== undefined && named.shape !== at.shape) throw otherSchema(names);
  const sent = sentBy(at);
  const fits = named.documents >= sent && named.documents <= sent + MOST_UNRECORDED;
  if (fits && (await hasOnlyCopies(names, named, source, signal))) return named;
  throw otherCollection(names, named, sent);
}

/**
 * Makes sure that the new collection is the one that this operation made, and as it was when the counts differed, before it is deleted: a person may have
 * accepted the difference since then and led applications there.
 *
 * @throws DriverError `CONFLICT`, and `ACCESS_REFUSED` where the key may not list the aliases: then it isn't certain
 */
export async function mustBeDeletable(
  names: CopyNames,
  at: CopyCheckpoint,
  found: ReadSchema,
  { client }: OperationSource,
  signal: AbortSignal,
): Promise<void> {
  const { name, documents, madeAt } = mustHaveName(names, found);
  const advice = `Leave this operation. To copy again, delete “${name}” and begin again.`;
  const adviceTexts = ['fault.copyInUse.advice', { name }] as const;
  // Neither its schema nor its documents prove who made it: another client may have copied the same ones.
  if (madeAt !== at.madeAt || at.madeHere !== true) {
    throw lost(
      `It isn’t certain that this operation made “${name}”, so “${name}” was not deleted.`,
      faultTexts('fault.copyUncertain', { name }, ...adviceTexts),
      advice,
    );
  }
  const [alias] = await readAliasesOf(name, client, signal);
  if (alias !== undefined) {
    throw lost(
      `The alias “${alias}” leads to “${name}” by now, so “${name}” was not deleted.`,
      faultTexts('fault.copyInUse', { alias, name }, ...adviceTexts),
      advice,
    );
  }
  const before = at.compared ?? at.state.done - at.state.rejected;
  if (documents === before) return;
  throw lost(
    `“${name}” has ${documentsText(documents)} and had ${documentsText(before)} when the counts were compared, so it was not deleted.`,
    faultTexts('fault.copyChanged', { name, documents, before }, ...adviceTexts),
    advice,
  );
}

function mustHaveName({ to }: CopyNames, found: ReadSchema | undefined): ReadSchema {
  if (found === undefined) {
    throw lost(
      `The new collection “${to}” was deleted meanwhile.`,
      faultTexts('fault.copyDeleted', { name: to }, 'fault.beginAgain'),
    );
  }
  if (found.name === to) return found;
  throw lost(
    `“${to}” is an alias of “${found.name}” by now.`,
    faultTexts('fault.copyIsAlias', { to, name: found.name }, 'fault.beginAgain'),
  );
}

function otherSchema({ to }: CopyNames): DriverError {
  return lost(
    `“${to}” was made again with another schema since this operation began.`,
    faultTexts('fault.sourceReplaced', { from: to, now: to, is: 'schema' }, 'fault.beginAgain'),
  );
}

function otherCollection({ to }: CopyNames, { documents }: ReadSchema, done: number): DriverError {
  return lost(
    `“${to}” has ${documentsText(documents)} and another time of creation than when this operation stopped, which had copied ${documentsText(done)}. Somebody else may have made it.`,
    faultTexts('fault.copyOther', { to, documents, done }, 'fault.copyOther.advice', { to }),
    `Leave this operation, look at “${to}”, delete it if its documents aren’t needed, and begin again.`,
  );
}

function lost(message: string, texts: DriverTexts, advice = 'Leave this operation, and begin it again.'): DriverError {
  return new DriverError('CONFLICT', message, { details: { advice, cannotResume: true, texts } });
}

/**
 * Whether each document of the new collection is one of the old collection, unchanged. Both are exported in the order in which their documents were added, so
 * one pass compares them and memory holds two documents.
 */
async function hasOnlyCopies(
  { from, to }: CopyNames,
  found: ReadSchema,
  source: OperationSource,
  signal: AbortSignal,
): Promise<boolean> {
  if (found.documents === 0) return true;
  const old = await readSchema(from, source.client, signal);
  // The server makes the values of these fields, or doesn't store them.
  const leftOut = new Set([...unstoredFields(found.members), ...unstoredFields(old.members)]);
  const olds = documentsOf(from, leftOut, source, signal);
  const copies = documentsOf(to, leftOut, source, signal);
  try {
    for await (const copy of copies) {
      let isThere = false;
      while (!isThere) {
        const next = await olds.next();
        if (next.done === true) return false;
        isThere = next.value === copy;
      }
    }
    return true;
  } finally {
    await copies.return();
    await olds.return();
  }
}

function unstoredFields({ fields }: ObjectMembers): readonly string[] {
  const list = Array.isArray(fields) ? (fields as ExactValue[]) : [];
  return list.flatMap((field) => {
    const isLeftOut = isExactObject(field) && (Object.hasOwn(field, 'embed') || field['store'] === false);
    return isLeftOut && typeof field['name'] === 'string' ? [field['name']] : [];
  });
}

/** Each document as a text that is the same for the same document. */
async function* documentsOf(
  collection: string,
  leftOut: ReadonlySet<string>,
  { client }: OperationSource,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const path = exportRequestPath(collection);
  const response = await client.send({ method: 'GET', path, repeatable: true, signal });
  const lines = linesOf(response.body);
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      const fault = lineFault(line, true, requestLine('GET', path));
      if (fault !== undefined) throw fault;
      const document = parseExactly(line);
      yield JSON.stringify(isExactObject(document) ? plain(document, leftOut) : document);
    }
  } finally {
    await lines.return();
  }
}

function plain(document: ObjectMembers, leftOut: ReadonlySet<string>): ExactValue {
  const members = Object.entries(document).filter(([name]) => !leftOut.has(name));
  return members.sort(([a], [b]) => (a < b ? -1 : 1));
}
