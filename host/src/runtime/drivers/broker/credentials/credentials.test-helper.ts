import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { manifestSchema } from '@tabularium/sdk/manifest';
import type { FurtherOriginInput, Manifest, ManifestInput } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../../common/connection.ts';
import { testManifest } from '../../processes/processes.test-helper.ts';
import { BROKER_TIMEOUTS } from '../connections.ts';
import { HttpBroker } from '../httpBroker.ts';
import { approvedGrant } from '../sealed.test-helper.ts';

/** The credentials of a manifest, as an author writes them. */
export type Credentials = NonNullable<NonNullable<ManifestInput['permissions']>['http']>['credentials'];

const text = (id: string, more: object = {}) => ({ id, label: id, type: 'text' as const, ...more });
const secret = (id: string) => ({ id, label: id, type: 'secret' as const });

/** A driver with these credentials and a form with fields for all of them. */
export function manifestWith(credentials: Credentials, furtherOrigins: FurtherOriginInput[] = []): Manifest {
  return manifestSchema.parse({
    ...testManifest({}),
    connection: {
      fields: [
        text('host'),
        { id: 'port', label: 'port', type: 'number' },
        {
          id: 'mode',
          label: 'mode',
          type: 'select',
          default: 'plain',
          options: ['plain', 'tls'].map((value) => ({ value, label: value })),
        },
        {
          id: 'way',
          label: 'way',
          type: 'select',
          default: 'password',
          options: ['password', 'token', 'none'].map((value) => ({ value, label: value })),
        },
        text('host2'),
        { id: 'port2', label: 'port2', type: 'number' },
        text('user'),
        text('url'),
        text('region'),
        secret('key'),
        secret('token'),
        secret('key2'),
      ],
    },
    permissions: {
      http: {
        origin: {
          host: { field: 'host', whenEmpty: '127.0.0.1' },
          port: { field: 'port', whenEmpty: 1 },
          scheme: { field: 'mode', plainValues: ['plain'] },
        },
        credentials,
        furtherOrigins,
      },
    },
  });
}

/** A further origin of {@link manifestWith} that the fields `host2` and `port2` name. */
export function furtherOrigin(
  id: string,
  credentials: Credentials = [],
  more: Partial<FurtherOriginInput> = {},
): FurtherOriginInput {
  return {
    id,
    label: `The ${id}`,
    reason: 'It is needed.',
    origin: {
      host: { field: 'host2' },
      port: { field: 'port2', whenEmpty: 1 },
      scheme: { field: 'mode', plainValues: ['plain'] },
    },
    credentials,
    ...more,
  };
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Answers a request whose body has arrived. */
export type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that keeps what it was asked. */
export async function serve(respond: Respond = (_request, response) => response.end('ok')) {
  const requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      respond(request, response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

const noFiles = () => Promise.reject(new Error('no files'));

/** A broker with these credentials, whose secrets a person has approved. Closed after the test. */
export async function brokerFor(
  credentials: Credentials,
  settings: SettingsValues,
  secrets: Record<string, string>,
  furtherOrigins: FurtherOriginInput[] = [],
  onMisuse?: (error: Error) => void,
): Promise<HttpBroker> {
  const manifest = manifestWith(credentials, furtherOrigins);
  const broker = new HttpBroker(await approvedGrant(manifest, settings, secrets, noFiles), BROKER_TIMEOUTS, onMisuse);
  cleanups.push(() => broker.close());
  return broker;
}
