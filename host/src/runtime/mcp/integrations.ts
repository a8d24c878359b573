import type {
  ActivityFilter,
  ActivityPage,
  ActivityVerification,
  ApprovalAnswer,
  ApprovalAnswered,
  ApprovalGrantInfo,
  ConsentAnswer,
  ConsentAnswered,
  ConnectedClient,
  IntegrationSettings,
  McpState,
  MintTokenInput,
  NewSecret,
  NewToken,
  PendingApproval,
  PendingConsent,
  TokenSummary,
} from '../../common/integrations.ts';
import { isAbsolute } from 'node:path';
import { HostError, originOf } from '../../common/errors.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import { activityCsv } from './activity/activityExport.ts';
import { ActivityRecorder } from './activity/recordActivity.ts';
import type { TokenInfo } from './access/tokenStore.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { ApprovalQueue } from './approvals/approvalQueue.ts';
import { connectionTarget } from '../connections/connectionTarget.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { GrantStore } from './approvals/grantStore.ts';
import { HandshakeService } from './clients/handshakeService.ts';
import { IntegrationSettingsStore } from './access/integrationSettings.ts';
import { McpServer } from './mcpServer.ts';
import { NewSecrets } from './approvals/newSecrets.ts';
import { ConsentQueue } from './oauth/consentQueue.ts';
import { OAuthEndpoints } from './oauth/oauthEndpoints.ts';
import { OAuthGrantStore } from './oauth/oauthGrantStore.ts';
import { TokenStore } from './access/tokenStore.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';

/** The services of the integrations. */
export interface IntegrationParts {
  readonly settings: IntegrationSettingsStore;
  readonly server: McpServer;
  /** The state that ends with a server that is switched off. */
  readonly turnedOff: () => Promise<void>;
  readonly tokens: TokenStore;
  readonly queue: ApprovalQueue;
  readonly newSecrets: NewSecrets;
  readonly grants: GrantStore;
  readonly consents: ConsentQueue;
  readonly oauthGrants: OAuthGrantStore;
  readonly oauth: Pick<OAuthEndpoints, 'onGranted' | 'turnedOff'>;
  readonly log: ActivityLog;
  readonly connections: Pick<ConnectionStore, 'onChange'>;
}

/** All that the owner sees and decides about programs outside: the server, its tokens, approvals, the log, who is there. */
export class McpIntegrations {
  static readonly inject: Inject<typeof McpIntegrations> = {
    settings: IntegrationSettingsStore,
    server: McpServer,
    turnedOff: from([HandshakeService], (handshake) => () => handshake.turnedOff()),
    tokens: TokenStore,
    queue: ApprovalQueue,
    newSecrets: NewSecrets,
    grants: GrantStore,
    consents: ConsentQueue,
    oauthGrants: OAuthGrantStore,
    oauth: OAuthEndpoints,
    log: ActivityLog,
    connections: ConnectionStore,
  };

  readonly #parts: IntegrationParts;
  readonly #recorder: ActivityRecorder;
  /** Of this run alone, said at its start; it goes before the one that is saved. */
  #portOfRun: number | undefined;
  #problem: HostError | undefined;

