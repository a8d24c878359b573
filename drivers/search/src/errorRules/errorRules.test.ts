import { describe, expect, it } from 'vitest';
import { answerFor, readRecordings, recordingSets } from '@tabularium/sandbox';
import type { RecordedAnswer, SandboxVersion } from '@tabularium/sandbox';
import { isObject, textOfField } from '../guards.ts';
import { serverWords } from '../serverErrors.ts';
import { errorRuleFor, errorRules } from './errorRules.ts';

interface Rejection {
  readonly version: SandboxVersion;
  readonly call: string;
  readonly words: string;
}

/** Also those inside an answer of 200: of a search among several, and of a line of an import. */
function wordsIn({ status, body }: RecordedAnswer): string[] {
  if (status >= 400) return [serverWords(body)];
  return body.split('\n').flatMap((line) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return [];
    }
    const results: unknown = isObject(value) ? value['results'] : undefined;
    const parts: unknown[] = Array.isArray(results) ? results : [value];
    return parts.flatMap((part) => (isObject(part) ? (textOfField(part, 'error') ?? []) : []));
  });
}

const rejections: readonly Rejection[] = recordingSets.flatMap((set) =>
  readRecordings(set).flatMap((recording) =>
    set.versions.flatMap((version) => {
      const answer = answerFor(recording, version);
      const call = `${version} #${recording.n} ${recording.case}`;
      return answer === undefined ? [] : wordsIn(answer).map((words) => ({ version, call, words }));
    }),
  ),
);

/** Texts that say nothing beyond their status, which is classified instead. */
const BY_STATUS = /^(?:Forbidden - |Collection not found$|Not found\.?$|$)/i;

describe('the rules for texts of the server', () => {
  it('know every error that was recorded from a server, of every version', () => {
    const unknown = rejections.filter(({ words }) => !BY_STATUS.test(words) && errorRuleFor(words) === undefined);
    expect(unknown.map(({ call, words }) => `${call}: ${words}`)).toEqual([]);
    for (const version of ['26.0', '27.1', '28.0', '29.0', '30.0'] as const)
      expect(rejections.filter((rejection) => rejection.version === version).length).toBeGreaterThan(90);
  });

  it.each(errorRules.map((rule) => [String(rule.when), rule] as const))(
    '%s is the first for a recorded text, or names its source',
    (_pattern, rule) => {
      const isRecorded = rejections.some(({ words }) => errorRuleFor(words)?.rule === rule);
      expect(isRecorded).toBe(rule.source === undefined);
    },
  );

  it.each(errorRules.map((rule) => [String(rule.when), rule] as const))(
    '%s says what to do in one or two sentences',
    (_pattern, rule) => {
      expect(rule.advice).toMatch(/^[A-Z][^\n]{10,220}\.$|…\.?$/);
      expect(rule.message ?? 'The.').toMatch(/^[A-Z].*\.$/);
    },
  );
});
