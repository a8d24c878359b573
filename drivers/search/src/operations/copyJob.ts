import { DriverError, isDriverError, listOfNames } from '@tabularium/sdk';
import type { DescribedRequest, OperationEvent } from '@tabularium/sdk';
import { collectionPath } from '../paths.ts';
import { sendChange } from '../sendChange.ts';
import { checkpointText, readCheckpoint } from './copyCheckpoint.ts';
import type { CopyCheckpoint, CopyPhase } from './copyCheckpoint.ts';
import { copyDocuments } from './copyDocuments.ts';
import type { CopyState } from './copyDocuments.ts';
import { mustBeDeletable, mustBeOurs, readIfThere, sentBy } from './copyOwner.ts';
import { isMadeAsAsked } from './madeAsAsked.ts';
import { objectMembers } from '../objects/objectDocument.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { aliasTarget, readAliasTarget } from '../aliases.ts';
import { moveRequest, undoOf } from './moveAliases.ts';
import type { AliasMove } from './moveAliases.ts';
import { ownedSettings } from './ownedSettings.ts';
import { readSchema } from './readSchema.ts';
import type { ReadSchema } from './readSchema.ts';
import { confirmedOtherwise, documentsText, said } from './searchOperation.ts';
import type { OperationResultEvent, OperationSource } from './searchOperation.ts';
import { faultTexts } from '../faultTexts.ts';

/** A copy of a collection into a new one, with what comes before and after. */
export interface CopyJob {
  readonly from: string;
  /** When the server made it. */
  readonly fromMadeAt: string;
  /** Its schema then; absent where an older driver planned it. */
  readonly fromShape?: string;
  readonly to: string;
  readonly create: DescribedRequest;
  /** Whether synonyms and rules are copied, where the old collection owns them. */
  readonly settings: boolean;
  /** False: the new collection stays empty. */
  readonly documents?: boolean;
  /** Rejected documents leave the aliases where they are. */
  readonly stopsOnRejected: boolean;
  /** Values of another type than the new schema has are converted; otherwise their documents are rejected. */
  readonly converts: boolean;
  /** The aliases that are to lead to the new collection, and where each leads before; empty: none. */
  readonly aliases: readonly AliasMove[];
  /** The index of each phase in the plan's steps. */
  readonly steps: Readonly<Record<CopyPhase | 'check', number>>;
}

/** The copy, and looks behind its last document: applications may add documents meanwhile. */
const MOST_ROUNDS = 6;
const UNIT = { unit: 'documents', texts: { unit: { id: 'operationUnit.documents' } } } as const;
const BEGIN: CopyState = { done: 0, rejected: 0 };

/**
 * Makes the new collection, copies, compares the counts, and moves the aliases last: until then nothing that applications use is changed.
 *
 * @param text - the checkpoint of a run that was interrupted
 */
