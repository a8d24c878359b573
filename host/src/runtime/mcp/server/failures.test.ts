import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { describeFailure } from './failures.ts';
import { MCP_LIMITS } from './limits.ts';

const scope = { timeIsUp: false, seconds: undefined, mayHaveChanged: false };

function loggedFor(error: unknown): unknown[] {
  const logged: unknown[] = [];
  const failure = describeFailure(error, scope, MCP_LIMITS, (one) => logged.push(one));
  expect(failure.code).toBe('INTERNAL');
  return logged;
}

describe('a failure without a rule of its own', () => {
  it('is logged, and its text stays here', () => {
    const error = new Error('secret');
    expect(loggedFor(error)).toEqual([error]);
  });

  it('is not logged where the client went away', () => {
    expect(loggedFor(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'))).toEqual([]);
    const other = new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    expect(loggedFor(other)).toEqual([other]);
  });
});
