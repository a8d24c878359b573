import { DRIVER_ERRORS } from '@tabularium/sdk';
import type { HostErrorKind } from '../../../common/errors.ts';
import type { ReportCode } from '../../../common/errorReport.ts';
import { HOST_ERRORS } from '../../../common/errors.ts';
import type { HostSentenceId } from '../../../common/hostSentences.ts';
import { HOST_SENTENCES } from '../../../common/hostSentences.ts';

/** Sentence and advice of every code that a report can have: those of the two tables of errors. */
const kinds: Readonly<Record<ReportCode, HostErrorKind>> = Object.fromEntries(
  Object.entries({ ...DRIVER_ERRORS, ...HOST_ERRORS }).map(([code, { sentence, advice }]) => [code, { sentence, advice }]),
) as Record<ReportCode, HostErrorKind>;

/** Error reports. In another language than English the sentences of the tables are translated, and further details follow them word for word. */
export const errorWords = {
  kinds,
  sentences: HOST_SENTENCES as Readonly<Record<HostSentenceId, string>>,
  byHost: (sentence: string, original: string): string => `${sentence} The application reports: “${original}”`,
  byDriver: (sentence: string, original: string): string => `${sentence} The driver reports: “${original}”`,
};
