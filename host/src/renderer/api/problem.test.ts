import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { de } from '../i18n/de/index.ts';
import { en } from '../i18n/en/index.ts';
import { speakWords } from '../i18n/index.ts';
import { ReportedProblem, problemOf, problemText, wasAborted } from './problem.ts';

const report = {
  code: 'CONNECTION_REFUSED',
  message: 'Nothing is listening at localhost:8108.',
  advice: 'Check host and port.',
  retryable: true,
  details: { request: 'GET /', status: 'ECONNREFUSED' },
} as const;

const answered = (data: unknown): TRPCClientError<never> =>
  TRPCClientError.from({ error: { message: 'x', code: -32_603, data } } as Parameters<typeof TRPCClientError.from>[0]);

describe('problemOf', () => {
  it("takes the host's report from a call of the router and from a page", () => {
    expect(problemOf(answered({ report }))).toEqual(report);
    expect(problemOf(new ReportedProblem(report))).toEqual(report);
  });

  it("puts the host's report into the window's language", () => {
    speakWords(de);
    const { sentence, advice } = de.errors.kinds.CONNECTION_REFUSED;
    const message = `${sentence} Der Treiber meldet: „Nothing is listening at localhost:8108.“`;
    for (const problem of [problemOf(answered({ report })), problemOf(new ReportedProblem(report))])
      expect(problem).toEqual({ ...report, message, advice: `${advice} Der Treiber meldet: „Check host and port.“` });
    expect(problemOf(new TypeError('Failed to fetch')).message).toBe(de.application.unreachable);
    speakWords(en);
  });

  it('says that the host does not answer when it does not', () => {
    expect(problemOf(new TypeError('Failed to fetch')).code).toBe('HOST_UNREACHABLE');
    expect(problemOf(answered({ report: { code: 1 } })).code).toBe('HOST_UNREACHABLE');
  });

  it('says that an answer makes no sense', () => {
    expect(problemOf(new SyntaxError('Unexpected token')).code).toBe('HOST_ANSWER_INVALID');
  });
});

describe('problemText', () => {
  it('lists what is known, and nothing that is not', () => {
    expect(problemText(report)).toBe(
      'Nothing is listening at localhost:8108.\nCheck host and port.\nCode: CONNECTION_REFUSED\nRequest: GET /\nStatus: ECONNREFUSED',
    );
  });
});

describe('wasAborted', () => {
  it('recognizes a request that the window cancelled', () => {
    const controller = new AbortController();
    expect(wasAborted(new Error('x'), controller.signal)).toBe(false);
    controller.abort();
    expect(wasAborted(new Error('x'), controller.signal)).toBe(true);
    expect(wasAborted(new DOMException('The operation was aborted.', 'AbortError'))).toBe(true);
    expect(wasAborted(new Error('x', { cause: new DOMException('', 'AbortError') }))).toBe(true);
  });
});
