import type { ChangeFault, ReviewedChange, SaveProblem } from '../../common/editing.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { messageInWindowLanguage, sentenceInWindowLanguage } from '../api/inWindowLanguage.ts';
import { strings } from '../i18n/index.ts';

type Said = Pick<SaveProblem, 'message' | 'sentence' | 'code' | 'details'>;

function textOf(connectionId: string, { message, sentence, code, details }: Said): string {
  const own = sentenceInWindowLanguage(sentence);
  if (own !== undefined) return own;
  const said = inDriverWords(connectionId, { message, texts: details?.texts }).message;
  return said === message ? messageInWindowLanguage(code, message) : said;
}

/** Why a change was not saved, in the language of the window. */
export function saveProblemText(connectionId: string, problem: SaveProblem): string {
  const { cause } = problem;
  return cause === undefined
    ? textOf(connectionId, problem)
    : `${textOf(connectionId, cause)} ${strings.errors.sentences.saveUncertain}`;
}

/** Why a change can't be sent, in the language of the window, column by column; empty for one that can. */
export function refusals(
  connectionId: string,
  { prepared, more = [] }: Pick<ReviewedChange, 'prepared' | 'more'>,
): readonly ChangeFault[] {
  return prepared.ready ? [] : [prepared, ...more].map((fault) => inDriverWords(connectionId, fault));
}
