import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RowCount, RowsDifference, TableRef } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type {
  ExportFormat,
  ExportRows,
  StartExport,
  TransferDecision,
  TransferInfo,
  WindowExport,
} from '../../common/transfer.ts';
import { errorReport } from '../errors/errorReport.ts';
import type { ExportFile } from './exportFile.ts';
import type { Logger } from '../storage/logger.ts';
import type { OnWritten } from './exportRun.ts';
import { exportBatch, rowsDifferenceOf, runTableExport, withNotice } from './exportRun.ts';
import { ExportTurns } from './exportTurns.ts';
import { FileQuestion } from './fileQuestion.ts';
import type { DecidedFile, ExportQuestion } from './fileQuestion.ts';
import { openFolder } from './openFolder.ts';
import { PartFile } from './partFile.ts';
import { suggestFile } from './suggestFile.ts';
import { TransferSpeed } from './transferSpeed.ts';
import { loggerOf } from '../storage/logger.ts';
import { Sessions } from '../data/sessions.ts';
import { UndecidedFiles } from './undecidedFiles.ts';
import { UnfinishedFiles } from './unfinishedFiles.ts';
import { WindowFile, WindowFileQuestion } from './windowFile.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';

/** Milliseconds between two tellings of how far the exports are. */
const NOTIFY_EVERY = 200;
/** The speed is measured at least this often, also when nothing comes. Milliseconds. */
const STALE_AFTER = 1_000;
/** Ended exports that stay on the list. One that awaits a decision has not ended. */
const MOST_ENDED = 50;

interface Transfer {
  info: TransferInfo;
  /** The error of a failed export. */
  failure?: Error;
  /** While it is undecided. */
  question?: ExportQuestion;
  /** While a decision is carried out. */
  deciding?: Promise<unknown>;
  readonly stopping: AbortController;
  /** Resolves when nothing is written any more. */
  readonly written: PromiseWithResolvers<void>;
  /** Resolves when there is an outcome. */
  readonly ended: PromiseWithResolvers<void>;
}

/** The treatment of a file whose number of rows differs. */
interface Difference {
  readonly when: StartExport['whenRowsDiffer'];
  readonly asked: NonNullable<TransferInfo['asked']>;
}

type Work = (
  file: ExportFile,
  signal: AbortSignal,
  onWritten: OnWritten,
  onWaiting: (isWaiting: boolean) => void,
) => Promise<void>;

/** Every export of this host, running or ended: the one list that all windows and commands see. */
export class Transfers implements AsyncDisposable {
  static readonly inject: Inject<typeof Transfers> = [
    Sessions,
    loggerOf('exports'),
    from([], () => undefined),
    UnfinishedFiles,
    UndecidedFiles,
  ];

  readonly #sessions: Pick<Sessions, 'use'>;
  readonly #logger: Logger;
  readonly #unfinished: UnfinishedFiles | undefined;
  readonly #undecided: UndecidedFiles | undefined;
  readonly #openFolder: (file: string) => Promise<void>;
  readonly #transfers = new Map<string, Transfer>();
  readonly #turns = new ExportTurns();
  #changed = Promise.withResolvers<void>();

  constructor(
    sessions: Pick<Sessions, 'use'>,
    logger: Logger,
    open: (file: string) => Promise<void> = openFolder,
    unfinished?: UnfinishedFiles,
    undecided?: UndecidedFiles,
  ) {
    this.#unfinished = unfinished;
    this.#undecided = undecided;
    this.#sessions = sessions;
    this.#logger = logger;
    this.#openFolder = open;
  }

  /**
   * Starts an export of the rows of a filter, read from the server again.
   *
   * @param asked - who is asked where the request says so: `window`, any window of this host or a later one; `command`, somebody who is
   * gone with this host, and the file too
   * @returns once the file could be opened; the export runs until it ends, is cancelled, or the host stops
   * @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE`, `INVALID_REQUEST`
   */
  async start(request: StartExport, asked: Difference['asked'] = 'window'): Promise<TransferInfo> {
    return this.#start(request, this.#tableExport(request), { when: request.whenRowsDiffer, asked });
  }

