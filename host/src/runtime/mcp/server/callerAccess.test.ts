import { expect, it } from 'vitest';
import type { SavedConnection } from '../../../common/connection.ts';
import type { ExternalClient } from '../access/externalClient.ts';
import { runAction } from '../access/runAction.ts';
import { CallerAccess } from './callerAccess.ts';

const reader: ExternalClient = { id: 'a', tokenId: 'a', kind: 'user', name: 'Reader', scope: 'readOnly', connections: 'all' };
const shop = {
  ...{ id: '1', name: 'Shop', driver: 'postgres', settings: {}, color: 'gray' },
  access: { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
} as unknown as SavedConnection;
const access = new CallerAccess(reader, { list: () => [shop], onChange: () => () => undefined });

it('takes a text that is the id of one connection and the name of another for neither, and never for one that is hidden', () => {
  const other = { ...shop, id: '2', name: '1' };
  const withOther = (more: Partial<SavedConnection['access']>): CallerAccess =>
    new CallerAccess(reader, {
      list: () => [shop, { ...other, access: { ...other.access, ...more } }],
      onChange: () => () => undefined,
    });
  expect(() => withOther({}).judge('1', { kind: 'see' }, false)).toThrow(
    '"1" is the id of the connection "Shop" and the name of the connection 2',
  );
  expect(withOther({}).judge('Shop', { kind: 'see' }, false).connection.id).toBe('1');
  expect(withOther({ externalClients: 'blocked' }).judge('1', { kind: 'see' }, false).connection.id).toBe('1');
});

it('says why a statement that looks like reading counts as more', () => {
  const unknown = { effect: 'destructive', unknown: true, summary: 'SELECT rows (the function purge)' } as const;
  expect(() => access.judge('Shop', runAction(unknown), false)).toThrow(
    "This token is read-only. The driver isn't certain that this only reads: SELECT rows (the function purge)",
  );
  const deletes = { effect: 'destructive', summary: 'DELETE rows' } as const;
  expect(() => access.judge('Shop', runAction(deletes), false)).toThrow(/^This token is read-only\.$/u);
});
