import type { ActivityEntry, ApprovalGrantInfo, IntegrationSettings, TokenSummary } from '../../common/integrations.ts';
import { integrationSettingsSchema } from '../../common/integrations.ts';
import type { FakeContext } from '../testing/fakeContext.test-helper.ts';

/** Programs outside, as the window sees them, in memory. */
export function fakeIntegrations(): FakeContext['integrations'] {
  let settings: IntegrationSettings = integrationSettingsSchema.parse({});
  const tokens = new Map<string, TokenSummary>();
  const grants: ApprovalGrantInfo[] = [];
  const entries: ActivityEntry[] = [];
  return {
    start: async () => 'http://127.0.0.1:23508/mcp',
    state: () =>
      settings.enabled
        ? { running: true, url: `http://127.0.0.1:${settings.port}/mcp`, port: settings.port }
        : { running: false },
    settings: () => settings,
    change: async (next) => (settings = next),
    tokens: () => [...tokens.values()],
    mint: ({ name, scope, connections, expiresAt }) => {
      const token: TokenSummary = {
        id: crypto.randomUUID(),
        name,
        prefix: 'tbm_AbCd',
        scope,
        connections: connections ?? 'all',
        createdAt: new Date().toISOString(),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
      tokens.set(token.id, token);
      return { token, text: `tbm_AbCd${'x'.repeat(39)}` };
    },
    revoke: (id) => {
      const token = tokens.get(id);
      if (token !== undefined) tokens.set(id, { ...token, revokedAt: new Date().toISOString() });
    },
    async *watchApprovals() {
      yield [];
    },
    async *watchNewSecrets() {
      yield [];
    },
    async *watchConsents() {
      yield [];
    },
    answerConsent: () => ({ taken: false }),
    dismissNewSecret: () => undefined,
    answerApproval: () => ({ outcome: 'gone' }),
    grants: () => grants,
    revokeGrant: () => undefined,
    activity: async () => ({ entries, more: false }),
    async *exportActivity() {
      yield 'sequence\r\n';
    },
    verifyActivity: async () => ({ whole: true, entries: entries.length }),
    clients: () => [],
    disconnect: async () => undefined,
  };
}
