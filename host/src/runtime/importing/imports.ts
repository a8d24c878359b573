import { mkdir, rm } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DriverError } from '@tabularium/sdk';
import type { ImportForm, PlannedChange } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type {
  ImportInfo,
  NewTableNamespaces,
  RowImportPreview,
  ImportSource,
  PlanTable,
  PreviewRowImport,
  ResumeImport,
  StartImport,
} from '../../common/imports.ts';
import { tableName } from '../../common/tableName.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import type { Inject } from '../container/inject.ts';
import { from } from '../container/inject.ts';
import { ON_TABLES_CHANGED } from '../data/onTablesChanged.ts';
import { Sessions } from '../data/sessions.ts';
import type { OpenSession } from '../data/sessions.ts';
import { errorReport } from '../errors/errorReport.ts';
import { refuseInDataDirectory } from '../storage/dataDirectory.ts';
import { HOME } from '../storage/home.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';
import { ExportTurns } from '../transfer/exportTurns.ts';
import { BegunImports, COPY_FORMAT } from './begunImports.ts';
import { changedTable, changesAtEnd, changesOf, tableIdentity } from './begunTable.ts';
import { changedFile } from './changedFile.ts';
import { uncertainRowsHaveKeys } from './hasKeys.ts';
import { ImportJournal } from './importJournal.ts';
import type { ImportRecord } from './importJournal.ts';
import { runImport } from './importRun.ts';
import { interrupted, isActive, isOver, newTableOf, uncertainAtEnd, uncertainOf } from './importState.ts';
import { namespacesOf, requireBegunTarget, tablesOf, useImport } from './importTarget.ts';
import { discardMadeTable } from './madeTable.ts';
import { previewImport } from './previewImport.ts';
import { readCopied } from './readCopied.ts';
import { sameFile } from './sameFile.ts';
import { SourceFile } from './sourceFile.ts';
import { sampleTable } from './tableSource.ts';
import type { TableSource } from './tableSource.ts';
import { Uploads } from './uploads.ts';

/** Milliseconds between two events about how far the imports are. */
const NOTIFY_EVERY = 200;
/** How long rows in flight may take to have their outcomes after an import was cancelled. Milliseconds. */
const CANCEL_AFTER = 5_000;
/** Ended imports that stay on the list. */
const MOST_ENDED = 50;

interface Beginning {
  /** Passes over the rows that may have been written. */
  readonly skipsUncertain: boolean;
  readonly isResumed: boolean;
}

interface Resumable {
  /** As it is now. */
  readonly file: ImportRecord['file'];
  /** Of the table as it is now. */
  readonly identity: string | undefined;
  readonly changed: Pick<ImportInfo, 'otherTable' | 'missing'>;
}

interface Running {
  record: ImportRecord;
  readonly stopping: AbortController;
  /** Stops the reading of a copy's rows. */
  readonly reading: AbortController;
  /** Stops between two parts. */
  wanted: 'go' | 'pause' | 'cancel';
  readonly ended: Promise<void>;
}

/** Every import of this data directory: the one list that all windows and commands see. */
export class Imports implements AsyncDisposable {
  static readonly inject: Inject<typeof Imports> = [
    Sessions,
    ImportJournal,
    Uploads,
    ON_TABLES_CHANGED,
    loggerOf('imports'),
    from([HOME], ({ folder }) => folder),
  ];

