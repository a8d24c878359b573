import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RowCount, TableRef } from '@tabularium/sdk';
import { DriverError, hiddenCharacter } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type { ExportFormat, ExportRows, StartExport, TransferInfo } from '../../common/transfer.ts';
import { errorReport } from '../errors/errorReport.ts';
import type { Logger } from '../storage/logger.ts';
import type { OnWritten } from './exportRun.ts';
import { exportBatch, runTableExport, withNotice } from './exportRun.ts';
import { openFolder } from './openFolder.ts';
import { PartFile } from './partFile.ts';
import { TransferSpeed } from './transferSpeed.ts';
import { LOGGER } from '../storage/logger.ts';
import { Sessions } from '../data/sessions.ts';
import { UnfinishedFiles } from './unfinishedFiles.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';

/** Milliseconds between two tellings of how far the exports are. */
const NOTIFY_EVERY = 200;
/** The speed is measured at least this often, also when nothing comes. Milliseconds. */
const STALE_AFTER = 1_000;
/** Ended exports that stay on the list. */
const MOST_ENDED = 50;

interface Transfer {
  info: TransferInfo;
  /** The error of a failed export. */
  failure?: Error;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

type Work = (file: PartFile, signal: AbortSignal, onWritten: OnWritten) => Promise<void>;

/** Every export of this host, running or ended: the one list that all windows and commands see. */
export class Transfers implements AsyncDisposable {
  static readonly inject: Inject<typeof Transfers> = [Sessions, LOGGER, from([], () => undefined), UnfinishedFiles];

  readonly #sessions: Pick<Sessions, 'use'>;
  readonly #logger: Logger;
  readonly #unfinished: UnfinishedFiles | undefined;
  readonly #openFolder: (file: string) => Promise<void>;
  readonly #transfers = new Map<string, Transfer>();
  #changed = Promise.withResolvers<void>();

  constructor(
    sessions: Pick<Sessions, 'use'>,
    logger: Logger,
    open: (file: string) => Promise<void> = openFolder,
    unfinished?: UnfinishedFiles,
  ) {
    this.#unfinished = unfinished;
    this.#sessions = sessions;
    this.#logger = logger;
    this.#openFolder = open;
  }

  /**
   * Starts an export of the rows of a filter, read from the server again.
   *
   * @returns once the file could be opened; the export runs until it ends, is cancelled, or the host stops
   * @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE`, `INVALID_REQUEST`
   */
  async start(request: StartExport): Promise<TransferInfo> {
    const { connectionId, table, filter, columns, format, csv } = request;
    return this.#start(request, (file, signal, onWritten) =>
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
    );
  }