  /**
   * Starts an export whose file a window saves. It ends with the window: a stream that is no longer read cancels it.
   *
   * @returns the content of the file, as fast as it is read; it breaks off when the export fails, is cancelled, or its file isn't kept
   */
  startInWindow(request: WindowExport): ReadableStream<Uint8Array> {
    const { connectionId, table, format, csv, name } = request;
    const transfer = newTransfer({ ...newInfo({ connectionId, table, format, file: name }), savedBy: 'window' });
    const file = new WindowFile(name, () => void this.#stop(transfer.info.id));
    const given = 'rows' in request ? request : undefined;
    const work: Work =
      given === undefined
        ? this.#tableExport(request as Exclude<WindowExport, { rows: unknown }>)
        : (to, signal, onWritten) => exportBatch(given.columns, given.rows, { file: to, format, csv, signal, onWritten });
    const when = 'whenRowsDiffer' in request ? request.whenRowsDiffer : 'fail';
    this.#begin(transfer, file, work, { when, asked: 'window', overwrite: true });
    return file.body;
  }

  /** Reads the rows of a filter from the server again. */
  #tableExport(request: Pick<StartExport, 'connectionId' | 'table' | 'filter' | 'columns' | 'format' | 'csv'>): Work {
    const { connectionId, table, filter, columns, format, csv } = request;
    return (file, signal, onWritten, onWaiting) =>
      this.#turns.inTurn(
        connectionId,
        signal,
        () =>
          this.#sessions.use(
            connectionId,
            async ({ session, manifest }) => {
              if (session.export === undefined)
                throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver exports nothing.`);
              const wanted = { table, filter, ...(columns === undefined ? {} : { columns }) };
              await runTableExport(session, session.export, wanted, { file, format, csv, signal, onWritten });
            },
            { signal },
          ),
        onWaiting,
      );
  }

  /** Called once at start: puts the questions of the last host on the list again. */
  async restore(): Promise<void> {
    for (const file of this.#undecided?.list() ?? []) {
      const failure = new DriverError('ROWS_DIFFER', undefined, {
        details: file.info.rowsDiffer === undefined ? {} : { rows: file.info.rowsDiffer },
      });
      const question = new FileQuestion(file, failure, this.#undecided);
      const transfer = newTransfer(file.info);
      transfer.written.resolve();
      transfer.question = question;
      this.#transfers.set(file.info.id, transfer);
      const settled = await question.settled();
      if (settled !== undefined) this.#end(transfer, settled);
    }
  }

  /** Starts writing rows that the caller has. The same errors as {@link start}. */
  async startRows(request: ExportRows): Promise<TransferInfo> {
    const { columns, rows, format, csv } = request;
    const work: Work = (file, signal, onWritten) => exportBatch(columns, rows, { file, format, csv, signal, onWritten });
    return this.#start(request, work, { when: 'fail', asked: 'window' });
  }

  /** See {@link suggestFile}. */
  async suggestFile(table: TableRef, format: ExportFormat): Promise<string> {
    return suggestFile(table, format);
  }

  /** Newest first. */
  list(): readonly TransferInfo[] {
    return [...this.#transfers.values()].map(({ info }) => info).toReversed();
  }

  /** The list, and again whenever it changed, a few times a second at most. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly TransferInfo[]> {
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

  /** The events of one export until it has ended, a decision about it included. Ending the iteration leaves the export running. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<TransferInfo> {
    for await (const list of this.watch(signal)) {
      const info = list.find((one) => one.id === id);
      if (info === undefined) return;
      yield info;
      if (!isOpen(info)) return;
    }
  }

  /** Waits for the end of an export, a decision about it included. @throws what it failed with */
  async outcome(id: string): Promise<TransferInfo> {
    const transfer = this.#get(id);
    await transfer.ended.promise;
    if (transfer.failure !== undefined) throw transfer.failure;
    return transfer.info;
  }

  /** Stops an export and removes the unfinished file. One that has ended or is undecided stays as it is. @throws HostError `INVALID_REQUEST` */
  async cancel(id: string): Promise<TransferInfo> {
    const transfer = this.#get(id);
    transfer.stopping.abort(new DriverError('CANCELLED'));
    await transfer.written.promise;
    return transfer.info;
  }

  /**
   * Keeps or deletes the file of an undecided export.
   *
   * @throws HostError `INVALID_REQUEST` when it was decided already; `FILE_EXISTS`, `FILE_UNWRITABLE` when it cannot get its name: it stays
   * undecided
   */
  async decide(id: string, decision: TransferDecision): Promise<TransferInfo> {
    const transfer = this.#get(id);
    while (transfer.deciding !== undefined) await transfer.deciding.catch(() => undefined);
    const { question } = transfer;
    if (question === undefined) throw new HostError('INVALID_REQUEST', 'This export needs no decision.');
    const deciding = question.decide(decision);
    transfer.deciding = deciding;
    try {
      this.#end(transfer, await deciding);
    } finally {
      delete transfer.deciding;
    }
    return transfer.info;
  }

  /** Shows the file of an export that was made in its folder, with the program of the desktop. @throws HostError `INVALID_REQUEST` */
  async reveal(id: string): Promise<void> {
    const { file, state, savedBy } = this.#get(id).info;
    if (savedBy === 'window') throw new HostError('INVALID_REQUEST', `A window saved ${file}; the folder is its browser's.`);
    if (state !== 'done') throw new HostError('INVALID_REQUEST', 'This export made no file.');
    try {
      await this.#openFolder(file);
    } catch (error) {
      throw new HostError('INVALID_REQUEST', `This computer has no program that opens folders. The file is ${file}.`, {
        cause: error,
      });
    }
  }

  /** Takes an ended export off the list. @throws HostError `INVALID_REQUEST` */
  clear(id: string): void {
    const { state } = this.#get(id).info;
    if (state === 'running') throw new HostError('INVALID_REQUEST', 'This export still runs.');
    if (state === 'undecided') throw new HostError('INVALID_REQUEST', 'Decide first whether to keep the file of this export.');
    this.#transfers.delete(id);
    this.#notify();
  }

  /** Stops them all; unfinished files are removed. What a window is asked is asked again by the next host. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [...this.#transfers].map(async ([id, transfer]) => {
        await this.cancel(id);
        if (transfer.question !== undefined && transfer.info.asked === 'command')
          await this.decide(id, 'delete').catch((error: unknown) =>
            this.#logger.warn(`an export stayed undecided: ${String(error)}`),
          );
      }),
    );
  }

  async #start(
    request: Pick<StartExport, 'connectionId' | 'table' | 'format' | 'file' | 'overwrite'>,
    work: Work,
    difference: Difference,
  ): Promise<TransferInfo> {
    const { connectionId, table, format, file, overwrite } = request;
    const other = this.list().find((info) => isOpen(info) && info.savedBy === undefined && info.file === file);
    if (other?.state === 'running') throw new HostError('FILE_EXISTS', `Another export is writing ${file}.`);
    if (other !== undefined) {
      throw new HostError('FILE_EXISTS', `An earlier export to ${file} awaits your decision.`, {
        details: { advice: 'Keep or delete its file first, or choose another name.' },
      });
    }
    const part = await PartFile.open(file, overwrite, this.#unfinished);
    const transfer = newTransfer(newInfo({ connectionId, table, format, file }));
    this.#begin(transfer, part, work, { ...difference, overwrite });
    return transfer.info;
  }

  #begin(
    transfer: Transfer,
    file: PartFile | WindowFile,
    work: Work,
    difference: Difference & { readonly overwrite: boolean },
  ): void {
    this.#transfers.set(transfer.info.id, transfer);
    this.#forgetOld();
    this.#notify();
    void this.#run(transfer, file, work, difference).finally(transfer.written.resolve);
  }

  /** The window of this export is gone. There is no other that could keep its file. */
  async #stop(id: string): Promise<void> {
    const { state } = await this.cancel(id);
    if (state !== 'undecided') return;
    await this.decide(id, 'delete').catch((error: unknown) => this.#logger.warn(`an export stayed undecided: ${String(error)}`));
  }

  /** Never throws: how it ended is on the list. */
  async #run(
    transfer: Transfer,
    part: PartFile | WindowFile,
    work: Work,
    difference: Difference & { readonly overwrite: boolean },
  ): Promise<void> {
    const began = performance.now();
    const speed = new TransferSpeed(began);
    let reported = began;
    let progress: { rows: number; bytes: number; expected?: RowCount | undefined } = { rows: 0, bytes: 0 };
    const update = (bytesPerSecond: number, now: number, more: Partial<TransferInfo>): void => {
      const { rows, bytes, expected } = progress;
      const milliseconds = Math.round(now - began);
      transfer.info = {
        ...transfer.info,
        rows,
        bytes,
        bytesPerSecond,
        milliseconds,
        ...(expected === undefined ? {} : { expected }),
        ...more,
      };
      this.#notify();
    };
    const onWritten: OnWritten = (written) => {
      progress = written;
      const now = performance.now();
      if (now - reported < NOTIFY_EVERY) return;
      reported = now;
      update(speed.add(now, written.bytes), now, {});
    };
    const onWaiting = (isWaiting: boolean): void => {
      const { isWaiting: _before, ...info } = transfer.info;
      transfer.info = isWaiting ? { ...info, isWaiting } : info;
      this.#notify();
    };
    // A stalled stream emits no event, and its last speed would be shown for ever.
    const watch = setInterval(() => {
      const now = performance.now();
      if (now - reported < STALE_AFTER) return;
      reported = now;
      update(speed.add(now, progress.bytes), now, {});
    }, STALE_AFTER).unref();
    let ending: Partial<TransferInfo> = { state: 'done' };
    let question: (() => ExportQuestion) | undefined;
    const { signal } = transfer.stopping;
    try {
      const different = await differenceAfter(
        () => work(part, signal, onWritten, onWaiting),
        (error) => (difference.when === 'fail' || signal.aborted ? undefined : rowsDifferenceOf(error, progress.rows)),
      );
      if (different === undefined || difference.when === 'keep') await part.finish();
      if (different !== undefined) ending = { state: 'done', rowsDiffer: different.rows };
      if (different !== undefined && difference.when === 'ask') {
        question = await this.#hold(transfer, part, different.error, difference.overwrite);
        transfer.failure = different.error;
        ending = { state: 'undecided', rowsDiffer: different.rows, asked: difference.asked };
      }
    } catch (error) {
      transfer.failure = withNotice(error, await part.abandon());
      const report = errorReport(transfer.failure);
      if (report.code === 'INTERNAL') this.#logger.error('an export failed unexpectedly', error);
      ending = { state: signal.aborted ? 'cancelled' : 'failed', error: report };
    }
    clearInterval(watch);
    // One that was cancelled before its turn waits no more.
    if (transfer.info.isWaiting === true) onWaiting(false);
    const now = performance.now();
    update(Math.round((progress.bytes * 1_000) / Math.max(1, now - began)), now, ending);
    if (question === undefined) transfer.ended.resolve();
    else transfer.question = question();
  }

