import { IntegrationSettingsStore } from './access/integrationSettings.ts';
import { TokenStore } from './access/tokenStore.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { ApprovalGate } from './approvals/approvalGate.ts';
import { ApprovalQueue } from './approvals/approvalQueue.ts';
import { ApprovalTickets } from './approvals/approvalTickets.ts';
import { GrantStore } from './approvals/grantStore.ts';
import { NewSecrets } from './approvals/newSecrets.ts';
import { ClientConnector } from './clients/clientConnector.ts';
import { HandshakeService } from './clients/handshakeService.ts';
import { McpSessionStore } from './http/mcpSessionStore.ts';
import { McpIntegrations } from './integrations.ts';
import { McpServer } from './mcpServer.ts';
import { AuthorizationCodes } from './oauth/authorizationCodes.ts';
import { ConsentQueue } from './oauth/consentQueue.ts';
import { OAuthClientStore } from './oauth/oauthClientStore.ts';
import { OAuthEndpoints } from './oauth/oauthEndpoints.ts';
import { OAuthGrantStore } from './oauth/oauthGrantStore.ts';

/** The services of the MCP server: access, approvals, OAuth, activity, clients. */
export const mcpServices = [
  TokenStore,
  IntegrationSettingsStore,
  GrantStore,
  NewSecrets,
  ApprovalQueue,
  ApprovalTickets,
  ApprovalGate,
  OAuthClientStore,
  OAuthGrantStore,
  AuthorizationCodes,
  ConsentQueue,
  OAuthEndpoints,
  ActivityLog,
  McpSessionStore,
  HandshakeService,
  ClientConnector,
  McpServer,
  McpIntegrations,
] as const;
