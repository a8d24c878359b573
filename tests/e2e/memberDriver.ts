import { join } from 'node:path';
import type { PackageFiles } from '@tabularium/sdk/package';
import { collectDriver } from '@tabularium/sdk/cli';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';

const packageSchema = z.looseObject({
  tabularium: z.looseObject({
    connection: z.looseObject({ fields: z.array(z.looseObject({ id: z.string() })) }),
    permissions: z.looseObject({ http: z.looseObject({}) }),
  }),
});

/** The ways to sign in that a driver of tests has. */
export interface MemberDriver {
  readonly id: string;
  readonly title: string;
  readonly ways: readonly ('browser' | 'device')[];
}

/** The search driver for servers whose people sign in at a provider: as it is, but for the credential of its manifest. */
export async function memberDriver(provider: string, { id, title, ways }: MemberDriver): Promise<PackageFiles> {
  const files = new Map(await collectDriver(join(root, 'drivers/search')));
  const text = (path: string): string => new TextDecoder().decode(files.get(path));
  const set = (path: string, content: string): void => void files.set(path, new TextEncoder().encode(content));
  set('dist/index.js', text('dist/index.js').replace('defineDriver({\n\tid: "search"', `defineDriver({\n\tid: "${id}"`));
  const json = packageSchema.parse(JSON.parse(text('package.json')));
  const { translations: _translations, ...manifest } = json.tabularium;
  const at = (path: string) => ({ value: `${provider}${path}` });
  const credential = {
    scheme: 'oauth2',
    grant: 'signIn',
    field: 'account',
    clientId: { value: 'tabularium' },
    tokenUrl: at('/token'),
    ...(ways.includes('browser') ? { authorizationUrl: at('/auth') } : {}),
    ...(ways.includes('device') ? { deviceUrl: at('/device/auth') } : {}),
    revocationUrl: at('/token/revocation'),
    issuer: { value: provider },
    scope: { value: 'openid profile offline_access' },
  };
  const fields = manifest.connection.fields.map((field) =>
    field.id === 'apiKey' ? { id: 'account', label: 'Account', type: 'secret', pane: 'general' } : field,
  );
  const changed = {
    ...json,
    name: `@example/tabularium-driver-${id}`,
    tabularium: {
      ...manifest,
      ...{ id, title, tagline: 'Reads the tables of members.' },
      connection: { ...manifest.connection, fields },
      permissions: { ...manifest.permissions, http: { ...manifest.permissions.http, credentials: [credential] } },
    },
  };
  set('package.json', `${JSON.stringify(changed, null, 2)}\n`);
  return files;
}
