import { DRIVER_ERRORS, visibleText } from '@tabularium/sdk';
import { HOST_ERRORS } from '../../common/errors.ts';
import type { ErrorReport, ReportCode } from '../../common/errorReport.ts';
import type { HostSentence, TextOrigin } from '../../common/hostSentences.ts';
import { sentenceIn } from '../../common/hostSentences.ts';
import { strings } from '../i18n/index.ts';
import type { TranslatedReport } from './driverTexts.ts';

/** The parts of a report that are put into the window's language, and its questions. */
type Reported = Pick<ErrorReport, 'code' | 'message' | 'advice'> &
  TranslatedReport &
  Partial<
    Pick<ErrorReport, 'sentence' | 'question' | 'grantQuestion' | 'downgradeQuestion' | 'secretQuestion' | 'hostKeyQuestion'>
  >;

const isHostCode = (code: ReportCode): code is keyof typeof HOST_ERRORS => Object.hasOwn(HOST_ERRORS, code);

/**
 * A report with message and advice in the language of the window: those of its code. The host speaks English alone, so where its message or a
 * driver's says more than the table of errors, that follows word for word and is marked as such, unless the driver has translated it. In English, and with a code that this window does
 * not know, the report is as it came.
 */
export function inWindowLanguage<Report extends Reported>(report: Report): Report {
  // The dialog of a question has words of its own for all that the message says.
  const hasQuestion = [
    report.question,
    report.grantQuestion,
    report.downgradeQuestion,
    report.secretQuestion,
    report.hostKeyQuestion,
  ].some((question) => question !== undefined);
  const { translated } = report;
  const message =
    secretSentence(report) ??
    (translated?.message === true ? report.message : undefined) ??
    sentenceInWindowLanguage(report.sentence) ??
    said(report.code, 'sentence', hasQuestion ? '' : report.message);
  const advice =
    // The host's is for those who are elsewhere, such as on the command line.
    report.hostKeyQuestion !== undefined
      ? strings.tunnels.hostKey.advice
      : translated?.advice === true
        ? report.advice
        : said(report.code, 'advice', hasQuestion ? '' : report.advice);
  return { ...report, message: message ?? report.message, advice: advice ?? report.advice };
}

/** A sentence of the host in the words of the window; undefined for one that this window does not have. */
export function sentenceInWindowLanguage(sentence: HostSentence | undefined): string | undefined {
  if (sentence === undefined || !Object.keys(strings.errors.sentences).includes(sentence.id)) return undefined;
  return sentenceIn(strings.errors.sentences, sentence);
}

/** A text of the host by its origin: its sentence, or the sentence of its error's code. A text without an origin stays as it came. */
export function textInWindowLanguage(text: string, origin: TextOrigin | undefined): string {
  const isCode = origin?.code !== undefined && Object.hasOwn(strings.errors.kinds, origin.code);
  return (
    sentenceInWindowLanguage(origin?.sentence) ?? messageInWindowLanguage(isCode ? (origin.code as ReportCode) : undefined, text)
  );
}

/** A message alone as {@link inWindowLanguage} puts it; without a code it stays as it came. */
export function messageInWindowLanguage(code: ReportCode | undefined, message: string): string {
  return (code === undefined ? undefined : said(code, 'sentence', message)) ?? message;
}

function isTranslated(code: ReportCode): boolean {
  if (!Object.hasOwn(strings.errors.kinds, code)) return false;
  return strings.errors.kinds[code].sentence !== inEnglish(code).sentence;
}

function inEnglish(code: ReportCode): { readonly sentence: string; readonly advice: string } {
  return isHostCode(code) ? HOST_ERRORS[code] : DRIVER_ERRORS[code];
}

/** @param own - what the host or a driver said; empty: nothing beyond the table */
function said(code: ReportCode, part: 'sentence' | 'advice', own: string): string | undefined {
  if (!isTranslated(code)) return undefined;
  const translated = strings.errors.kinds[code][part];
  if (own === '' || own === translated || own === inEnglish(code)[part]) return translated;
  return isHostCode(code) ? strings.errors.byHost(translated, own) : strings.errors.byDriver(translated, own);
}

function secretSentence({ code, secretQuestion }: Reported): string | undefined {
  if (secretQuestion === undefined || !isTranslated(code)) return undefined;
  const name = visibleText(secretQuestion.connection, 'name');
  const driver = visibleText(secretQuestion.driver.title, 'name');
  if (secretQuestion.isDistrusted === true) return strings.secrets.textDistrusted(driver);
  if (secretQuestion.newOrigins !== undefined && secretQuestion.changes.length === 0)
    return strings.secrets.textOrigins(driver, name);
  if (secretQuestion.newFiles !== undefined && secretQuestion.changes.length === 0)
    return strings.secrets.textFiles(driver, name);
  const isKnown = secretQuestion.changes.some(({ before }) => before !== undefined);
  return isKnown ? strings.secrets.text(name) : strings.secrets.textNew(name);
}
