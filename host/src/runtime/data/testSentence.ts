import type { TestStep } from '../../common/connection.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { englishOf } from '../../common/hostSentences.ts';

/** A sentence of the host as the message of a step of Test Connection. */
export const saying = (sentence: HostSentence): Pick<TestStep, 'message' | 'sentence'> => ({
  message: englishOf(sentence),
  sentence,
});
