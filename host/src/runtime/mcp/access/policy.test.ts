import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveExternalClients } from '../../../common/access.ts';
import { decideAccess } from './policy.ts';
import type { AccessAction, AccessDecision, AccessQuestion } from './policy.ts';
import type { ExternalClient } from './externalClient.ts';
import {
  expectedLetter,
  TABLE_ACTIONS,
  TABLE_AI,
  TABLE_CONNECTION,
  TABLE_EXTERNAL,
  TABLE_LISTS,
  TABLE_TOKENS,
  tablePrincipal,
} from './policyTable.test-helper.ts';

const LETTER_OF_REASON: Readonly<Record<string, string>> = {
  notReachable: 'F',
  connectionReadOnly: 'R',
  tokenReadOnly: 'r',
  destructiveStatement: 'D',
  bridgeNeverConfirms: 'B',
  needsFullAccess: 'X',
  ownerOnly: 'O',
};

function letter(decision: AccessDecision): string {
  switch (decision.decision) {
    case 'allow':
      return '+';
    case 'hide':
      return '-';
    case 'ask':
      return '?';
    case 'deny':
      return LETTER_OF_REASON[decision.reason] ?? `unknown reason ${decision.reason}`;
  }
}

describe('the access policy', () => {
  it.each(TABLE_EXTERNAL.flatMap((external) => TABLE_AI.map((ai) => ({ external, ai }))))(
    'answers as the table says: External Clients $external, AI policy $ai',
    ({ external, ai }) => {
      const wrong: string[] = [];
      let cases = 0;
      for (const { list, inList } of TABLE_LISTS) {
        for (const token of TABLE_TOKENS) {
          for (const [index, action] of TABLE_ACTIONS.entries()) {
            for (const approved of [false, true]) {
              cases += 1;
              const found = letter(
                decideAccess({
                  caller: { kind: 'mcp', principal: tablePrincipal(token, list) },
                  connection: { id: TABLE_CONNECTION, access: { externalClients: external, aiPolicy: ai } },
                  action,
                  approved,
                }),
              );
              const expected = expectedLetter(external, ai, inList, token, index, approved);
              if (found !== expected) {
                wrong.push(
                  `${token}, list ${JSON.stringify(list)}, ${JSON.stringify(action)}, approved ${approved}: ${found} instead of ${expected}`,
                );
              }
            }
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(cases).toBe(5 * 4 * 8 * 2);
    },
  );

  it.each(['window', 'commandLine'] as const)('lets the %s do everything, and says what effect it has', (kind) => {
    const effects = TABLE_EXTERNAL.flatMap((externalClients) =>
      TABLE_AI.map((aiPolicy) =>
        TABLE_ACTIONS.map((action) => {
          const decision = decideAccess({
            caller: { kind },
            connection: { id: TABLE_CONNECTION, access: { externalClients, aiPolicy } },
            action,
            approved: false,
          });
          return decision.decision === 'allow' ? decision.effect : decision.decision;
        }).join(' '),
      ),
    );
    expect(new Set(effects)).toEqual(new Set(['read read read read write destructive destructive write']));
  });

  it('has a code and a sentence for every refusal', () => {
    const question = (over: Partial<AccessQuestion>): AccessQuestion => ({
      caller: { kind: 'mcp', principal: tablePrincipal('user-readWrite', 'all') },
      connection: { id: TABLE_CONNECTION, access: { externalClients: 'readOnly', aiPolicy: 'askEachTime' } },
      action: { kind: 'run', effect: 'write' },
      approved: false,
      ...over,
    });
    expect(decideAccess(question({}))).toEqual({
      decision: 'deny',
      reason: 'connectionReadOnly',
      code: 'READ_ONLY',
      message: 'External clients can only read this connection.',
      advice: 'Change the level in the Advanced pane of the connection, or run the statement in the window.',
    });
    const open = { id: TABLE_CONNECTION, access: { externalClients: 'readWrite', aiPolicy: 'askEachTime' } } as const;
    expect(decideAccess(question({ connection: open }))).toMatchObject({ decision: 'ask', code: 'APPROVAL_REQUIRED' });
    const never = { id: TABLE_CONNECTION, access: { externalClients: 'readWrite', aiPolicy: 'never' } } as const;
    expect(decideAccess(question({ connection: never }))).toMatchObject({ decision: 'deny', code: 'ACCESS_FORBIDDEN' });
  });

  it.each(['window', 'commandLine', 'mcp'] as const)('lets the %s only read a connection in read-only mode', (kind) => {
    const caller = kind === 'mcp' ? { kind, principal: tablePrincipal('user-fullAccess', 'all') } : { kind };
    const access = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow', readOnly: true } as const;
    const decide = (action: AccessAction): AccessDecision =>
      decideAccess({ caller, connection: { id: TABLE_CONNECTION, access }, action, approved: true });
    for (const action of [
      { kind: 'run', effect: 'write' },
      { kind: 'run', effect: 'destructive' },
      { kind: 'confirmDestructive' },
    ] as const) {
      expect(decide(action)).toMatchObject({ decision: 'deny', code: 'CONNECTION_READ_ONLY' });
    }
    expect(decide({ kind: 'read' })).toEqual({ decision: 'allow', effect: 'read' });
    expect(decide({ kind: 'run', effect: 'read' })).toEqual({ decision: 'allow', effect: 'read' });
    if (kind !== 'mcp') expect(decide({ kind: 'manage' })).toMatchObject({ decision: 'allow' });
  });

  it('never lets a bridge token confirm, whatever scope it claims', () => {
    const principal: ExternalClient = { ...tablePrincipal('bridge-readWrite', 'all'), scope: 'fullAccess' };
    const decision = decideAccess({
      caller: { kind: 'mcp', principal },
      connection: { id: TABLE_CONNECTION, access: { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' } },
      action: { kind: 'confirmDestructive' },
      approved: true,
    });
    expect(decision).toMatchObject({ decision: 'deny', reason: 'bridgeNeverConfirms' });
  });
});

it('the level that lists show is the one that holds', () => {
  for (const externalClients of TABLE_EXTERNAL) {
    for (const aiPolicy of TABLE_AI) {
      for (const readOnly of [false, true]) {
        const access = { externalClients, aiPolicy, readOnly };
        const may = (action: AccessAction): boolean =>
          decideAccess({
            caller: { kind: 'mcp', principal: tablePrincipal('user-fullAccess', 'all') },
            connection: { id: TABLE_CONNECTION, access },
            action,
            approved: true,
          }).decision === 'allow';
        const holds = may({ kind: 'run', effect: 'write' }) ? 'readWrite' : may({ kind: 'read' }) ? 'readOnly' : 'blocked';
        expect(effectiveExternalClients(access), JSON.stringify(access)).toBe(holds);
      }
    }
  }
});

describe('properties of the access policy', () => {
  const scopes = ['readOnly', 'readWrite', 'fullAccess'] as const;
  const effects = ['read', 'write', 'destructive'] as const;
  /** How much a decision lets happen. */
  const rank = (decision: AccessDecision): number => ({ hide: 0, deny: 0, ask: 1, allow: 2 })[decision.decision];

  interface Levels {
    readonly external: number;
    readonly ai: number;
    readonly scope: number;
    readonly listed: number;
    readonly approved: number;
    readonly user: number;
  }
  const levels: fc.Arbitrary<Levels> = fc.record({
    external: fc.integer({ min: 0, max: 2 }),
    ai: fc.integer({ min: 0, max: 2 }),
    scope: fc.integer({ min: 0, max: 2 }),
    listed: fc.integer({ min: 0, max: 2 }),
    approved: fc.integer({ min: 0, max: 1 }),
    user: fc.integer({ min: 0, max: 1 }),
  });
  const action: fc.Arbitrary<AccessAction> = fc.constantFrom(...TABLE_ACTIONS);

  const decide = (level: Levels, wanted: AccessAction): AccessDecision =>
    decideAccess({
      caller: {
        kind: 'mcp',
        principal: {
          id: 'p',
          tokenId: 't',
          name: 'n',
          kind: level.user === 1 ? 'user' : 'bridge',
          scope: scopes[level.scope] ?? 'readOnly',
          connections: level.listed === 0 ? [] : level.listed === 1 ? [TABLE_CONNECTION] : 'all',
        },
      },
      connection: {
        id: TABLE_CONNECTION,
        access: {
          externalClients: TABLE_EXTERNAL[level.external] ?? 'blocked',
          aiPolicy: TABLE_AI[level.ai] ?? 'never',
        },
      },
      action: wanted,
      approved: level.approved === 1,
    });

  it('never allows more when any level is lower', () => {
    fc.assert(
      fc.property(levels, levels, action, (a, b, wanted) => {
        const lower: Levels = {
          external: Math.min(a.external, b.external),
          ai: Math.min(a.ai, b.ai),
          scope: Math.min(a.scope, b.scope),
          listed: Math.min(a.listed, b.listed),
          approved: Math.min(a.approved, b.approved),
          user: Math.min(a.user, b.user),
        };
        expect(rank(decide(lower, wanted))).toBeLessThanOrEqual(rank(decide(a, wanted)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never allows a statement more for a worse effect', () => {
    fc.assert(
      fc.property(levels, (level) => {
        const ranks = effects.map((effect) => rank(decide(level, { kind: 'run', effect })));
        expect([...ranks].sort((x, y) => y - x)).toEqual(ranks);
      }),
    );
  });

  it('answers nothing but hide and -33007 where a connection is not to be seen', () => {
    fc.assert(
      fc.property(levels, action, (level, wanted) => {
        const seen = decide(level, { kind: 'see' });
        if (seen.decision === 'allow') return;
        expect(seen).toEqual({ decision: 'hide' });
        if (wanted.kind !== 'see') expect(decide(level, wanted)).toMatchObject({ decision: 'deny', reason: 'notReachable' });
      }),
    );
  });
});