  /** @returns the question, to be asked once the list says so */
  async #hold(
    transfer: Transfer,
    file: PartFile | WindowFile,
    failure: Error,
    overwrite: boolean,
  ): Promise<() => ExportQuestion> {
    if (file instanceof WindowFile) return () => new WindowFileQuestion(file, failure);
    const state = await file.hold();
    return () => {
      const held = { info: transfer.info, overwrite, state };
      const records = held.info.asked === 'window' ? this.#undecided : undefined;
      records?.add(held);
      return new FileQuestion(held, failure, records);
    };
  }

  /** The end of an undecided export. */
  #end(transfer: Transfer, decided: DecidedFile): void {
    delete transfer.question;
    const { asked: _asked, error: _error, ...info } = transfer.info;
    if (decided.isSaved) {
      delete transfer.failure;
      transfer.info = { ...info, state: 'done' };
    } else {
      transfer.failure = decided.failure;
      transfer.info = { ...info, state: 'failed', error: errorReport(decided.failure) };
    }
    transfer.ended.resolve();
    this.#notify();
  }

  #get(id: string): Transfer {
    const transfer = this.#transfers.get(id);
    if (transfer === undefined) throw new HostError('INVALID_REQUEST', 'This export is not on the list any more.');
    return transfer;
  }

  #forgetOld(): void {
    const ended = [...this.#transfers.values()].filter(({ info }) => !isOpen(info));
    for (const { info } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#transfers.delete(info.id);
  }

  #notify(): void {
    const changed = this.#changed;
    this.#changed = Promise.withResolvers();
    changed.resolve();
  }
}

/** Runs, or awaits a decision. */
function isOpen({ state }: TransferInfo): boolean {
  return state === 'running' || state === 'undecided';
}

function newInfo(of: Pick<TransferInfo, 'connectionId' | 'table' | 'format' | 'file'>): TransferInfo {
  return {
    id: randomUUID(),
    ...of,
    state: 'running',
    startedAt: new Date().toISOString(),
    rows: 0,
    bytes: 0,
    bytesPerSecond: 0,
    milliseconds: 0,
  };
}

function newTransfer(info: TransferInfo): Transfer {
  return { info, stopping: new AbortController(), written: Promise.withResolvers(), ended: Promise.withResolvers() };
}

/** Does some work; an error that a person may accept is returned, with its numbers. */
async function differenceAfter(
  work: () => Promise<void>,
  rowsOf: (error: unknown) => RowsDifference | undefined,
): Promise<{ readonly error: Error; readonly rows: RowsDifference } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const rows = rowsOf(error);
    if (rows === undefined || !(error instanceof Error)) throw error;
    return { error, rows };
  }
}
