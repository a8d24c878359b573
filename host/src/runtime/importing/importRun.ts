import { DriverError } from '@tabularium/sdk';
import type { RowOutcome } from '@tabularium/sdk';
import type { ImportInfo } from '../../common/imports.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import type { Sessions } from '../data/sessions.ts';
import { isUnchanged } from '../transfer/fileIdentity.ts';
import { TransferSpeed } from '../transfer/transferSpeed.ts';
import type { ExportTurns } from '../transfer/exportTurns.ts';
import { changedFile } from './changedFile.ts';
import type { ImportRecord } from './importJournal.ts';
import type { ImportPart } from './importPart.ts';
import { importParts } from './importParts.ts';
import { requireBegunTarget } from './importTarget.ts';
import { RejectedFile } from './rejectedFile.ts';
import type { ReadStretch } from './readStretch.ts';
import { RowMapping } from './rowMapping.ts';
import { stretchOf } from './sameContent.ts';
import { sendPart } from './sendPart.ts';
import { SourceFile } from './sourceFile.ts';

/** Reasons that are shown without the file of rejected rows. */
const SHOWN_REASONS = 20;
/** Characters of one of them. */
const LONGEST_REASON = 500;

/** Below these, the speed so far says nothing about the rest. */
const LEAST_MILLISECONDS = 2_000;
const LEAST_SHARE = 0.02;

interface RunOptions {
  readonly sessions: Pick<Sessions, 'use'>;
  readonly turns: ExportTurns;
  readonly rejectedPath: string;
  /** Keeps the record, so that a later run continues there. */
  readonly keep: (record: ImportRecord) => void;
  /** Called often, with the numbers as they are. */
  readonly onProgress: (info: ImportRecord['info']) => void;
  /** Whether to stop between two parts. */
  readonly isStopping: () => boolean;
  /** Passes over the rows that may have been written. */
  readonly skipsUncertain: boolean;
  readonly signal: AbortSignal;
}

/**
 * Imports from the place of a record to the end of its file, or until it is to stop. Two parts are in memory: one is read while the other is sent.
 *
 * @returns the record at the end, and whether the file ended
 * @throws DriverError, HostError where the rest could not be written; the last record that was kept says where
 */
export async function runImport(
  record: ImportRecord,
  options: RunOptions,
): Promise<{ readonly record: ImportRecord; readonly isWhole: boolean }> {
  await using file = await SourceFile.open(record.path);
  if (!isUnchanged(file.state, record.file)) {
    throw changedFile(record.info, record.sent + (record.skipped ?? 0), 'before');
  }
  await using rejected = new RejectedFile(options.rejectedPath, record.rejectedBytes);
  await rejected.begin();
  // Awaited here: the files are open until then.
  const before = record.stretches ?? (await headOf(record, file, options.signal));
  return await new Run({ ...record, stretches: before }, file, rejected, options).toEnd();
}

/** The bytes before the first row, such as the names of the columns: without them the rows mean something else. */
async function headOf({ format, place }: ImportRecord, file: SourceFile, signal: AbortSignal): Promise<readonly ReadStretch[]> {
  const head = format.gzip ? undefined : await stretchOf(file, 0, place.offset, signal);
  return head === undefined ? [] : [head];
}

class Run {
  #record: ImportRecord;
  readonly #file: SourceFile;
  readonly #rejected: RejectedFile;
  readonly #options: RunOptions;
  readonly #began = performance.now();
  readonly #speed: TransferSpeed;
  readonly #before: number;
  readonly #readBefore: number;
  #read: number;
  #written: number;
  #rejectedRows: number;
  #reasons: ImportInfo['reasons'][number][];
  /** Rows of the first part that may be there already, by the run before. */
  #doubtful: number;
  /** Rows that may have been written, and are passed over. */
  readonly #skipped: number;
  /** By the runs before. */
  readonly #skippedBefore: number;
  /** Bytes of the file whose rows have an outcome, and those of the part that is sent now with its rows. */
  #bytes: number;
  #sending: { readonly bytes: number; readonly rows: number; readonly readBefore: number } | undefined;
  /** Of the runs before. */
  readonly #stretches: readonly ReadStretch[];

