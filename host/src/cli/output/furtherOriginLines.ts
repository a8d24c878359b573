import { visibleText } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';

/** Lines about the servers that a driver reaches beside the first one; empty for a driver that reaches none. The driver's own texts are in quotes. */
export function furtherOriginLines({ permissions }: Manifest): string {
  return (permissions.http?.furtherOrigins ?? [])
    .map(({ label, reason, origin }) => {
      const name = JSON.stringify(visibleText(label, 'name'));
      const where = typeof origin === 'string' ? ` at ${visibleText(origin, 'name')}` : ', where a connection names its address';
      return `It also sends requests to ${name}${where}. The driver says why: ${JSON.stringify(visibleText(reason))}\n`;
    })
    .join('');
}
