import { driverText } from '@tabularium/sdk';
import type { PrincipalFacts } from '@tabularium/sdk';
import type { PgAnswer } from '../wire/batch.ts';
import { MOST_FACTS } from './queries.ts';
import { groupsOf, membersOf, roleName } from './roleState.ts';
import type { Membership, Role, RoleState } from './roleState.ts';

type Rows = readonly (readonly string[])[];

const COLUMNS = {
  role: 'Role',
  options: 'Options',
  grantor: 'Granted by',
  kind: 'Kind',
  object: 'Object',
  privileges: 'Permissions',
  database: 'Database',
  setting: 'Setting',
  owned: 'Owned objects',
  granted: 'Permissions',
} as const;
const TITLES = {
  memberOf: 'Member of',
  members: 'Members',
  owned: 'Owned objects',
  grants: 'Permissions in this database',
  elsewhere: 'In other databases',
  settings: 'Settings',
} as const;

/** @param answers - of what it owns, its grants, its settings, and its dependents by database */
export function detailsOf(
  state: RoleState,
  role: Role,
  [owned, grants, settings, dependents]: readonly PgAnswer[],
): readonly PrincipalFacts[] {
  const rowsOf = (answer: PgAnswer | undefined): Rows => (answer?.rows ?? []).map((row) => row.map((text) => text ?? ''));
  const elsewhere = rowsOf(dependents).filter(([, isHere]) => isHere !== 't');
  return [
    facts('memberOf', ['role', 'options', 'grantor'], membershipRows(state, groupsOf(state, role.oid))),
    facts('members', ['role', 'options', 'grantor'], membershipRows(state, membersOf(state, role.oid))),
    facts('owned', ['object'], rowsOf(owned)),
    facts('grants', ['kind', 'object', 'privileges', 'grantor'], rowsOf(grants)),
    facts(
      'elsewhere',
      ['database', 'owned', 'granted'],
      elsewhere.map(([name = '', , objects = '', others = '']) => [name, objects, others]),
    ),
    facts('settings', ['database', 'setting'], rowsOf(settings)),
  ].filter(({ rows }) => rows.length > 0);
}

function facts(title: keyof typeof TITLES, columns: readonly (keyof typeof COLUMNS)[], rows: Rows): PrincipalFacts {
  const isCut = rows.length > MOST_FACTS;
  return {
    title: TITLES[title],
    texts: {
      title: driverText(`role.facts.${title}`),
      ...(isCut ? { note: driverText('role.factsCut', { count: MOST_FACTS }) } : {}),
    },
    columns: columns.map((column) => ({ label: COLUMNS[column], texts: { label: driverText(`role.column.${column}`) } })),
    rows: rows.slice(0, MOST_FACTS),
    ...(isCut ? { note: `The first ${MOST_FACTS} are shown.` } : {}),
  };
}

function membershipRows(state: RoleState, groups: ReadonlyMap<string, readonly Membership[]>): Rows {
  return [...groups].flatMap(([oid, grants]) =>
    grants.map((grant) => [roleName(state, oid), optionsOf(grant), roleName(state, grant.grantor)]),
  );
}

/** In PostgreSQL's own terms. */
function optionsOf({ admin, inherit, set }: Membership): string {
  return [
    ...(admin ? ['ADMIN'] : []),
    ...(inherit === undefined ? [] : [inherit ? 'INHERIT' : 'INHERIT FALSE']),
    ...(set === undefined ? [] : [set ? 'SET' : 'SET FALSE']),
  ].join(', ');
}
