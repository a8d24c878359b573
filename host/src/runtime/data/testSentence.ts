import type { TestStep } from '../../common/connection.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { englishOf } from '../../common/hostSentences.ts';
import { errorReport } from '../errors/errorReport.ts';

/** A sentence of the host as the message of a step of Test Connection. */
export const saying = (sentence: HostSentence): Pick<TestStep, 'message' | 'sentence'> => ({
  message: englishOf(sentence),
  sentence,
});

/** An error as the failure of a step, with the translations of a driver's. */
export function failing(error: unknown): Pick<TestStep, 'message' | 'failure'> {
  const {
    code,
    message,
    sentence,
    advice,
    details: { texts, field },
  } = errorReport(error);
  const failure = {
    code,
    message,
    advice,
    ...(sentence === undefined ? {} : { sentence }),
    ...(texts === undefined ? {} : { texts }),
    ...(field === undefined ? {} : { field }),
  };
  return { message: `${message} ${advice}`, failure };
}
