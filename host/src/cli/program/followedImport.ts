import { HOST_ERRORS, HostError } from '../../common/errors.ts';
import { importResultSchema, importStepSchema } from '../../common/imports.ts';
import type { ImportInfo } from '../../common/imports.ts';
import { ReportedError } from '../../runtime/ownerSocket/ownerProtocol.ts';
import { causeOf } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { errorReport } from '../../runtime/errors/errorReport.ts';
import { rewriteLine, write } from '../terminal.ts';
import { assertCreatable, copyToNewFile } from '../textFiles.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { follow, print, progressNotifier, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

/** The answer of the commands that write rows into a table. */
export const importAnswer = new JsonAnswer(importResultSchema);

/** Follows an import or a copy to its end, with its progress on a terminal. */
export async function followedImport(
  context: ProgramContext,
  options: JsonOption,
  begin: (api: OwnerApi, calling: ApiCallOptions) => Promise<AsyncIterable<unknown>>,
): Promise<ImportInfo> {
  const { stderr } = context.terminal;
  const live = options.json !== true && stderr.isTTY === true;
  const notify = progressNotifier(context, options);
  let last: ImportInfo | undefined;
  try {
    const answer = await run(context, importStepSchema, async (api, calling) =>
      follow(await begin(api, calling), importStepSchema, async (event) => {
        if (event.type === 'install') await notify(event.progress);
        if (event.type !== 'import') return;
        last = event.progress;
        if (live) await rewriteLine(stderr, progressText(event.progress));
      }),
    );
    if (live) await rewriteLine(stderr, '');
    if (answer.type !== 'imported') throw new HostError('INTERNAL', 'The import ended without a result.');
    return answer.result;
  } catch (error) {
    // The host pauses what a command gives up.
    if (context.signal.aborted && last !== undefined) {
      if (live) await rewriteLine(stderr, '');
      context.setExitCode(1);
      await write(stderr, 'Paused after the rows in flight. Repeat the command with --resume to continue.\n');
    } else if (last !== undefined && isLinkLost(error)) {
      if (live) await rewriteLine(stderr, '');
      await warn(
        context,
        'Rows may have been written. Repeat the command with --resume: without it, rows without a key would be written twice.',
      );
    } else if (last !== undefined) {
      if (live) await rewriteLine(stderr, '');
      await reportRejected(context, last);
    }
    throw error;
  }
}

/** An import that failed in the middle is resumed behind its rejected rows. Their file is copied with the rest, by the command that ends it. */
async function reportRejected(context: ProgramContext, info: ImportInfo): Promise<void> {
  if (info.rejected === 0 || info.rejectedFile === undefined) return;
  for (const { line, message } of info.reasons) await warn(context, `line ${line}: ${message}`, 'Failed');
  await warn(context, `The rejected rows so far are in ${info.rejectedFile}.`);
}

/** Prints the outcome, and copies the rejected rows to the file that the person named. */
export async function printImport(
  context: ProgramContext,
  options: JsonOption,
  info: ImportInfo,
  rejectedFile: string | undefined,
): Promise<void> {
  if (rejectedFile !== undefined && info.rejectedFile !== undefined) await copyRejected(context, info.rejectedFile, rejectedFile);
  if (info.rejected > 0) context.setExitCode(1);
  if (options.json !== true) {
    for (const { line, message } of info.reasons) await warn(context, `line ${line}: ${message}`, 'Failed');
    if (info.rejected > info.reasons.length) await warn(context, `${info.rejected} rows were rejected in all.`);
    if (info.renamed !== undefined)
      await warn(
        context,
        `The first line has names more than once: the later columns are ${info.renamed.map((name) => `“${name}”`).join(', ')}. Use --map to name their fields.`,
      );
    if (info.unmet !== undefined)
      await warn(context, `No row has ${info.unmet.map((name) => `“${name}”`).join(', ')}, which --map names.`);
    if (info.newTable !== undefined)
      await warn(
        context,
        info.newTable === 'removed'
          ? `No row was written, so the new table “${info.table.name}” was removed again.`
          : `No row was written: the new table “${info.table.name}” is there and empty.`,
      );
    if (info.otherTable !== undefined)
      await warn(
        context,
        `The table was “${info.otherTable.began}” when the import began and is “${info.otherTable.now}” now: rows that were written before may be missing.`,
      );
    if (info.missing !== undefined)
      await warn(context, `At least ${info.missing} rows that were written are not in the table: it was changed meanwhile.`);
    if (info.rowsDiffer !== undefined) {
      const { got, counted } = info.rowsDiffer;
      await warn(
        context,
        `${got} rows were read, but the source counts ${counted}. Rows were added or deleted meanwhile, or are missing.`,
      );
    }
  }
  const { read, written, rejected } = info;
  const passedOver =
    info.state !== 'done' || info.uncertain === undefined
      ? ''
      : `, ${info.uncertain} passed over, which may have been written before the import stopped`;
  await print(context, options, importAnswer, { read, written, rejected }, () => `${sentence(info)}${passedOver}\n`);
}

/** The rows are written, so the outcome is printed all the same. */
async function copyRejected(context: ProgramContext, from: string, to: string): Promise<void> {
  try {
    await copyToNewFile(from, to);
  } catch (error) {
    const { code, message } = errorReport(error);
    const why = code === 'DISK_FULL' ? `${message} ${HOST_ERRORS.DISK_FULL.sentence}` : message;
    await warn(context, `The rejected rows were not copied: ${why} They are in ${from}.`);
    context.setExitCode(1);
  }
}

/**
 * The file that a command names for rejected rows. Looked at before a row is written.
 *
 * @throws UsageError, HostError `FILE_EXISTS`, `INVALID_REQUEST`, `DISK_FULL` and others of the file system
 */
export async function rejectedFileOf(context: ProgramContext, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const path = namedPath(context, named);
  await assertCreatable(path, (await context.home()).folder);
  return path;
}

/** The host has not said why: it is gone. */
function isLinkLost(error: unknown): boolean {
  return !(causeOf(error) instanceof ReportedError);
}

function progressText(info: ImportInfo): string {
  if (info.state === 'reading') {
    const { rows = 0, expected } = info.reading ?? {};
    return `${rows}${expected === undefined ? '' : ` of ${expected.rows}`} rows of the source read`;
  }
  const part = info.totalBytes === 0 ? '' : `${Math.floor((100 * info.bytes) / info.totalBytes)} %, `;
  const left = info.remainingMilliseconds === undefined ? '' : `, ${Math.ceil(info.remainingMilliseconds / 1_000)} s left`;
  return `${part}${sentence(info)}, ${info.rowsPerSecond} rows/s${left}`;
}

function sentence({ read, written, rejected }: Pick<ImportInfo, 'read' | 'written' | 'rejected'>): string {
  return `${read} ${read === 1 ? 'row' : 'rows'} read, ${written} written, ${rejected} rejected`;
}
