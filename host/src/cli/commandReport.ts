import type { TextPlace } from '../common/textPlace.ts';
import { errorReport } from '../runtime/errors/errorReport.ts';
import { ReportedError } from '../runtime/ownerSocket/ownerProtocol.ts';

/** A failure as a command says it: the advice of the failure itself comes before that of its code. */
export interface CommandReport {
  readonly code: string;
  readonly message: string;
  readonly advice: string;
  /** The other facts, for `--json`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Where the fault is in the statement. */
  readonly place?: TextPlace;
}

/** For `FILE_EXISTS`: every command that writes a file takes the option. */
const OVERWRITE = 'Choose another name, or add --overwrite.';

/** The report of what a command failed with, in this process or in the host. */
export function commandReport(error: unknown): CommandReport {
  const { code, message, place, ...report } = error instanceof ReportedError ? error.report : errorReport(error);
  const usual = code === 'FILE_EXISTS' ? OVERWRITE : report.advice;
  const { advice = usual, texts: _texts, ...details } = report.details;
  return { code, message, advice, details, ...(place === undefined ? {} : { place }) };
}
