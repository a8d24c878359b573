import { expect, it } from 'vitest';
import type { ServerFacts } from '../pgDatabase.ts';
import { changeablePart } from './roleAbilities.ts';
import type { Role } from './roleState.ts';

const facts: ServerFacts = {
  version: '14.23',
  number: 140_023,
  user: 'plain',
  database: 'postgres',
  isSuperuser: false,
  path: [],
  encoding: 'UTF8',
  isStandby: false,
  mayCreateRoles: false,
};

const plain: Role = {
  ...{ oid: '1', name: 'plain', connectionLimit: -1, validUntil: undefined, oddUntil: undefined, comment: undefined },
  ...{ login: true, superuser: false, createdb: false, createrole: false, replication: false, bypassrls: false, inherit: true },
  ...{ isPredefined: false, isFirst: false, isOwn: true, isCurrent: true, mayAdminister: false, mayUse: true },
};

it.each([
  [
    'the own password where the server lets each role administer itself, as before PostgreSQL 15',
    { mayAdminister: true },
    'password',
  ],
  ['the own password', {}, 'password'],
  ['the members of another role with the ADMIN option', { isOwn: false, isCurrent: false, mayAdminister: true }, 'members'],
] as const)('a role without CREATEROLE may change %s', (_, parts, part) => {
  const role = { ...plain, ...parts };
  expect(changeablePart({ roles: new Map(), memberships: [], me: plain }, role, facts)).toBe(part);
});

it('a role without CREATEROLE may change nothing of another role, with the reason', () => {
  const role = { ...plain, isOwn: false, isCurrent: false };
  expect(changeablePart({ roles: new Map(), memberships: [], me: plain }, role, facts)).toMatchObject({ allowed: false });
});