  /** Starts writing rows that the caller has. The same errors as {@link start}. */
  async startRows(request: ExportRows): Promise<TransferInfo> {
    const { columns, rows, format, csv } = request;
    return this.#start(request, (file, signal, onWritten) =>
      exportBatch(columns, rows, { file, format, csv, signal, onWritten }),
    );
  }

  /** A path that is free, in the folder where people look for what was downloaded. */
  async suggestFile(table: TableRef, format: ExportFormat): Promise<string> {
    const downloads = join(homedir(), 'Downloads');
    const folder = await stat(downloads).then(
      (entry) => (entry.isDirectory() ? downloads : homedir()),
      () => homedir(),
    );
    const name =
      [...table.name]
        .filter((character) => hiddenCharacter(character) === undefined)
        .join('')
        .replaceAll(/[^\p{L}\p{N} ._-]/gu, '_')
        .replace(/^\.+/, '_')
        .slice(0, 80) || 'export';
    for (let number = 1; ; number += 1) {
      const file = join(folder, `${name}${number === 1 ? '' : ` (${number})`}.${format}`);
      const taken = await stat(file).then(
        () => true,
        () => false,
      );
      if (!taken) return file;
    }
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

  /** The events of one export until it has ended. Ending the iteration leaves the export running. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<TransferInfo> {
    for await (const list of this.watch(signal)) {
      const info = list.find((one) => one.id === id);
      if (info === undefined) return;
      yield info;
      if (info.state !== 'running') return;
    }
  }

  /** Waits for the end of an export. @throws what it failed with */
  async outcome(id: string): Promise<TransferInfo> {
    const transfer = this.#get(id);
    await transfer.ended;
    if (transfer.failure !== undefined) throw transfer.failure;
    return transfer.info;
  }

  /** Stops an export and removes the unfinished file. One that has ended stays as it is. @throws HostError `INVALID_REQUEST` */
  async cancel(id: string): Promise<TransferInfo> {
    const transfer = this.#get(id);
    transfer.stopping.abort(new DriverError('CANCELLED'));
    await transfer.ended;
    return transfer.info;
  }

  /** Shows the file of an export that was made in its folder, with the program of the desktop. @throws HostError `INVALID_REQUEST` */
  async reveal(id: string): Promise<void> {
    const { file, state } = this.#get(id).info;
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
    if (this.#get(id).info.state === 'running') throw new HostError('INVALID_REQUEST', 'This export still runs.');
    this.#transfers.delete(id);
    this.#notify();
  }

  /** Stops them all; unfinished files are removed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#transfers.keys()].map((id) => this.cancel(id)));
  }

  async #start(
    request: {
      readonly connectionId: string;
      readonly table: TableRef;
      readonly format: ExportFormat;
      readonly file: string;
      readonly overwrite: boolean;
    },
    work: Work,
  ): Promise<TransferInfo> {
    const { connectionId, table, format, file, overwrite } = request;
    if (this.list().some((info) => info.state === 'running' && info.file === file)) {
      throw new HostError('FILE_EXISTS', `Another export is writing ${file}.`);
    }
    const part = await PartFile.open(file, overwrite, this.#unfinished);
    const stopping = new AbortController();
    const ended = Promise.withResolvers<void>();
    const transfer: Transfer = {
      stopping,
      ended: ended.promise,
      info: {
        id: randomUUID(),
        connectionId,
        table,
        format,
        file,
        state: 'running',
        startedAt: new Date().toISOString(),
        rows: 0,
        bytes: 0,
        bytesPerSecond: 0,
        milliseconds: 0,
      },
    };
    this.#transfers.set(transfer.info.id, transfer);
    this.#forgetOld();
    this.#notify();
    void this.#run(transfer, part, work).finally(ended.resolve);
    return transfer.info;
  }

  /** Never throws: how it ended is on the list. */
  async #run(transfer: Transfer, part: PartFile, work: Work): Promise<void> {
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
    // A stalled stream emits no event, and its last speed would be shown for ever.
    const watch = setInterval(() => {
      const now = performance.now();
      if (now - reported < STALE_AFTER) return;
      reported = now;
      update(speed.add(now, progress.bytes), now, {});
    }, STALE_AFTER).unref();
    let ending: Partial<TransferInfo> = { state: 'done' };
    try {
      await work(part, transfer.stopping.signal, onWritten);
    } catch (error) {
      transfer.failure = withNotice(error, await part.abandon());
      const report = errorReport(transfer.failure);
      if (report.code === 'INTERNAL') this.#logger.error('an export failed unexpectedly', error);
      ending = { state: transfer.stopping.signal.aborted ? 'cancelled' : 'failed', error: report };
    }
    clearInterval(watch);
    const now = performance.now();
    update(Math.round((progress.bytes * 1_000) / Math.max(1, now - began)), now, ending);
  }

  #get(id: string): Transfer {
    const transfer = this.#transfers.get(id);
    if (transfer === undefined) throw new HostError('INVALID_REQUEST', 'This export is not on the list any more.');
    return transfer;
  }

  #forgetOld(): void {
    const ended = [...this.#transfers.values()].filter(({ info }) => info.state !== 'running');
    for (const { info } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#transfers.delete(info.id);
  }

  #notify(): void {
    const changed = this.#changed;
    this.#changed = Promise.withResolvers();
    changed.resolve();
  }
}
