import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DriverError, isDriverError } from '@tabularium/sdk';
import type { Column, ImportFacet, ImportForm, PlannedChange } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type {
  ImportInfo,
  RowImportPreview,
  ImportSource,
  PlanTable,
  PreviewRowImport,
  ResumeImport,
  StartImport,
} from '../../common/imports.ts';
import type { SavedConnection } from '../../common/connection.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import type { Inject } from '../container/inject.ts';
import { from } from '../container/inject.ts';
import { ON_TABLES_CHANGED } from '../data/onTablesChanged.ts';
import { Sessions } from '../data/sessions.ts';
import type { OpenSession } from '../data/sessions.ts';
import { errorReport } from '../errors/errorReport.ts';
import { refuseInDataDirectory } from '../storage/dataDirectory.ts';
import { HOME } from '../storage/home.ts';
import { LOGGER } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';
import { ExportTurns } from '../transfer/exportTurns.ts';
import { uncertainRowsHaveKeys } from './hasKeys.ts';
import { ImportJournal } from './importJournal.ts';
import type { ImportRecord } from './importJournal.ts';
import { runImport } from './importRun.ts';
import { prepareSource, resolvedFields } from './prepareSource.ts';
import { previewOf, sampleDocuments } from './previewOf.ts';
import { SourceFile } from './sourceFile.ts';
import { Uploads } from './uploads.ts';

/** Milliseconds between two events about how far the imports are. */
const NOTIFY_EVERY = 200;
/** How long rows in flight may take to have their outcomes after an import was cancelled. Milliseconds. */
const CANCEL_AFTER = 5_000;
/** Ended imports that stay on the list. */
const MOST_ENDED = 50;

interface Running {
  record: ImportRecord;
  readonly stopping: AbortController;
  /** Stops between two parts. */
  wanted: 'go' | 'pause' | 'cancel';
  readonly ended: Promise<void>;
}

type Session = OpenSession['session'];

/** Every import of this data directory: the one list that all windows and commands see. */
export class Imports implements AsyncDisposable {
  static readonly inject: Inject<typeof Imports> = [
    Sessions,
    ImportJournal,
    Uploads,
    ON_TABLES_CHANGED,
    LOGGER,
    from([HOME], ({ folder }) => folder),
  ];

  readonly #sessions: Pick<Sessions, 'use' | 'forgetStructures'>;
  readonly #journal: ImportJournal;
  readonly #uploads: Uploads;
  readonly #onChange: (connectionId: string) => void;
  readonly #logger: Pick<Logger, 'warn' | 'error'>;
  readonly #home: string;
  readonly #records = new Map<string, ImportRecord>();
  readonly #running = new Map<string, Running>();
  readonly #turns = new ExportTurns();
  #changed = Promise.withResolvers<void>();
  #isEnding = false;

  constructor(
    sessions: Pick<Sessions, 'use' | 'forgetStructures'>,
    journal: ImportJournal,
    uploads: Uploads,
    onChange: (connectionId: string) => void,
    logger: Pick<Logger, 'warn' | 'error'>,
    home: string,
  ) {
    this.#sessions = sessions;
    this.#journal = journal;
    this.#uploads = uploads;
    this.#onChange = onChange;
    this.#logger = logger;
    this.#home = home;
  }

