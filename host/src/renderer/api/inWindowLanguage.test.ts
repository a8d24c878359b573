import { DRIVER_ERRORS } from '@tabularium/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorReport, ReportCode } from '../../common/errorReport.ts';
import { HOST_ERRORS } from '../../common/errors.ts';
import type { SecretQuestion } from '../../common/secretQuestion.ts';
import { de } from '../i18n/de/index.ts';
import { en } from '../i18n/en/index.ts';
import { speakWords } from '../i18n/index.ts';
import { inWindowLanguage, messageInWindowLanguage } from './inWindowLanguage.ts';

const TABLES = { ...DRIVER_ERRORS, ...HOST_ERRORS };
const codes = Object.keys(TABLES) as ReportCode[];

function report(code: ReportCode, more: Partial<ErrorReport> = {}): ErrorReport {
  const { sentence: message, advice } = TABLES[code];
  return { code, message, advice, retryable: false, details: {}, ...more };
}

describe('the sentences of error codes', () => {
  it.each(Object.entries({ en, de }))('are there for every code of both tables, in %s', (_language, { errors }) => {
    expect(Object.keys(errors.kinds).toSorted()).toEqual(codes.toSorted());
    for (const { sentence, advice } of Object.values(errors.kinds)) {
      expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
      expect(advice).toMatch(/^\p{Lu}.*\.$/u);
    }
  });

  it('are distinct: two codes with two sentences in English have two in German', () => {
    const german = new Map<string, string>();
    for (const code of codes) {
      const before = german.get(de.errors.kinds[code].sentence);
      if (before !== undefined) expect(before, code).toBe(TABLES[code].sentence);
      german.set(de.errors.kinds[code].sentence, TABLES[code].sentence);
    }
  });
});

describe('a report in a window that speaks English', () => {
  it.each(codes)('is as the host sent it: %s', (code) => {
    const sent = report(code, { message: 'What happened to “Cluster”.', advice: 'What to do.' });
    expect(inWindowLanguage(sent)).toEqual(sent);
    expect(messageInWindowLanguage(code, 'What happened.')).toBe('What happened.');
  });
});

describe('a report in a window that speaks German', () => {
  beforeAll(() => speakWords(de));
  afterAll(() => speakWords(en));

  it.each(codes)('has no English left when it says what the table says: %s', (code) => {
    const { sentence: message, advice } = de.errors.kinds[code];
    expect(inWindowLanguage(report(code))).toEqual({ ...report(code), message, advice });
    expect(messageInWindowLanguage(code, TABLES[code].sentence)).toBe(message);
  });

  it.each(codes)('quotes what is said beyond the table: %s', (code) => {
    const own = report(code, { message: 'There is no “Cluster”.', advice: 'Make one.' });
    const { sentence, advice } = de.errors.kinds[code];
    const shown = inWindowLanguage(own);
    const who = Object.hasOwn(HOST_ERRORS, code) ? 'Im Wortlaut' : 'Der Treiber meldet';
    expect(shown.message).toBe(`${sentence} ${who}: „There is no “Cluster”.“`);
    expect(shown.advice).toBe(`${advice} ${who}: „Make one.“`);
    // Said twice, it is quoted once: a problem may pass through here again.
    expect(messageInWindowLanguage(code, sentence)).toBe(sentence);
  });

  it('leaves what is asked about to the words of the question', () => {
    const secretQuestion: SecretQuestion = {
      connection: 'Cl\u202Euster',
      driver: { title: 'Search' },
      changes: [],
      code: '0'.repeat(32),
    };
    const shown = inWindowLanguage(report('SECRET_NOT_CONFIRMED', { message: 'Compare “Cluster”.', secretQuestion }));
    expect(shown.message).toMatch(/^Es ist nicht bekannt, wofür die Zugangsdaten von Cl.*uster eingegeben wurden/);
    expect(shown.message).not.toContain('\u202E');
    expect(shown.message).not.toContain('Compare');
    expect(shown.advice).toBe(de.errors.kinds.SECRET_NOT_CONFIRMED.advice);
    const place = { origins: ['https://evil.example'], verification: 'identity' } as const;
    const about = (more: Partial<SecretQuestion>): string =>
      inWindowLanguage(report('SECRET_NOT_CONFIRMED', { message: '', secretQuestion: { ...secretQuestion, ...more } })).message;
    const newOrigins = [{ id: 'a', label: 'A', reason: 'R.', now: place }];
    expect(about({ newOrigins })).toMatch(/^Mit Cl.*uster erreicht der Treiber für Search Adressen/);
    const newFiles = [{ field: 'f', label: 'F', path: '/f', reason: 'R.', now: 'readWrite' as const }];
    expect(about({ newFiles })).toMatch(/^Mit Cl.*uster liest oder ändert der Treiber für Search Dateien/);
    expect(about({ newOrigins, newFiles })).toMatch(/^Mit Cl.*uster erreicht der Treiber für Search Adressen/);
    expect(about({ newOrigins, isDistrusted: true })).toMatch(/^Der Treiber für Search wollte Zugangsdaten eines Servers/);
  });

  it('shows a code that it does not know as it came', () => {
    const sent = { ...report('INTERNAL'), code: 'FROM_A_NEWER_HOST' as ReportCode, message: 'New.' };
    expect(inWindowLanguage(sent)).toEqual(sent);
    expect(messageInWindowLanguage('toString' as ReportCode, 'New.')).toBe('New.');
    expect(messageInWindowLanguage(undefined, 'Without a code.')).toBe('Without a code.');
  });
});