export async function* runCopyJob(
  job: CopyJob,
  source: OperationSource,
  text: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<OperationEvent, void> {
  const { client } = source;
  let at: CopyCheckpoint = text === undefined ? { phase: 'create', state: BEGIN } : readCheckpoint(text);
  // Applications use the new collection by then: whatever is copied again would overwrite what they wrote.
  const isInUse = at.phase === 'swap' && (await isLedThere(job, source, signal));
  if (!isInUse) {
    at = await fromSameSource(job, at, text !== undefined, source, signal);
    // Hours may have passed since the counts were compared.
    if (at.phase === 'swap') at = { ...at, phase: 'copy' };
  }
  const reached = (next: CopyCheckpoint): OperationEvent => {
    at = next;
    return { type: 'checkpoint', checkpoint: checkpointText(next) };
  };
  if (at.again === true) {
    const found = await readIfThere(job.to, source, signal);
    // It isn't there where the answer to this run's own deletion was lost.
    if (found !== undefined) {
      await mustBeDeletable(job, at, found, source, signal);
      await sendChange({ method: 'DELETE', path: collectionPath(job.to) }, client, { signal });
    }
    const { fromMadeAt } = at;
    yield reached({ phase: 'create', ...(fromMadeAt === undefined ? {} : { fromMadeAt }), state: BEGIN });
  }
  if (at.phase === 'create') {
    yield { type: 'progress', step: job.steps.create };
    // A run that finds the name taken has nothing to resume: the collection is somebody else's.
    if (text === undefined && (await readIfThere(job.to, source, signal)) !== undefined) throw nameTaken(job.to);
    // Before it is made: where the answer is lost, the collection is found by its name and its emptiness.
    yield reached(at);
    const made = await create(job, source, text !== undefined, signal);
    const { schema, isTaken } = made;
    yield reached({
      ...at,
      phase: 'settings',
      madeAt: schema.madeAt,
      ...(isTaken ? {} : { madeHere: true }),
      shape: schema.shape,
      state: BEGIN,
    });
  } else {
    const ours = await mustBeOurs(job, at, source, signal);
    if (ours.madeAt !== at.madeAt && !isInUse)
      yield reached({ ...copiedAgain(taken(at)), madeAt: ours.madeAt, shape: ours.shape });
  }
  if (job.documents === false) {
    yield {
      type: 'result',
      message: `Made “${job.to}” with the schema of “${job.from}”.`,
      texts: said('message', 'operationResult.clone', { from: job.from, to: job.to }),
    };
    return;
  }
  if (at.phase === 'settings') {
    if (job.settings) {
      yield { type: 'progress', step: job.steps.settings };
      for (const request of await ownedSettings(source, job.from, job.to, signal)) await sendChange(request, client, { signal });
    }
    yield reached({ ...at, phase: 'copy' });
  }
  if (at.phase === 'copy') {
    yield* copy(job, source, at, reached, signal);
    yield reached({ ...at, phase: 'swap' });
  }
  if (job.aliases.length > 0) {
    yield { type: 'progress', step: job.steps.swap };
    await moveAll(job, source, signal);
  }
  yield await resultOf(job, source, at.state, signal);
}

/**
 * Whether an alias of the job leads to the new collection.
 *
 * @throws DriverError `ACCESS_REFUSED` where the key may not read an alias: then it isn't certain
 */
async function isLedThere({ aliases, to }: CopyJob, { client }: OperationSource, signal: AbortSignal): Promise<boolean> {
  for (const { alias } of aliases) if ((await readAliasTarget(alias, client, signal)) === to) return true;
  return false;
}

/** The server has made nothing, and answers the same request alike: whatever has the name later is somebody else's. */
const REJECTED: ReadonlySet<string> = new Set([
  ...['ACCESS_REFUSED', 'CONFLICT', 'CREDENTIALS_MISSING', 'INVALID_INPUT', 'NOT_FOUND', 'STRUCTURE_CHANGED', 'UNSUPPORTED'],
]);

/** The schema of the new collection: a clone's is that of the old one. */
async function schemaAsked(job: CopyJob, { client }: OperationSource, signal: AbortSignal): Promise<ObjectMembers> {
  const asked = objectMembers(job.create.body ?? '{}');
  return Object.hasOwn(asked, 'fields') ? asked : (await readSchema(job.from, client, signal)).members;
}

interface Made {
  readonly schema: ReadSchema;
  /** It was there already: an earlier run may have made it, and so may another client. */
  readonly isTaken: boolean;
}

async function create(job: CopyJob, source: OperationSource, isResumed: boolean, signal: AbortSignal): Promise<Made> {
  const found = await readIfThere(job.to, source, signal);
  if (found !== undefined) {
    // An empty one of the schema that was asked for is that of the interrupted run, whose answer was lost.
    const isOurs = isResumed && found.name === job.to && found.documents === 0;
    if (isOurs && isMadeAsAsked(found.members, await schemaAsked(job, source, signal))) return { schema: found, isTaken: true };
    throw nameTaken(job.to);
  }
  await sendChange(job.create, source.client, { signal }).catch((error: unknown) => {
    throw isDriverError(error) && REJECTED.has(error.code)
      ? new DriverError(error.code, error.message, { cause: error, details: { ...error.details, cannotResume: true } })
      : error;
  });
  return { schema: await readSchema(job.to, source.client, signal), isTaken: false };
}

function nameTaken(name: string): DriverError {
  return new DriverError('CONFLICT', `There is a collection “${name}” already.`, {
    details: {
      field: 'target',
      advice: 'Choose another name.',
      cannotResume: true,
      texts: faultTexts('fault.nameTaken', { name }, 'fault.otherName'),
    },
  });
}

/**
 * The checkpoint for the old collection as it is now. Where the server gives another time of its making, everything is copied again: with equal counts at the
 * end, the new collection then has exactly its documents, whether the server was restarted or somebody made it again.
 *
 * @throws DriverError `CONFLICT` where it has another schema than the plan was made for
 */
async function fromSameSource(
  job: CopyJob,
  at: CopyCheckpoint,
  isResumed: boolean,
  { client }: OperationSource,
  signal: AbortSignal,
): Promise<CopyCheckpoint> {
  const { name, madeAt, shape } = await readSchema(job.from, client, signal);
  if (name === job.from && madeAt === (at.fromMadeAt ?? job.fromMadeAt)) return at;
  if (!isResumed) throw confirmedOtherwise();
  if (name === job.from && (job.fromShape === undefined || shape === job.fromShape)) {
    return { ...copiedAgain(at), fromMadeAt: madeAt };
  }
  throw new DriverError(
    'CONFLICT',
    name === job.from
      ? `“${job.from}” was made again with another schema since this operation began.`
      : `“${job.from}” is an alias of “${name}” since this operation began.`,
    {
      details: {
        advice: 'Leave this operation, look at both collections, and begin again.',
        cannotResume: true,
        texts: faultTexts(
          'fault.sourceReplaced',
          { from: job.from, now: name, is: name === job.from ? 'schema' : 'alias' },
          'fault.replaced.advice',
        ),
      },
    },
  );
}

/** The new collection has another time of creation. Its documents allow to write the same ones again; they don't prove that it may be deleted. */
function taken({ madeHere: _madeHere, ...at }: CopyCheckpoint): CopyCheckpoint {
  return at;
}

/** All documents are sent once more: one that is there already is the same one. */
function copiedAgain(at: CopyCheckpoint): CopyCheckpoint {
  return { ...at, phase: at.phase === 'swap' ? 'copy' : at.phase, state: BEGIN, sent: sentBy(at) };
}

async function* copy(
  job: CopyJob,
  source: OperationSource,
  begin: CopyCheckpoint,
  reached: (next: CopyCheckpoint) => OperationEvent,
  signal: AbortSignal,
): AsyncGenerator<OperationEvent, void> {
  const { client } = source;
  let at = begin;
  let old = await readSchema(job.from, client, signal);
  const progress = (): OperationEvent => ({
    type: 'progress',
    step: job.steps.copy,
    done: at.state.done,
    of: Math.max(old.documents, at.state.done),
    ...UNIT,
  });
  yield progress();
  // Only a round without a document ends it: with as many deleted as added ones, the counts agree and the added ones are missing.
  let isComplete = false;
  for (let round = 0; round < MOST_ROUNDS && !isComplete; round += 1) {
    isComplete = true;
    for await (const { state, rejections } of copyDocuments(client, job, at.state, signal)) {
      isComplete = false;
      for (const { id, message } of rejections) yield { type: 'rejected', row: id.slice(0, 1_000), message };
      at = { ...at, state };
      yield reached(at);
      yield progress();
      // The next import would write into whatever has the name by then.
      const { madeAt } = await mustBeOurs(job, at, source, signal);
      if (madeAt !== at.madeAt) yield reached((at = { ...taken(at), madeAt }));
    }
    old = await readSchema(job.from, client, signal);
  }
  if (!isComplete) throw stillAdded(job);
  yield { type: 'progress', step: job.steps.check };
  const made = await mustBeOurs(job, at, source, signal);
  const { rejected } = at.state;
  if (rejected > 0 && job.stopsOnRejected) {
    throw new DriverError(
      'CONFLICT',
      `The new schema rejected ${documentsText(rejected)} of “${job.from}”, so ${stayed(job)}. “${job.to}” has the other ${made.documents.toLocaleString('en')}.`,
      {
        details: {
          advice: `Delete “${job.to}” and begin again with a schema that fits, or choose to convert values of another type or to continue without rejected documents.`,
          texts: faultTexts(
            'fault.copyRejected',
            { from: job.from, to: job.to, rejected, others: made.documents, ...staying(job) },
            'fault.copyRejected.advice',
            { to: job.to },
          ),
        },
      },
    );
  }
  if (rejected > 0 && made.documents === 0) {
    throw new DriverError('CONFLICT', `The new schema rejected every document of “${job.from}”, so ${stayed(job)}.`, {
      details: {
        advice: `Delete “${job.to}” and begin again with a schema that fits.`,
        texts: faultTexts('fault.copyRejectedAll', { from: job.from, ...staying(job) }, 'fault.copyRejectedAll.advice', {
          to: job.to,
        }),
      },
    });
  }
  if (made.documents + rejected === old.documents) return;
  yield reached({ ...at, again: true, compared: made.documents });
  throw new DriverError(
    'CONFLICT',
    `The counts differ: “${job.from}” has ${documentsText(old.documents)}, “${job.to}” has ${made.documents.toLocaleString('en')}${rejected > 0 ? ` and rejected ${rejected}` : ''}. So ${stayed(job)}.`,
    {
      details: {
        advice: `Documents were added or deleted meanwhile. Stop these writes and resume: “${job.to}” is then made again and everything is copied again.`,
        texts: faultTexts(
          'fault.copyDiffers',
          { from: job.from, to: job.to, old: old.documents, made: made.documents, rejected, ...staying(job) },
          'fault.copyDiffers.advice',
          { to: job.to },
        ),
      },
    },
  );
}

function stillAdded(job: CopyJob): DriverError {
  return new DriverError(
    'CONFLICT',
    `Documents were still being added to “${job.from}” after ${MOST_ROUNDS} rounds of the copy, so ${stayed(job)}.`,
    {
      details: {
        advice: 'Stop these writes, then resume: the copy continues behind its last document.',
        texts: faultTexts('fault.copyBusy', { from: job.from, rounds: MOST_ROUNDS, ...staying(job) }, 'fault.copyBusy.advice'),
      },
    },
  );
}

/** For the translation of {@link stayed}. */
function staying({ aliases, from }: CopyJob): {
  readonly aliases: number;
  readonly names: readonly string[];
  readonly stays: string;
} {
  return { aliases: aliases.length, names: aliases.map(({ alias }) => `„${alias}“`), stays: from };
}

function stayed({ aliases, from }: CopyJob): string {
  if (aliases.length === 0) return `“${from}” stays as it is`;
  const names = listOfNames(aliases.map(({ alias }) => `“${alias}”`));
  return aliases.length === 1 ? `the alias ${names} was not moved` : `the aliases ${names} were not moved`;
}

async function moveAll({ aliases, to }: CopyJob, { client }: OperationSource, signal: AbortSignal): Promise<void> {
  for (const { alias, collection } of aliases) {
    const now = await aliasTarget(alias, client, signal);
    // It was moved by the run that was interrupted.
    if (now === to) continue;
    if (now !== collection) {
      throw new DriverError(
        'CONFLICT',
        `The alias “${alias}” leads to ${now === undefined ? 'nothing' : `“${now}”`} by now, so it was not moved.`,
        {
          details: {
            advice: `“${to}” is complete. Look at the alias, and move it by hand.`,
            texts: faultTexts(
              'fault.aliasMoved',
              { alias, leads: now === undefined ? 'nowhere' : 'there', now: now ?? '' },
              'fault.aliasMoved.advice',
              { to },
            ),
          },
        },
      );
    }
    await sendChange(moveRequest({ alias, collection: to }), client, { signal });
  }
}

async function resultOf(
  { from, to, aliases }: CopyJob,
  { client }: OperationSource,
  { rejected }: CopyState,
  signal: AbortSignal,
): Promise<OperationResultEvent> {
  const { documents: count } = await readSchema(to, client, signal);
  const without = rejected === 0 ? '' : ` ${documentsText(rejected)} were rejected and are missing.`;
  const affectedRows = count;
  if (aliases.length === 0) {
    return {
      type: 'result',
      message: `“${to}” has ${documentsText(count)} of “${from}”.${without}`,
      texts: said('message', 'operationResult.copy', { from, to, count, rejected }),
      affectedRows,
    };
  }
  const names = aliases.map(({ alias }) => alias);
  return {
    type: 'result',
    message: `“${listOfNames(names)}” leads to “${to}” with ${documentsText(count)}.${without} “${from}” is kept until you delete it.`,
    texts: said('message', 'operationResult.reindex', { names, from, to, count, rejected }),
    affectedRows,
    undo: undoOf(aliases, new Map(aliases.map(({ alias }) => [alias, to]))),
  };
}
