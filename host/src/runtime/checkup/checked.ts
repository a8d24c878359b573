import type { HostCheck } from '../../common/checkup.ts';
import { errorReport } from '../errors/errorReport.ts';

/** Milliseconds that one check may take: a network that swallows packets must not keep the others. */
const PATIENCE = 20_000;

/** A fact, and what to do about it; without advice all is well. */
export interface CheckupFact {
  readonly finding: string;
  readonly advice?: string;
  /** False by default where there is advice. */
  readonly ok?: boolean;
  /** The same without the names of connections, for a support report. */
  readonly forReport?: Pick<CheckupFact, 'finding' | 'advice'>;
}

/**
 * Makes one check. An error of the work is its finding.
 *
 * @param work - stops when the signal is aborted, also because it takes too long
 * @throws the signal's reason, when the caller aborts
 */
export async function checked(
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<CheckupFact> | CheckupFact,
): Promise<HostCheck> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(PATIENCE);
  const within = AbortSignal.any([signal, deadline]);
  const late = new Promise<CheckupFact>((resolve) =>
    deadline.addEventListener('abort', () =>
      resolve({
        finding: `There was no answer for ${PATIENCE / 1_000} seconds.`,
        advice: 'Check again. If it stays so, look at the log.',
      }),
    ),
  );
  const found = await Promise.race([late, (async () => work(within))().catch((error: unknown) => faultOf(error, signal))]);
  const { finding, advice, ok = advice === undefined, forReport } = found;
  return {
    ...{ name, ok, finding, advice: advice ?? null },
    ...(forReport === undefined ? {} : { forReport: { finding: forReport.finding, advice: forReport.advice ?? null } }),
  };
}

function faultOf(error: unknown, signal: AbortSignal): CheckupFact {
  signal.throwIfAborted();
  const { message, advice, details } = errorReport(error);
  return { finding: message, advice: typeof details['advice'] === 'string' ? details['advice'] : advice };
}
