import { randomUUID } from 'node:crypto';
import { DRIVER_ERRORS, DriverError, isDriverError } from '@tabularium/sdk';
import type { OperationCall, OperationEvent, OperationPlan, OperationsFacet } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import { requireClearJson } from '../../common/requireClearJson.ts';
import { HostError } from '../../common/errors.ts';
import { MOST_REJECTIONS } from '../../common/operations.ts';
import type { OperationRun, StartOperation } from '../../common/operations.ts';
import { connectionTarget, requireSameTarget } from '../connections/connectionTarget.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import type { Inject } from '../container/inject.ts';
import { ON_TABLES_CHANGED } from '../data/onTablesChanged.ts';
import { Sessions } from '../data/sessions.ts';
import { errorReport } from '../errors/errorReport.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';
import { OperationJournal } from './operationJournal.ts';
import { Operations } from './operations.ts';
import { shownBasis, targetOfBasis } from './shownBasis.ts';

/** Milliseconds between two notifications of how far the runs are. */
const NOTIFY_EVERY = 200;
/** Runs at a time: a server has other users. */
const MOST_RUNNING = 8;
/** Ended runs that stay on the list. One that can be resumed has not ended. */
const MOST_ENDED = 20;

const LOOK_AGAIN = 'Look at the plan again, then confirm it.';

interface Entry {
  run: OperationRun;
  readonly call: OperationCall;
  readonly basis: string;
  checkpoint?: string;
  undo?: OperationCall;
  stopping: AbortController;
  ended: Promise<void>;
}

/** Every run of an operation of this host, running or ended: the one list that all windows and commands see. */
export class OperationRuns implements AsyncDisposable {
  static readonly inject: Inject<typeof OperationRuns> = [
    Operations,
    Sessions,
    OperationJournal,
    loggerOf('operations'),
    ON_TABLES_CHANGED,
  ];

  readonly #operations: Pick<Operations, 'use'>;
  readonly #sessions: Pick<Sessions, 'forgetStructures'>;
  readonly #journal: OperationJournal;
  readonly #logger: Logger;
  readonly #onChange: (connectionId: string) => void;
  readonly #entries = new Map<string, Entry>();
  /** Runs whose connection is looked at before they continue. */
  readonly #resuming = new Map<string, AbortController>();
  #changed = Promise.withResolvers<void>();
  #isStopping = false;

  /** @param onChange - called when tables of a connection may have been changed */
  constructor(
    operations: Pick<Operations, 'use'>,
    sessions: Pick<Sessions, 'forgetStructures'>,
    journal: OperationJournal,
    logger: Logger,
    onChange: (connectionId: string) => void = () => undefined,
  ) {
    this.#operations = operations;
    this.#sessions = sessions;
    this.#journal = journal;
    this.#logger = logger;
    this.#onChange = onChange;
  }