  readonly #sessions: Pick<Sessions, 'use' | 'forgetStructures'>;
  readonly #journal: ImportJournal;
  readonly #uploads: Uploads;
  readonly #onChange: (connectionId: string) => void;
  readonly #logger: Pick<Logger, 'warn' | 'error'>;
  readonly #home: string;
  readonly #begun: BegunImports;
  readonly #records = new Map<string, ImportRecord>();
  readonly #running = new Map<string, Running>();
  readonly #turns = new ExportTurns();
  #changed = Promise.withResolvers<void>();
  readonly #resuming = new Set<string>();
  readonly #cancelling = new Map<string, Promise<void>>();
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
    this.#begun = new BegunImports(sessions, uploads.folder, onChange);
  }

  /** Called once at start: puts the imports of the last host on the list again, those that ran as interrupted. */
  async restore(): Promise<void> {
    const needed = new Set<string>();
    for (const record of this.#journal.list()) {
      const { info } = record;
      const found = isActive(info) ? { ...record, info: interrupted(info, record.sent) } : record;
      this.#records.set(info.id, isActive(info) ? { ...found, info: { ...found.info, ...newTableOf(found) } } : found);
      needed.add(this.#rejectedPath(info.id));
      if (ownsFile(record) && record.unread !== true && !isOver(info)) needed.add(record.path);
    }
    await this.#uploads.sweep(needed);
  }

  /** The effect of an import, by its first rows. Nothing is written. @throws HostError `INVALID_REQUEST` for the file */
  async preview(request: PreviewRowImport, signal: AbortSignal): Promise<RowImportPreview> {
    const { source, format } = request;
    if (source.is === 'table') {
      const sample = await sampleTable(this.#sessions, source, signal);
      const rows = { file: sample.file, name: tableName(source.table), bytes: 0, format: COPY_FORMAT, sample };
      return previewImport(this.#sessions, request, request.mapping, rows, signal);
    }
    const mapping = request.mapping ?? this.#mappingOf(source);
    const { path, name } = await this.#sourceOf(source);
    await using file = await SourceFile.open(path);
    // Awaited here: the file is open until then.
    return await previewImport(this.#sessions, request, mapping, { file, name, bytes: file.bytes, format }, signal);
  }

  /** The namespaces in which a table can be made. @throws what {@link ImportFacet} throws */
  async namespaces(connectionId: string, signal: AbortSignal, within?: readonly string[]): Promise<NewTableNamespaces> {
    return useImport(this.#sessions, connectionId, signal, async ({ tables }, { namespaces }) =>
      namespacesOf(tables, signal, namespaces === undefined ? undefined : within),
    );
  }

  /** The requests that create a table for an import. @throws DriverError `UNSUPPORTED` and what {@link ImportFacet} throws */
  async planTable({ connectionId, table, definition }: PlanTable, signal: AbortSignal): Promise<PlannedChange> {
    return useImport(this.#sessions, connectionId, signal, async (facet) => tablesOf(facet).plan(table, definition, { signal }));
  }

  /**
   * Starts an import; the table is created first where the request has a definition.
   *
   * @returns once the file could be read; the import runs until it ends, is stopped, or the host stops
   * @throws HostError `INVALID_REQUEST`, `CONNECTION_READ_ONLY`, and what the driver throws
   */
  async start(request: StartImport, signal: AbortSignal): Promise<ImportInfo> {
    const { source } = request;
    await mkdir(this.#uploads.folder, { recursive: true, mode: 0o700 });
    const record =
      source.is === 'table'
        ? await this.#begun.copy(request, source, signal)
        : await this.#begun.file(
            request,
            { ...(await this.#sourceOf(source)), mapping: request.mapping ?? this.#mappingOf(source) },
            signal,
          );
    this.#journal.put(record);
    if (source.is === 'upload') this.#uploads.release(source.id);
    this.#begin(record, { skipsUncertain: false, isResumed: false });
    return record.info;
  }

  /**
   * Continues an import that was paused or interrupted.
   *
   * @throws HostError `INVALID_REQUEST` for one that runs or has ended, and where rows without a key may have been written: then the person decides
   */
  async resume({ id, uncertain, otherTable }: ResumeImport, signal: AbortSignal): Promise<ImportInfo> {
    const record = this.#get(id);
    const { state } = record.info;
    if (state !== 'paused' && state !== 'interrupted') throw new HostError('INVALID_REQUEST', 'This import needs no resuming.');
    // Another window may resume it while this one looks: both would send the same rows.
    if (this.#resuming.has(id)) throw new HostError('INVALID_REQUEST', 'This import is being resumed already.');
    if (this.#cancelling.has(id)) throw new HostError('INVALID_REQUEST', 'This import is being cancelled.');
    this.#resuming.add(id);
    let found: Resumable;
    try {
      found = await this.#requireResumable(record, { uncertain, otherTable }, signal);
    } finally {
      this.#resuming.delete(id);
    }
    // It was cancelled meanwhile.
    if (this.#get(id) !== record || this.#cancelling.has(id))
      throw new HostError('INVALID_REQUEST', 'This import needs no resuming.');
    const {
      error: _error,
      uncertain: _uncertain,
      newTable: _newTable,
      otherTable: _other,
      missing: _missing,
      ...info
    } = record.info;
    const resumed: ImportRecord = {
      ...record,
      file: found.file,
      ...(found.identity === undefined ? {} : { identity: found.identity }),
      info: { ...info, ...found.changed, state: record.unread === true ? 'reading' : 'running' },
    };
    this.#journal.put(resumed);
    this.#begin(resumed, { skipsUncertain: uncertain === 'skip', isResumed: true });
    return resumed.info;
  }

  /** @throws HostError, DriverError where it can't be resumed, the table is another one, or rows without a key would be doubled */
  async #requireResumable(
    record: ImportRecord,
    { uncertain, otherTable }: Omit<ResumeImport, 'id'>,
    signal: AbortSignal,
  ): Promise<Resumable> {
    const { connectionId, table, mode } = record.info;
    const file = await this.#requireSameFile(record, signal);
    return useImport(this.#sessions, connectionId, signal, async (facet, session, connection) => {
      requireBegunTarget(connection, record.target);
      requireWritable(connection);
      const form = await facet.form(table, { signal });
      const changed = await this.#requireBegunTable(record, form, session, otherTable, signal);
      const identity = await tableIdentity(session, table, signal);
      const repeated = form.modes.find((one) => one.id === mode)?.repeated;
      if (record.sent === 0 || uncertain !== undefined) return { file, identity, changed };
      if (repeated !== undefined && (await uncertainRowsHaveKeys(record, form.key, signal))) return { file, identity, changed };
      throw new HostError(
        'INVALID_REQUEST',
        `Up to ${record.sent} rows after row ${record.info.read} may have been written before the import stopped, and some have no ${form.key.join(', ') || 'key'}: written again, they would be doubled.`,
        {
          details: {
            advice:
              'Look at the table, then choose whether to send these rows again or to skip them (on the command line, --uncertain repeat or --uncertain skip).',
          },
        },
      );
    });
  }

  /**
   * The table must have the rows that were written, as far as that can be seen, unless the person continues without them.
   *
   * @returns the difference that the person accepted, now or before
   * @throws DriverError `CONFLICT`, and the import says it from then on
   */
  async #requireBegunTable(
    record: ImportRecord,
    form: ImportForm,
    session: OpenSession['session'],
    accepted: ResumeImport['otherTable'],
    signal: AbortSignal,
  ): Promise<Pick<ImportInfo, 'otherTable' | 'missing'>> {
    const { info } = record;
    const changed = await changesOf(record, form, session, signal);
    const isChanged = changed.otherTable !== undefined || changed.missing !== undefined;
    if (isChanged && accepted !== true) {
      const { otherTable: _other, missing: _missing, ...rest } = info;
      const marked: ImportRecord = { ...record, info: { ...rest, ...changed } };
      this.#journal.put(marked);
      this.#set(marked);
      throw changedTable(record, changed);
    }
    if (isChanged) return changed;
    return info.otherTable !== undefined && info.otherTable.now === record.identity ? { otherTable: info.otherTable } : {};
  }

  /**
   * A file that changed or is gone can't be continued: the import says so before it is begun, and is over.
   *
   * @returns the file as it is now
   */
  async #requireSameFile(record: ImportRecord, signal: AbortSignal): Promise<ImportRecord['file']> {
    const file = await sameFile(record, signal);
    if (file !== undefined) return file;
    const { info } = record;
    const error = changedFile(info, record.sent + (record.skipped ?? 0), 'before');
    const marked: ImportRecord = { ...record, info: { ...info, cannotResume: true, error: errorReport(error) } };
    this.#journal.put(marked);
    this.#set(marked);
    throw error;
  }

  /** Stops after the rows in flight; {@link resume} continues. @throws HostError `INVALID_REQUEST` */
  pause(id: string): ImportInfo {
    const running = this.#running.get(id);
    if (running === undefined) throw new HostError('INVALID_REQUEST', 'This import does not run.');
    if (running.wanted === 'go') running.wanted = 'pause';
    // Nothing is written yet: the rows are read again when it is resumed.
    running.reading.abort(new DriverError('CANCELLED'));
    running.record = { ...running.record, info: { ...running.record.info, state: 'pausing' } };
    this.#set(running.record);
    return running.record.info;
  }

  /** Ends an import. Rows that were written stay. One that has ended stays as it is. @throws HostError `INVALID_REQUEST` */
  async cancel(id: string): Promise<ImportInfo> {
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.wanted = 'cancel';
      running.reading.abort(new DriverError('CANCELLED'));
      const late = setTimeout(() => running.stopping.abort(new DriverError('CANCELLED')), CANCEL_AFTER).unref();
      await running.ended;
      clearTimeout(late);
    }
    const record = this.#get(id);
    if (isOver(record.info)) return record.info;
    // Its table may be removed: nothing resumes it meanwhile, and a second window waits for the same end.
    const ending = this.#cancelling.get(id) ?? this.#endCancelled(record);
    this.#cancelling.set(id, ending);
    try {
      await ending;
    } finally {
      this.#cancelling.delete(id);
    }
    return this.#get(id).info;
  }

  async #endCancelled(record: ImportRecord): Promise<void> {
    await this.#end({ ...record, info: { ...record.info, state: 'cancelled', ...uncertainAtEnd(record) } });
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
      if (!isActive(info)) return;
    }
  }

  /** Stops them all; the next host finds them interrupted. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    const reason = new HostError('CANCELLED', 'The host is stopping.');
    for (const { stopping, reading } of this.#running.values()) {
      reading.abort(reason);
      stopping.abort(reason);
    }
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  #begin(record: ImportRecord, how: Beginning): void {
    const { id } = record.info;
    const ended = Promise.withResolvers<void>();
    const running: Running = {
      record,
      stopping: new AbortController(),
      reading: new AbortController(),
      wanted: 'go',
      ended: ended.promise,
    };
    this.#running.set(id, running);
    this.#set(record);
    this.#forgetOld();
    void this.#run(running, how)
      .catch((error: unknown) => this.#logger.error('an import ended without an outcome', error))
      .finally(() => {
        this.#running.delete(id);
        ended.resolve();
        this.#notify();
      });
  }

  async #run(running: Running, { skipsUncertain, isResumed }: Beginning): Promise<void> {
    const { connectionId, id } = running.record.info;
    const stateNow = (): ImportInfo['state'] => (running.wanted === 'pause' ? 'pausing' : 'running');
    let ending: Partial<ImportInfo>;
    try {
      await this.#read(running);
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
      running.record = isWhole ? await this.#withChanges(record, isResumed, running.stopping.signal) : record;
      ending = { state: isWhole ? 'done' : running.wanted === 'cancel' ? 'cancelled' : 'paused' };
    } catch (error) {
      ending =
        running.wanted === 'cancel'
          ? { state: 'cancelled' }
          : running.wanted === 'pause' && running.record.unread === true
            ? { state: 'paused' }
            : { state: 'interrupted', ...(this.#isEnding ? {} : { error: errorReport(error), ...neverAgain(error) }) };
      if (errorReport(error).code === 'INTERNAL') this.#logger.error('an import failed unexpectedly', error);
    }
    const { record } = running;
    const { remainingMilliseconds: _left, reading: _reading, ...info } = record.info;
    const uncertain = ending.state === 'done' || ending.state === 'cancelled' ? uncertainAtEnd(record) : uncertainOf(record.sent);
    await this.#end({ ...record, info: { ...info, ...uncertain, ...ending, rowsPerSecond: averageOf(info) } });
    this.#sessions.forgetStructures(connectionId);
    this.#onChange(connectionId);
  }

  /** A table that was made again while rows were written, or while the import had stopped, lacks those that were there before. */
  async #withChanges(record: ImportRecord, isResumed: boolean, signal: AbortSignal): Promise<ImportRecord> {
    const { info } = record;
    if (info.written === 0 || (!isResumed && record.identity === undefined)) return record;
    const { missing: _missing, ...rest } = info;
    return { ...record, info: { ...rest, ...(await changesAtEnd(record, this.#sessions, signal)) } };
  }

  /** Reads the rows of a copy that are still to be read. */
  async #read(running: Running): Promise<void> {
    if (running.record.unread !== true) return;
    running.record = await readCopied(running.record, {
      sessions: this.#sessions,
      turns: this.#turns,
      onProgress: (reading) => this.#set({ ...running.record, info: { ...running.record.info, reading } }),
      signal: running.reading.signal,
    });
    this.#journal.put(running.record);
    this.#set(running.record);
  }

  async #end(ended: ImportRecord): Promise<void> {
    const record = await this.#withoutEmptyTable(ended);
    this.#set(record);
    try {
      this.#journal.put(record);
    } catch (error) {
      this.#logger.warn(`the end of an import was not recorded: ${String(error)}`);
    }
    if (ownsFile(record) && isOver(record.info)) await rm(record.path, { force: true });
  }

  /** An import that was cancelled before a row was written leaves no table behind, where it made the table. */
  async #withoutEmptyTable(record: ImportRecord): Promise<ImportRecord> {
    const { made, info } = record;
    if (made === undefined || info.written > 0) return record;
    const said = { ...record, info: { ...info, ...newTableOf(record) } };
    if (info.state !== 'cancelled') return said;
    try {
      const left = await discardMadeTable(this.#sessions, info, made, record.target);
      if (left === 'removed') {
        const { uncertain: _uncertain, ...rest } = info;
        this.#sessions.forgetStructures(info.connectionId);
        this.#onChange(info.connectionId);
        return { ...record, info: { ...rest, newTable: 'removed' } };
      }
      return left === 'used' ? record : said;
    } catch (error) {
      this.#logger.warn(`the empty table of an import was not removed: ${String(error)}`);
      return said;
    }
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

  async #sourceOf(source: Exclude<ImportSource, TableSource>): Promise<{ readonly path: string; readonly name: string }> {
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

/** A file of the data directory that is removed with the import. */
function ownsFile({ source }: ImportRecord): boolean {
  return source.is === 'upload' || source.is === 'table';
}

/** A file that changed, is damaged or grows too much fails each further run as well. */
function neverAgain(error: unknown): Pick<ImportInfo, 'cannotResume'> {
  return error instanceof HostError && error.code === 'INVALID_REQUEST' ? { cannotResume: true } : {};
}

function averageOf({ read, milliseconds }: ImportInfo): number {
  return milliseconds === 0 ? 0 : Math.round((read * 1_000) / milliseconds);
}
