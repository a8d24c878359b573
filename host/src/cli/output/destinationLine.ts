import { visibleText } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../common/connection.ts';
import type { Protection } from '../../common/destinationOf.ts';
import { destinationOf, destinationUrls } from '../../common/destinationOf.ts';
import { destinationProblems } from '../../common/destinationProblems.ts';
import { shownOriginsOf } from '../../common/furtherDestinations.ts';
import type { ShownOrigin } from '../../common/furtherDestinations.ts';
import { tokenOriginsOf } from '../../common/tokenOriginsOf.ts';
import { tunnelOf, tunnelUrl } from '../../common/tunnelOf.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';

export const PROTECTION_WORDS: Readonly<Record<Protection, string>> = {
  plain: 'not encrypted',
  none: 'encrypted, certificate not checked',
  chain: 'certificate checked, host name not checked',
  identity: 'certificate and host name checked',
};

/** A line that says where the requests and credentials of a connection go; empty for a driver that sends none, and for an invalid address. */
export function destinationLine(manifest: Manifest, settings: SettingsValues): string {
  const server = serverPermissionOf(manifest);
  if (server === undefined || destinationProblems(server, manifest, settings).length > 0) return '';
  const destination = destinationOf(server, manifest, settings);
  const url = visibleText(destinationUrls(destination).join(', '), 'name');
  const tunnel = tunnelOf(manifest, settings);
  const way = tunnel === undefined ? '' : ` through ${visibleText(tunnelUrl(tunnel), 'name')}`;
  const first = `Requests and credentials go to ${url}${way} (${PROTECTION_WORDS[destination.protection]}).\n`;
  const tokens = tokenOriginsOf(manifest, settings).map((origin) => visibleText(origin, 'name'));
  const further = shownOriginsOf(manifest, settings).map((origin) => furtherLine(origin, way));
  return [first, ...(tokens.length === 0 ? [] : [`Tokens come from ${tokens.join(', ')}.\n`]), ...further].join('');
}

/** The driver's own texts are in quotes, so that they aren't read as Tabularium's. */
function furtherLine({ label, reason, url, protection, credentials }: ShownOrigin, way: string): string {
  const name = JSON.stringify(visibleText(label, 'name'));
  const what =
    credentials.length === 0 ? 'Requests without credentials' : `Requests with ${visibleText(credentials.join(', '), 'name')}`;
  const why = JSON.stringify(visibleText(reason));
  return `${what} also go to ${name} at ${visibleText(url, 'name')}${way} (${PROTECTION_WORDS[protection]}). The driver says why: ${why}\n`;
}