  /** Called once at start: puts the runs of the last host on the list again. One that it did not end was interrupted. */
  restore(): void {
    for (const { run, ...found } of this.#journal.list()) {
      const was = run.state === 'running' ? { ...run, state: 'interrupted' as const } : run;
      this.#entries.set(run.id, {
        ...found,
        run: { ...was, canResume: was.state !== 'done' && found.checkpoint !== undefined },
        stopping: new AbortController(),
        ended: Promise.resolve(),
      });
    }
  }

  /**
   * Starts an operation. It runs until it ends, is cancelled, or the host stops.
   *
   * @throws HostError `CONNECTION_READ_ONLY` in read-only mode, `APPROVAL_REQUIRED` when the name was not typed; DriverError `CONFLICT` where the plan is
   *   another by now, and what {@link OperationsFacet.plan} throws
   */
  async start({ connectionId, call, basis: shown, typedName }: StartOperation, signal: AbortSignal): Promise<OperationRun> {
    this.#requireRoom();
    requireClearJson(call.input, 'The input');
    const { run, basis } = await this.#operations.use(connectionId, signal, async (facet, connection) => {
      const operation = (await facet.list(call.place, { signal })).find(({ id }) => id === call.operation);
      if (operation === undefined) throw new DriverError('UNSUPPORTED', "This operation isn't supported here.");
      requireWritable(connection, operation.effect);
      if (!operation.ability.allowed) throw new DriverError('UNSUPPORTED', operation.ability.reason);
      const plan = await facet.plan(call, { signal });
      requireWritable(connection, plan.effect);
      const now = shownBasis(connection, plan);
      requireSameTarget(connection, targetOfBasis(shown), 'this plan was shown', LOOK_AGAIN);
      requireConfirmed({ ...plan, basis: now }, shown, typedName, operation.label);
      const begun = newRun(connectionId, call, operation, plan);
      return { run: { ...begun, target: connectionTarget(connection) }, basis: plan.basis };
    });
    this.#requireRoom();
    const entry: Entry = { run, call, basis, stopping: new AbortController(), ended: Promise.resolve() };
    this.#journal.add(entry);
    this.#entries.set(run.id, entry);
    this.#begin(entry);
    return run;
  }

  /** Continues a run that failed, was cancelled or was interrupted. @throws HostError `INVALID_REQUEST`, `CONNECTION_READ_ONLY` */
  async resume(id: string, signal: AbortSignal): Promise<OperationRun> {
    const entry = this.#get(id);
    // Another window may resume it while this one looks: both would do the same work.
    if (this.#resuming.has(id)) throw new HostError('INVALID_REQUEST', 'This operation is being resumed already.');
    const stopping = new AbortController();
    this.#resuming.set(id, stopping);
    try {
      await this.#requireResumable(entry, AbortSignal.any([signal, stopping.signal]));
      stopping.signal.throwIfAborted();
      this.#requireRoom();
    } finally {
      this.#resuming.delete(id);
    }
    const { error: _error, ...run } = entry.run;
    entry.run = { ...run, state: 'running', canResume: false };
    entry.stopping = stopping;
    this.#begin(entry);
    return entry.run;
  }

  async #requireResumable(entry: Entry, signal: AbortSignal): Promise<void> {
    // One that is being cancelled is waited for.
    if (entry.run.state === 'running' && !entry.stopping.signal.aborted) {
      throw new HostError('INVALID_REQUEST', 'This operation runs already.', {
        details: { advice: 'Wait until it has ended, or cancel it.' },
      });
    }
    await entry.ended;
    if (!entry.run.canResume || entry.run.state === 'running') {
      throw new HostError('INVALID_REQUEST', 'This operation can’t be resumed.', {
        details: { advice: 'Look at the tables to see what it did, and begin it again.' },
      });
    }
    this.#requireRoom();
    await this.#operations.use(entry.run.connectionId, signal, async (_facet, connection) => {
      requireBegunTarget(connection, entry.run);
      requireWritable(connection);
    });
  }

  /** Stops a run, and waits until nothing is sent any more. */
  async cancel(id: string): Promise<OperationRun> {
    const entry = this.#get(id);
    this.#resuming.get(id)?.abort(new DriverError('CANCELLED'));
    entry.stopping.abort();
    await entry.ended;
    return entry.run;
  }

  /** Takes a run that isn't running off the list. What it did stays. @throws HostError `INVALID_REQUEST` */
  leave(id: string): void {
    const { run } = this.#get(id);
    if (run.state === 'running') throw new HostError('INVALID_REQUEST', 'This operation is running. Cancel it first.');
    if (this.#resuming.has(id)) throw new HostError('INVALID_REQUEST', 'This operation is being resumed. Cancel it first.');
    this.#journal.remove(id);
    this.#entries.delete(id);
    this.#notify();
  }

  /** The operation that takes a run back, to be planned and confirmed. @throws HostError `INVALID_REQUEST` where nothing does */
  undoOf(id: string): OperationCall {
    const { undo } = this.#get(id);
    if (undo === undefined) throw new HostError('INVALID_REQUEST', 'This operation can’t be undone.');
    return undo;
  }

  /** Newest first. */
  list(): readonly OperationRun[] {
    return [...this.#entries.values()].map(({ run }) => run).reverse();
  }

  /** The list now, and again after each change. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly OperationRun[], void, undefined> {
    const stopped = Promise.withResolvers<void>();
    const onStop = (): void => stopped.resolve();
    signal.addEventListener('abort', onStop, { once: true });
    try {
      while (!signal.aborted) {
        const changed = this.#changed.promise;
        yield this.list();
        await Promise.race([changed, stopped.promise]);
      }
    } finally {
      signal.removeEventListener('abort', onStop);
    }
  }

  /** A run now, after each change, and at its end. Where the follower leaves, the run is cancelled. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<OperationRun, void, undefined> {
    try {
      for await (const runs of this.watch(signal)) {
        const run = runs.find((one) => one.id === id);
        if (run !== undefined) yield run;
        if (run?.state !== 'running') return;
      }
    } finally {
      if (this.#entries.get(id)?.run.state === 'running') await this.cancel(id);
    }
  }

  /** Stops every run. The next host finds them as interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    const running = [...this.#entries.values()];
    for (const resuming of this.#resuming.values()) resuming.abort(new HostError('CANCELLED', 'The host is stopping.'));
    for (const { stopping } of running) stopping.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  #begin(entry: Entry): void {
    this.#forgetOld();
    entry.ended = this.#run(entry);
    this.#notify();
  }

  /** Never throws: how it ended is on the list. */
  async #run(entry: Entry): Promise<void> {
    const { connectionId } = entry.run;
    const { signal } = entry.stopping;
    try {
      await this.#operations.use(connectionId, signal, (facet, connection) => this.#take(entry, facet, connection, signal));
    } catch (error) {
      const report = errorReport(error);
      if (report.code === 'INTERNAL') this.#logger.error('an operation failed unexpectedly', error);
      if (report.details.cannotResume === true) delete entry.checkpoint;
      const canResume = entry.checkpoint !== undefined;
      const state = !signal.aborted ? 'failed' : this.#isStopping ? 'interrupted' : 'cancelled';
      entry.run = { ...entry.run, state, canResume, ...(saysMore(state, error) ? { error: report } : {}) };
    } finally {
      // Also where it failed: a part of it may have been done.
      this.#sessions.forgetStructures(connectionId);
      this.#onChange(connectionId);
    }
    this.#journal.end(entry);
    this.#notify();
  }

  async #take(entry: Entry, facet: OperationsFacet, connection: SavedConnection, signal: AbortSignal): Promise<void> {
    const { call, basis, checkpoint } = entry;
    requireBegunTarget(connection, entry.run);
    if (checkpoint !== undefined) requireWritable(connection);
    let notified = 0;
    const events = facet.run(call, { basis, signal, ...(checkpoint === undefined ? {} : { checkpoint }) });
    for await (const event of events) {
      signal.throwIfAborted();
      this.#apply(entry, event);
      const now = performance.now();
      if (event.type !== 'checkpoint' && now - notified < NOTIFY_EVERY) continue;
      notified = now;
      this.#notify();
    }
    if (entry.run.result === undefined) throw new DriverError('DRIVER_FAULT', 'The operation ended without a result.');
    entry.run = { ...entry.run, state: 'done', canResume: false };
  }

  #apply(entry: Entry, event: OperationEvent): void {
    const { run } = entry;
    switch (event.type) {
      case 'progress': {
        const { type: _type, ...progress } = event;
        entry.run = { ...run, progress };
        return;
      }
      case 'checkpoint':
        entry.checkpoint = event.checkpoint;
        this.#journal.reach(entry.run, event.checkpoint);
        return;
      case 'rejected': {
        const { row, message } = event;
        const rejections = run.rejections.length < MOST_REJECTIONS ? [...run.rejections, { row, message }] : run.rejections;
        entry.run = { ...run, rejected: run.rejected + 1, rejections };
        return;
      }
      case 'result': {
        const { type: _type, undo, ...result } = event;
        if (undo !== undefined) entry.undo = undo.call;
        const shown =
          undo === undefined ? {} : { undo: { label: undo.label, ...(undo.texts === undefined ? {} : { texts: undo.texts }) } };
        entry.run = { ...run, result: { ...result, ...shown } };
      }
    }
  }

  #get(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new HostError('INVALID_REQUEST', 'This operation is not on the list any more.');
    return entry;
  }

  #requireRoom(): void {
    if (this.#isStopping) throw new HostError('CANCELLED', 'The host is stopping.');
    const running = [...this.#entries.values()].filter(({ run }) => run.state === 'running').length;
    if (running < MOST_RUNNING) return;
    throw new HostError('INVALID_REQUEST', `${MOST_RUNNING} operations are running already.`, {
      details: { advice: 'Wait until one has ended, or cancel one.' },
    });
  }

  #forgetOld(): void {
    const ended = [...this.#entries.values()].filter(({ run }) => run.state !== 'running' && !run.canResume);
    for (const { run } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) {
      this.#entries.delete(run.id);
      this.#journal.remove(run.id);
    }
  }

  #notify(): void {
    const changed = this.#changed;
    this.#changed = Promise.withResolvers();
    changed.resolve();
  }
}

