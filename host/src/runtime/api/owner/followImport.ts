import type { DriverErrorCode } from '@tabularium/sdk';
import { DRIVER_ERRORS, DriverError } from '@tabularium/sdk';
import type { ReportCode } from '../../../common/errorReport.ts';
import { HostError } from '../../../common/errors.ts';
import type { ImportInfo, ImportStep } from '../../../common/imports.ts';
import type { Imports } from '../../importing/imports.ts';
import { NEVER } from '../trpc.ts';

/** The events of an import until it ends. Giving it up pauses the import, so that it can be resumed. */
export async function* followImport(
  imports: Imports,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ImportStep, void, undefined> {
  const giveUp = (): void => {
    if (imports.list().some((info) => info.id === id && (info.state === 'running' || info.state === 'reading')))
      imports.pause(id);
  };
  signal.addEventListener('abort', giveUp);
  let last: ImportInfo | undefined;
  try {
    if (signal.aborted) giveUp();
    for await (const info of imports.follow(id, NEVER)) {
      last = info;
      if (!signal.aborted) yield { type: 'import', progress: info };
    }
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  if (last === undefined) throw new HostError('INTERNAL', 'The import ended without a result.');
  if (last.state === 'interrupted') throw stopped(last);
  yield { type: 'imported', result: last };
}

/** The error of an import that stopped. */
function stopped({ written, read, rejected, uncertain = 0, error, cannotResume, newTable, table }: ImportInfo): Error {
  const message = [
    error?.message ?? 'The import was interrupted.',
    `${read} rows have an outcome, ${written} were written${rejected === 0 ? '' : `, ${rejected} rejected`}.`,
    ...(uncertain === 0 ? [] : [`Up to ${uncertain} more may have been written.`]),
    ...(newTable === 'empty' ? [`The new table “${table.name}” is there and empty.`] : []),
  ].join(' ');
  const advice = cannotResume === true ? error?.details?.advice : 'Mend the cause, then repeat the command with --resume.';
  const details = { ...error?.details, ...(advice === undefined ? {} : { advice }) };
  const code = error?.code ?? 'CONNECTION_LOST';
  return isDriverCode(code) ? new DriverError(code, message, { details }) : new HostError(code, message, { details });
}

function isDriverCode(code: ReportCode): code is DriverErrorCode {
  return Object.hasOwn(DRIVER_ERRORS, code);
}