  constructor(parts: IntegrationParts) {
    this.#parts = parts;
    this.#recorder = new ActivityRecorder(parts.log);
    parts.server.onCall((report) => this.#recorder.call(report));
    parts.server.onTurnedAway((report) => this.#recorder.turnedAway(report));
    parts.oauth.onGranted((tokenId, tokenName) => this.#recorder.administered('oauth access allowed', { tokenId, tokenName }));
    parts.tokens.onRevoked((tokenId) => {
      parts.grants.forget({ principalId: tokenId });
      this.#recorder.administered('token revoked', { tokenId });
    });
    parts.connections.onChange(({ kind, connection, before }) => {
      // A standing approval is for the server that the person knew.
      const leadsElsewhere = before !== undefined && connectionTarget(before) !== connectionTarget(connection);
      if (kind === 'removed' || leadsElsewhere) parts.grants.forget({ connectionId: connection.id });
    });
  }

  /**
   * Starts the server if it is switched on.
   *
   * @param port - for this run, and no other; undefined: the settings' one, or any where that is taken
   * @returns where it is; undefined when it is switched off
   * @throws HostError `INVALID_REQUEST` for a port that is taken
   */
  async start(port: number | undefined): Promise<string | undefined> {
    this.#portOfRun = port;
    const { settings, server, turnedOff } = this.#parts;
    if (!settings.get().enabled) {
      await turnedOff();
      return undefined;
    }
    return (await server.start(port === undefined ? { port: settings.get().port } : { port, isRequired: true })).url;
  }

  state(): McpState {
    const { address } = this.#parts.server;
    return {
      running: address !== undefined,
      ...(address === undefined ? {} : { url: address.url, port: address.port }),
      ...(this.#problem === undefined ? {} : { problem: this.#problem.message, problemOrigin: originOf(this.#problem) }),
    };
  }

  settings(): IntegrationSettings {
    return this.#parts.settings.get();
  }

  /** Saves the owner's settings and applies them: starts, stops, or restarts at another port. */
  async change(settings: IntegrationSettings): Promise<IntegrationSettings> {
    const relative = settings.exportFolders.find((folder) => !isAbsolute(folder));
    if (relative !== undefined) throw new HostError('INVALID_REQUEST', `"${relative}" is not the whole path of a folder.`);
    const before = this.#parts.settings.get();
    const after = this.#parts.settings.set(settings);
    const { server } = this.#parts;
    server.changes.abilitiesChanged();
    const moved = before.port !== after.port;
    if (moved) this.#portOfRun = undefined;
    if (before.enabled !== after.enabled)
      this.#recorder.administered(after.enabled ? 'server switched on' : 'server switched off');
    if (before.oauth !== after.oauth) {
      this.#recorder.administered(after.oauth ? 'oauth switched on' : 'oauth switched off');
      if (!after.oauth) await this.#endSignIns();
    }
    this.#problem = undefined;
    if (!after.enabled || moved) await server.stop();
    if (after.enabled && server.address === undefined) {
      try {
        await server.start({ port: this.#portOfRun ?? after.port });
      } catch (error) {
        this.#problem = error instanceof HostError ? error : notStarted(error);
      }
    }
    return after;
  }

  /** Those that people made, and those that clients got by OAuth. */
  tokens(): readonly TokenSummary[] {
    const byOAuth = this.#parts.oauthGrants.tokenIds();
    return this.#parts.tokens
      .list()
      .map((info) => (byOAuth.has(info.id) ? { ...toSummary(info), prefix: 'tbo_', byOAuth: true } : toSummary(info)));
  }

  mint({ name, scope, connections, expiresAt }: MintTokenInput): NewToken {
    const { info, text } = this.#parts.tokens.mint({
      name,
      scope,
      connections,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    });
    this.#recorder.administered('token created', { tokenId: info.id, tokenName: info.name });
    return { token: toSummary(info), text };
  }

  revoke(tokenId: string): void {
    this.#parts.tokens.revoke(tokenId);
  }

  watchApprovals(signal: AbortSignal): AsyncIterable<readonly PendingApproval[]> {
    return this.#parts.queue.watch(signal);
  }

  answerApproval(id: string, answer: ApprovalAnswer, digest: string): ApprovalAnswered {
    return this.#parts.queue.answer(id, answer, digest);
  }

  watchConsents(signal: AbortSignal): AsyncIterable<readonly PendingConsent[]> {
    return this.#parts.consents.watch(signal);
  }

  answerConsent(id: string, answer: ConsentAnswer): ConsentAnswered {
    const taken = this.#parts.consents.answer(id, answer);
    if (taken && !answer.allow) this.#recorder.administered('oauth access denied');
    return { taken };
  }

  watchNewSecrets(signal: AbortSignal): AsyncIterable<readonly NewSecret[]> {
    return this.#parts.newSecrets.watch(signal);
  }

  dismissNewSecret(id: string): void {
    this.#parts.newSecrets.dismiss(id);
  }

  grants(): readonly ApprovalGrantInfo[] {
    return this.#parts.grants.list();
  }

  revokeGrant(id: string): void {
    this.#parts.grants.revoke(id);
    this.#recorder.administered('approval revoked');
  }

  activity(filter: ActivityFilter, signal: AbortSignal): Promise<ActivityPage> {
    return this.#parts.log.list(filter, signal);
  }

  /** The log as CSV, in parts. */
  exportActivity(filter: ActivityFilter): AsyncIterable<string> {
    return activityCsv(this.#parts.log.all(filter));
  }

  verifyActivity(signal: AbortSignal): Promise<ActivityVerification> {
    return this.#parts.log.verify(signal);
  }

  clients(): readonly ConnectedClient[] {
    return this.#parts.server
      .clients()
      .map(({ principal, client, protocolVersion, firstSeen, lastSeen, requests, inFlight }) => ({
        tokenId: principal.tokenId,
        tokenName: principal.name,
        tokenKind: principal.kind,
        ...(client === undefined ? {} : client),
        ...(protocolVersion === undefined ? {} : { protocolVersion }),
        firstSeenAt: new Date(firstSeen).toISOString(),
        lastSeenAt: new Date(lastSeen).toISOString(),
        requests,
        inFlight,
      }));
  }

  /** Clients that signed in are refused at once, what they run included. */
  async #endSignIns(): Promise<void> {
    this.#parts.oauth.turnedOff();
    for (const tokenId of this.#parts.oauthGrants.tokenIds()) await this.#parts.server.disconnect(tokenId);
  }

  async disconnect(tokenId: string): Promise<void> {
    await this.#parts.server.disconnect(tokenId);
    this.#recorder.administered('client disconnected', { tokenId });
  }
}

function toSummary({
  id,
  name,
  prefix,
  scope,
  connections,
  createdAt,
  lastUsedAt,
  expiresAt,
  revokedAt,
}: TokenInfo): TokenSummary {
  return {
    id,
    name,
    prefix,
    scope,
    connections,
    createdAt,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(revokedAt === undefined ? {} : { revokedAt }),
  };
}

function notStarted(cause: unknown): HostError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HostError('INTERNAL', hostSentence('mcpServerNotStarted', { reason }), { cause });
}