  /** Called once at start: puts the imports of the last host on the list again, those that ran as interrupted. */
  async restore(): Promise<void> {
    const needed = new Set<string>();
    for (const record of this.#journal.list()) {
      const { info } = record;
      const isCut = info.state === 'running' || info.state === 'pausing';
      this.#records.set(info.id, isCut ? { ...record, info: interrupted(info, record.sent) } : record);
      needed.add(this.#rejectedPath(info.id));
      if (record.source.is === 'upload' && !isOver(info)) needed.add(record.path);
    }
    await this.#uploads.sweep(needed);
  }

  /** The effect of an import, by the first rows of its file. Nothing is written. @throws HostError `INVALID_REQUEST` for the file */
  async preview(request: PreviewRowImport, signal: AbortSignal): Promise<RowImportPreview> {
    const { connectionId, table, source, format, mode, create } = request;
    const mapping = request.mapping ?? this.#mappingOf(source);
    const { path, name } = this.#sourceOf(source);
    await using file = await SourceFile.open(path);
    // Awaited here: the file is open until then.
    return await this.#use(connectionId, signal, async (facet, session) => {
      const form = create ? undefined : await facet.form(table, { signal });
      const columns: readonly Column[] = create ? [] : await columnsOf(session, request, signal);
      const prepared = await prepareSource(file, format, columns, signal);
      const definition = async (): Promise<{ definition?: string }> => {
        if (!create || facet.tables === undefined) return {};
        const rows = sampleDocuments(prepared, mapping);
        return rows.length === 0 ? {} : { definition: await facet.tables.propose(table, rows, { signal }) };
      };
      const target = form === undefined ? undefined : { table, mode: modeOf(form, mode) };
      return {
        name,
        bytes: file.bytes,
        format: prepared.format,
        columns: columns.map((column) => column.name),
        ...(form === undefined ? {} : { form }),
        ...(await previewOf(
          prepared,
          mapping,
          target === undefined ? undefined : (rows) => facet.check(target, rows, { signal }),
        )),
        ...(await definition()),
      };
    });
  }

  /** The requests that create a table for an import. @throws DriverError `UNSUPPORTED` and what {@link ImportFacet} throws */
  async planTable({ connectionId, table, definition }: PlanTable, signal: AbortSignal): Promise<PlannedChange> {
    return this.#use(connectionId, signal, async (facet) => tablesOf(facet).plan(table, definition, { signal }));
  }

  /**
   * Starts an import; the table is created first where the request has a definition.
   *
   * @returns once the file could be read; the import runs until it ends, is stopped, or the host stops
   * @throws HostError `INVALID_REQUEST`, `CONNECTION_READ_ONLY`, and what the driver throws
   */
  async start(request: StartImport, signal: AbortSignal): Promise<ImportInfo> {
    const { connectionId, table, source, format, definition } = request;
    const mapping = request.mapping ?? this.#mappingOf(source);
    const { path, name } = this.#sourceOf(source);
    await mkdir(this.#uploads.folder, { recursive: true, mode: 0o700 });
    await using file = await SourceFile.open(path);
    const record = await this.#use(connectionId, signal, async (facet, session, connection): Promise<ImportRecord> => {
      requireWritable(connection);
      if (definition !== undefined) {
        const { effect } = await tablesOf(facet).plan(table, definition, { signal });
        requireWritable(connection, effect);
        await this.#changing(connectionId, () => tablesOf(facet).create(table, definition, { signal }));
      }
      const form = await facet.form(table, { signal });
      const columns = await columnsOf(session, request, signal);
      const prepared = await prepareSource(file, format, columns, signal);
      const fields = resolvedFields(prepared, mapping);
      const info = newInfo({ connectionId, table, name, mode: modeOf(form, request.mode), totalBytes: file.bytes });
      const { names, start } = prepared;
      return {
        info,
        source,
        path,
        file: file.state,
        format: prepared.format,
        names,
        ...(fields === undefined ? {} : { fields }),
        place: start,
        rejectedBytes: 0,
        sent: 0,
      };
    });
    this.#journal.put(record);
    if (source.is === 'upload') this.#uploads.release(source.id);
    this.#begin(record, false);
    return record.info;
  }

  /**
   * Continues an import that was paused or interrupted.
   *
   * @throws HostError `INVALID_REQUEST` for one that runs or has ended, and where rows without a key may have been written: then the person decides
   */
  async resume({ id, uncertain }: ResumeImport, signal: AbortSignal): Promise<ImportInfo> {
    const record = this.#get(id);
    const { connectionId, table, mode, state } = record.info;
    if (state !== 'paused' && state !== 'interrupted') throw new HostError('INVALID_REQUEST', 'This import needs no resuming.');
    await this.#use(connectionId, signal, async (facet, _session, connection) => {
      requireWritable(connection);
      const form = await facet.form(table, { signal });
      const repeated = form.modes.find((one) => one.id === mode)?.repeated;
      if (record.sent === 0 || uncertain !== undefined) return;
      if (repeated !== undefined && (await uncertainRowsHaveKeys(record, form.key, signal))) return;
      throw new HostError(
        'INVALID_REQUEST',
        `Up to ${record.sent} rows after row ${record.info.read} may have been written before the import stopped, and some have no ${form.key.join(', ') || 'key'}: written again, they would be doubled.`,
        { details: { advice: 'Look at the table, then choose whether to send these rows again or to skip them.' } },
      );
    });
    const { error: _error, uncertain: _uncertain, ...info } = record.info;
    const skips = uncertain === 'skip';
    const resumed: ImportRecord = { ...record, info: { ...info, state: 'running' } };
    this.#journal.put(resumed);
    this.#begin(resumed, skips);
    return resumed.info;
  }

  /** Stops after the rows in flight; {@link resume} continues. @throws HostError `INVALID_REQUEST` */
  pause(id: string): ImportInfo {
    const running = this.#running.get(id);
    if (running === undefined) throw new HostError('INVALID_REQUEST', 'This import does not run.');
    if (running.wanted === 'go') running.wanted = 'pause';
    running.record = { ...running.record, info: { ...running.record.info, state: 'pausing' } };
    this.#set(running.record);
    return running.record.info;
  }

  /** Ends an import. Rows that were written stay. One that has ended stays as it is. @throws HostError `INVALID_REQUEST` */
  async cancel(id: string): Promise<ImportInfo> {
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.wanted = 'cancel';
      const late = setTimeout(() => running.stopping.abort(new DriverError('CANCELLED')), CANCEL_AFTER).unref();
      await running.ended;
      clearTimeout(late);
    }
    const record = this.#get(id);
    if (isOver(record.info)) return record.info;
    await this.#end({ ...record, info: { ...record.info, state: 'cancelled', ...uncertainOf(record.sent) } });
    return this.#get(id).info;
  }

  /** Takes an ended import off the list, with its file of rejected rows. @throws HostError `INVALID_REQUEST` */
  async clear(id: string): Promise<void> {
    const { info } = this.#get(id);
    if (!isOver(info)) throw new HostError('INVALID_REQUEST', 'This import has not ended. Cancel it first.');
    const path = this.#rejectedPath(id);
    if ([...this.#records.values()].some((other) => !isOver(other.info) && other.path === path))
      throw new HostError('INVALID_REQUEST', 'Another import reads the rejected rows of this one.');
    this.#records.delete(id);
    this.#journal.remove(id);
    await rm(path, { force: true });
    this.#notify();
  }

  /** Whether an import reads a file. */
  isOf(id: string, path: string): boolean {
    const record = this.#records.get(id);
    return record?.source.is === 'file' && record.path === path;
  }

  /** Newest first. */
  list(): readonly ImportInfo[] {
    return [...this.#records.values()].map(({ info }) => info).toReversed();
  }

  /** The list, and again whenever it changed, a few times a second at most. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly ImportInfo[]> {
    const gone = Promise.withResolvers<void>();
    const leave = (): void => gone.resolve();
    signal.addEventListener('abort', leave);
    try {
      while (!signal.aborted) {
        const changed = this.#changed.promise;
        yield this.list();
        await Promise.race([changed, gone.promise]);
        if (!signal.aborted) await delay(NOTIFY_EVERY, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** The events of one import until it stops. Ending the iteration leaves it running. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<ImportInfo> {
    for await (const list of this.watch(signal)) {
      const info = list.find((one) => one.id === id);
      if (info === undefined) return;
      yield info;
      if (info.state !== 'running' && info.state !== 'pausing') return;
    }
  }

  /** Stops them all; the next host finds them interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    const reason = new HostError('CANCELLED', 'The host is stopping.');
    for (const { stopping } of this.#running.values()) stopping.abort(reason);
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #begin(record: ImportRecord, skipsUncertain: boolean): void {
    const { id } = record.info;
    const ended = Promise.withResolvers<void>();
    const running: Running = { record, stopping: new AbortController(), wanted: 'go', ended: ended.promise };
    this.#running.set(id, running);
    this.#set(record);
    this.#forgetOld();
    void this.#run(running, skipsUncertain)
      .catch((error: unknown) => this.#logger.error('an import ended without an outcome', error))
      .finally(() => {
        this.#running.delete(id);
        ended.resolve();
        this.#notify();
      });
  }

  async #run(running: Running, skipsUncertain: boolean): Promise<void> {
    const { connectionId, id } = running.record.info;
    const stateNow = (): ImportInfo['state'] => (running.wanted === 'pause' ? 'pausing' : 'running');
    let ending: Partial<ImportInfo>;
    try {
      const { record, isWhole } = await runImport(running.record, {
        sessions: this.#sessions,
        turns: this.#turns,
        rejectedPath: this.#rejectedPath(id),
        keep: (saved) => {
          running.record = { ...saved, info: { ...saved.info, state: stateNow() } };
          this.#journal.put(running.record);
          this.#records.set(id, running.record);
        },
        onProgress: (info) => this.#set({ ...running.record, info: { ...info, state: stateNow() } }),
        isStopping: () => running.wanted !== 'go',
        skipsUncertain,
        signal: running.stopping.signal,
      });
      running.record = record;
      ending = { state: isWhole ? 'done' : running.wanted === 'cancel' ? 'cancelled' : 'paused' };
    } catch (error) {
      ending =
        running.wanted === 'cancel'
          ? { state: 'cancelled' }
          : { state: 'interrupted', ...(this.#isEnding ? {} : { error: errorReport(error) }) };
      if (errorReport(error).code === 'INTERNAL') this.#logger.error('an import failed unexpectedly', error);
    }
    const { record } = running;
    const { remainingMilliseconds: _left, ...info } = record.info;
    const uncertain = ending.state === 'done' ? {} : uncertainOf(record.sent);
    await this.#end({ ...record, info: { ...info, ...uncertain, ...ending, rowsPerSecond: averageOf(info) } });
    this.#sessions.forgetStructures(connectionId);
    this.#onChange(connectionId);
  }

  async #end(record: ImportRecord): Promise<void> {
    this.#set(record);
    try {
      this.#journal.put(record);
    } catch (error) {
      this.#logger.warn(`the end of an import was not recorded: ${String(error)}`);
    }
    if (record.source.is === 'upload' && isOver(record.info)) await rm(record.path, { force: true });
  }

  #set(record: ImportRecord): void {
    this.#records.set(record.info.id, record);
    this.#notify();
  }

  #get(id: string): ImportRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new HostError('INVALID_REQUEST', 'This import is not on the list any more.');
    return record;
  }

  #sourceOf(source: ImportSource): { readonly path: string; readonly name: string } {
    switch (source.is) {
      case 'file':
        if (!isAbsolute(source.path)) throw new HostError('INVALID_REQUEST', `"${source.path}" is not an absolute path.`);
        refuseInDataDirectory(source.path, this.#home);
        return { path: source.path, name: basename(source.path) };
      case 'upload':
        return this.#uploads.whole(source.id);
      case 'rejected': {
        const { info } = this.#get(source.id);
        if (info.rejectedFile === undefined) throw new HostError('INVALID_REQUEST', 'This import rejected no rows.');
        if (!isOver(info)) throw new HostError('INVALID_REQUEST', 'This import has not ended.');
        return { path: this.#rejectedPath(source.id), name: info.name };
      }
    }
  }

  /** Rejected rows have the names of the file that they come from, so its mapping fits. */
  #mappingOf(source: ImportSource): ImportRecord['fields'] {
    return source.is === 'rejected' ? this.#get(source.id).fields : undefined;
  }

  #rejectedPath(id: string): string {
    return join(this.#uploads.folder, `${id}.rejected.jsonl`);
  }

  async #changing(connectionId: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } finally {
      this.#sessions.forgetStructures(connectionId);
      this.#onChange(connectionId);
    }
  }

  async #use<T>(
    connectionId: string,
    signal: AbortSignal,
    work: (facet: ImportFacet, session: Session, connection: SavedConnection) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest, connection }) => {
        if (session.import !== undefined) return work(session.import, session, connection);
        throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver imports nothing.`);
      },
      { signal },
    );
  }

  #forgetOld(): void {
    const ended = [...this.#records.values()].filter(({ info }) => isOver(info));
    for (const { info } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) {
      this.clear(info.id).catch((error: unknown) => this.#logger.warn(`an ended import was not removed: ${String(error)}`));
    }
  }

  #notify(): void {
    const changed = this.#changed;
    this.#changed = Promise.withResolvers();
    changed.resolve();
  }
}

function isOver({ state }: ImportInfo): boolean {
  return state === 'done' || state === 'cancelled';
}

function interrupted(info: ImportInfo, sent: number): ImportInfo {
  return { ...info, state: 'interrupted', ...uncertainOf(sent) };
}

function uncertainOf(sent: number): { readonly uncertain?: number } {
  return sent === 0 ? {} : { uncertain: sent };
}

function averageOf({ read, milliseconds }: ImportInfo): number {
  return milliseconds === 0 ? 0 : Math.round((read * 1_000) / milliseconds);
}

function newInfo(of: Pick<ImportInfo, 'connectionId' | 'table' | 'name' | 'mode' | 'totalBytes'>): ImportInfo {
  return {
    id: randomUUID(),
    ...of,
    state: 'running',
    startedAt: new Date().toISOString(),
    read: 0,
    written: 0,
    rejected: 0,
    bytes: 0,
    rowsPerSecond: 0,
    milliseconds: 0,
    reasons: [],
  };
}

/** @throws HostError `INVALID_REQUEST` for a mode that there is not */
function modeOf({ modes }: ImportForm, wanted: string | undefined): string {
  const found = wanted === undefined ? modes[0] : modes.find(({ id }) => id === wanted);
  if (found !== undefined) return found.id;
  throw new HostError(
    'INVALID_REQUEST',
    `There is no mode “${wanted ?? ''}”. There are ${modes.map(({ id }) => id).join(', ')}.`,
  );
}

function tablesOf({ tables }: ImportFacet): NonNullable<ImportFacet['tables']> {
  if (tables !== undefined) return tables;
  throw new DriverError('UNSUPPORTED', 'This driver creates no tables for an import.');
}

/** Credentials that may write rows and not read the structure import all the same. */
async function columnsOf(
  session: Session,
  { table }: Pick<StartImport, 'table'>,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  try {
    return (await session.describeTable(table, { signal })).columns;
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return [];
    throw error;
  }
}
