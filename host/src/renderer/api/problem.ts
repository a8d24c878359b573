import type { DriverErrorDetails } from '@tabularium/sdk';
import { TRPCClientError } from '@trpc/client';
import type { DowngradeQuestion, GrantQuestion, TrustQuestion } from '../../common/drivers.ts';
import type { ErrorReport } from '../../common/errorReport.ts';
import type { HostKeyQuestion } from '../../common/hostKeyQuestion.ts';
import type { SecretQuestion } from '../../common/secretQuestion.ts';
import { strings } from '../i18n/index.ts';
import { inWindowLanguage } from './inWindowLanguage.ts';

/** An error as the window shows it: the host's report, or one of the window's own where the host did not answer. */
export interface Problem {
  readonly code: ErrorReport['code'] | 'HOST_UNREACHABLE' | 'HOST_ANSWER_INVALID';
  readonly message: string;
  readonly advice: string;
  readonly retryable: boolean;
  readonly details: DriverErrorDetails;
  /** The question to answer before this can be done. */
  readonly question?: TrustQuestion;
  /** The permission to give before this can be done. */
  readonly grantQuestion?: GrantQuestion;
  /** The downgrade to confirm before this can be done. */
  readonly downgradeQuestion?: DowngradeQuestion;
  readonly secretQuestion?: SecretQuestion;
  /** The key of an SSH server to accept before this can be done. */
  readonly hostKeyQuestion?: HostKeyQuestion;
}

/** A failed call beside the typed router, with the host's report. */
export class ReportedProblem extends Error {
  override readonly name = 'ReportedError';
  readonly report: Problem;

  constructor(report: Problem) {
    super(report.message);
    this.report = report;
  }
}

export function isReport(value: unknown): value is ErrorReport {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string' &&
    'advice' in value &&
    typeof value.advice === 'string' &&
    'details' in value &&
    typeof value.details === 'object' &&
    value.details !== null
  );
}

function reportIn(data: unknown): ErrorReport | undefined {
  if (typeof data !== 'object' || data === null || !('report' in data)) return undefined;
  return isReport(data.report) ? data.report : undefined;
}

/** An error of the window's own, as the host would report it. */
export function windowProblem(code: Problem['code'], message: string, advice: string): ReportedProblem {
  // Its texts are in the language of the window, whichever code they have.
  const report = { code, message, advice, retryable: true, details: {}, translated: { message: true, advice: true } };
  return new ReportedProblem(report);
}

/** The problem shown in place of something that a person stopped. */
export function cancelledProblem(message: string, advice: string): Problem {
  return { code: 'CANCELLED', message, advice, retryable: true, details: {} };
}

/** The window's own messages are in its language already. */
function worded({ code, ...reported }: Problem): Problem {
  if (code === 'HOST_UNREACHABLE' || code === 'HOST_ANSWER_INVALID') return { code, ...reported };
  return inWindowLanguage({ code, ...reported });
}

/** Whatever a call threw, as something to show. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ReportedProblem) return worded(error.report);
  if (error instanceof TRPCClientError) {
    const report = reportIn(error.data);
    if (report !== undefined) return worded(report);
  }
  if (error instanceof SyntaxError) {
    return {
      code: 'HOST_ANSWER_INVALID',
      message: strings.application.badAnswer,
      advice: strings.application.badAnswerAdvice,
      retryable: true,
      details: {},
    };
  }
  return {
    code: 'HOST_UNREACHABLE',
    message: strings.application.unreachable,
    advice: strings.application.unreachableAdvice,
    retryable: true,
    details: {},
  };
}

/** Whether the caller itself stopped the call: nothing to show then. */
export function wasAborted(error: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted === true) return true;
  return (
    error instanceof Error && (error.name === 'AbortError' || (error.cause instanceof Error && error.cause.name === 'AbortError'))
  );
}

/** A problem as text to paste into a report. It holds no credential: the host's reports never do. */
export function problemText(problem: Problem): string {
  const { request, status, serverMessage, field } = problem.details;
  const lines: readonly (readonly [string, string | undefined])[] = [
    [strings.common.errorCode, problem.code],
    [strings.common.request, request],
    [strings.common.status, status],
    [strings.common.field, field],
    [strings.common.serverMessage, serverMessage],
  ];
  const facts = lines.flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`]));
  return [problem.message, problem.advice, ...facts].join('\n');
}