  constructor(record: ImportRecord, file: SourceFile, rejected: RejectedFile, options: RunOptions) {
    this.#record = record;
    this.#file = file;
    this.#rejected = rejected;
    this.#options = options;
    this.#speed = new TransferSpeed(this.#began);
    this.#before = record.info.milliseconds;
    this.#read = record.info.read;
    this.#readBefore = record.info.read;
    this.#written = record.info.written;
    this.#rejectedRows = record.info.rejected;
    this.#bytes = record.info.bytes;
    this.#reasons = [...record.info.reasons];
    this.#doubtful = options.skipsUncertain ? 0 : record.sent;
    this.#skipped = options.skipsUncertain ? record.sent : 0;
    this.#skippedBefore = record.skipped ?? 0;
    this.#stretches = record.stretches ?? [];
  }

  async toEnd(): Promise<{ readonly record: ImportRecord; readonly isWhole: boolean }> {
    const { format, names, fields, place } = this.#record;
    const { signal, isStopping } = this.#options;
    const mapping = new RowMapping(format, names, fields);
    this.#read += this.#skipped;
    const parts = importParts(this.#file, format, mapping, place, this.#skipped, signal);
    try {
      let coming = ahead(parts);
      for (;;) {
        if (isStopping()) return { record: this.#record, isWhole: false };
        const { done, value: part } = await coming;
        if (done === true) break;
        coming = ahead(parts);
        await this.#send(part);
      }
      await this.#assertUnchanged();
      this.#bytes = this.#file.bytesRead;
      // A run that began in the middle has not seen every row.
      const unmet = this.#readBefore === 0 ? [...mapping.unmet].slice(0, SHOWN_REASONS) : [];
      const info = { ...this.#info(), ...(unmet.length === 0 ? {} : { unmet }) };
      return { record: { ...this.#record, ...this.#skippedSoFar(), info, sent: 0 }, isWhole: true };
    } finally {
      await parts.return(undefined).catch(() => undefined);
    }
  }

  /** A file that was shortened in the meantime ends like one that was read whole. */
  async #assertUnchanged(): Promise<void> {
    if (isUnchanged(await this.#file.current(), this.#record.file)) return;
    throw changedFile(this.#info(), this.#skippedBefore + this.#skipped, 'during');
  }

  async #send(part: ImportPart): Promise<void> {
    const { sessions, turns, keep, signal } = this.#options;
    const { connectionId, table, mode } = this.#record.info;
    const rows = part.rows + part.unfit.length;
    this.#sending = { bytes: part.bytesRead, rows, readBefore: this.#read };
    // Where rows were skipped the part begins behind them: what is in doubt from now on is this part only.
    this.#record = {
      ...this.#record,
      ...this.#skippedSoFar(),
      info: { ...this.#record.info, read: this.#read },
      place: part.start,
      ...this.#readSoFar(),
      sent: Math.max(rows, this.#doubtful),
    };
    keep(this.#record);
    // In the order of the file, with those that the server rejects between them.
    let unfit = 0;
    const rejectUnfit = async (before: number): Promise<void> => {
      for (let row = part.unfit[unfit]; row !== undefined && row.line < before; row = part.unfit[unfit]) {
        unfit += 1;
        await this.#reject(row);
      }
    };
    const onOutcome = async (index: number, outcome: RowOutcome): Promise<void> => {
      if (unfit < part.unfit.length) await rejectUnfit(part.lineOf(index));
      if (outcome.outcome === 'written' || (outcome.present === true && index < this.#doubtful)) {
        this.#read += 1;
        this.#written += 1;
      } else await this.#reject(part.rejected(index, outcome.message, outcome.texts));
      if ((index & 0x3ff) === 0) this.#notify();
    };
    const onWritten = async (from: number, count: number): Promise<void> => {
      if (part.unfit.length > 0)
        for (let index = from; index < from + count; index += 1) await onOutcome(index, { outcome: 'written' });
      else {
        this.#read += count;
        this.#written += count;
        this.#notify();
      }
    };
    await turns.inTurn(connectionId, signal, () =>
      sessions.use(
        connectionId,
        async ({ session, connection, manifest }) => {
          requireBegunTarget(connection, this.#record.target);
          requireWritable(connection);
          if (session.import === undefined)
            throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver imports nothing.`);
          await sendPart(session, session.import, { table, mode }, part, onOutcome, signal, onWritten);
        },
        { signal },
      ),
    );
    await rejectUnfit(Infinity);
    part.release();
    await this.#rejected.flush();
    this.#doubtful = Math.max(0, this.#doubtful - rows);
    this.#bytes = Math.max(this.#bytes, part.bytesRead);
    this.#sending = undefined;
    this.#record = {
      ...this.#record,
      info: this.#info(),
      place: part.next,
      rejectedBytes: this.#rejected.bytes,
      ...this.#readSoFar(),
      sent: this.#doubtful,
    };
    keep(this.#record);
    this.#notify();
  }

  #skippedSoFar(): Pick<ImportRecord, 'skipped'> {
    const skipped = this.#skippedBefore + this.#skipped;
    return skipped === 0 ? {} : { skipped };
  }

  #readSoFar(): Pick<ImportRecord, 'stretches'> {
    const stretch = this.#file.stretch();
    return { stretches: stretch === undefined ? this.#stretches : [...this.#stretches, stretch] };
  }

  async #reject(row: Parameters<RejectedFile['add']>[0]): Promise<void> {
    this.#read += 1;
    this.#rejectedRows += 1;
    if (this.#reasons.length < SHOWN_REASONS)
      this.#reasons.push({
        line: row.line,
        message: row.message.slice(0, LONGEST_REASON),
        ...(row.texts === undefined ? {} : { texts: row.texts }),
      });
    await this.#rejected.add(row);
  }

  #notify(): void {
    this.#options.onProgress(this.#info());
  }

  /** The file is read ahead of the rows in flight: counted are those with an outcome, so that bytes and rows say the same. */
  #bytesSoFar(): number {
    if (this.#sending === undefined) return this.#bytes;
    const { bytes, rows, readBefore } = this.#sending;
    const share = rows === 0 ? 1 : Math.min(1, (this.#read - readBefore) / rows);
    return this.#bytes + Math.round(Math.max(0, bytes - this.#bytes) * share);
  }

  #info(): ImportRecord['info'] {
    const { info } = this.#record;
    const now = performance.now();
    const milliseconds = Math.round(this.#before + now - this.#began);
    const bytes = Math.min(this.#bytesSoFar(), info.totalBytes);
    return {
      ...withoutRemaining(info),
      read: this.#read,
      written: this.#written,
      rejected: this.#rejectedRows,
      bytes,
      milliseconds,
      rowsPerSecond: this.#speed.add(now, this.#read - this.#readBefore),
      ...remainingOf(bytes, info.totalBytes, milliseconds),
      reasons: this.#reasons,
      ...(this.#rejectedRows === 0 ? {} : { rejectedFile: this.#options.rejectedPath }),
    };
  }
}

/** The rest at the speed so far, once that says something about it. */
function remainingOf(bytes: number, totalBytes: number, milliseconds: number): Pick<ImportInfo, 'remainingMilliseconds'> {
  if (milliseconds < LEAST_MILLISECONDS || bytes < totalBytes * LEAST_SHARE || bytes === 0) return {};
  return { remainingMilliseconds: Math.round(((totalBytes - bytes) * milliseconds) / bytes) };
}

/** Of an earlier run, which may have been faster or slower. */
function withoutRemaining({ remainingMilliseconds: _remaining, ...info }: ImportInfo): ImportInfo {
  return info;
}

/** The next part, read while another one is sent. Its error is thrown where it is awaited. */
function ahead(parts: AsyncGenerator<ImportPart>): Promise<IteratorResult<ImportPart, unknown>> {
  const next = parts.next();
  next.catch(() => undefined);
  return next;
}