/** Whether the error is more than that a person cancelled: the server may continue. */
function saysMore(state: OperationRun['state'], error: unknown): boolean {
  return state === 'failed' || (isDriverError(error) && error.message !== DRIVER_ERRORS[error.code].sentence);
}

function requireBegunTarget(connection: SavedConnection, { target }: OperationRun): void {
  requireSameTarget(connection, target, 'this operation began', 'Start it again, or change the connection back and resume.');
}

function requireConfirmed({ basis, confirm, effect }: OperationPlan, shown: string, typed: string, label: string): void {
  if (basis !== shown) {
    throw new DriverError('CONFLICT', 'Nothing was changed: what you confirmed is no longer so.', {
      details: { advice: LOOK_AGAIN },
    });
  }
  // A driver whose destructive plan names nothing can't be confirmed.
  if (effect !== 'destructive' && confirm === undefined) return;
  if (confirm !== undefined && typed === confirm) return;
  throw new HostError('APPROVAL_REQUIRED', `${label}: the typed name isn't "${confirm ?? ''}", so nothing was changed.`, {
    details: { advice: `Type ${confirm ?? ''} to confirm.`, field: 'typedName' },
  });
}

function newRun(
  connectionId: string,
  { place, operation: id }: OperationCall,
  { label, texts }: { readonly label: string; readonly texts?: OperationRun['texts'] },
  { steps, affected }: OperationPlan,
): OperationRun {
  return {
    id: randomUUID(),
    connectionId,
    place,
    operation: id,
    label,
    ...(texts === undefined ? {} : { texts }),
    steps: steps.map((step) => ({ title: step.title, ...(step.texts === undefined ? {} : { texts: step.texts }) })),
    affected,
    state: 'running',
    startedAt: new Date().toISOString(),
    progress: { step: 0 },
    rejected: 0,
    rejections: [],
    canResume: false,
  };
}
