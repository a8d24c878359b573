import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import type { PgStep, PgAnswer, TextRow } from '../wire/batch.ts';
import { ROLES, memberships } from './queries.ts';

/** Attributes that are on or off, in the order to show them. */
export const FLAGS = ['login', 'superuser', 'createdb', 'createrole', 'replication', 'bypassrls', 'inherit'] as const;
export type Flag = (typeof FLAGS)[number];

export interface Role extends Readonly<Record<Flag, boolean>> {
  readonly oid: string;
  readonly name: string;
  /** -1 is none. */
  readonly connectionLimit: number;
  /** ISO 8601. */
  readonly validUntil: string | undefined;
  /** A moment that ISO 8601 doesn't have, such as one before Christ. */
  readonly oddUntil: string | undefined;
  readonly comment: string | undefined;
  /** A part of the server, such as `pg_monitor`. */
  readonly isPredefined: boolean;
  /** The superuser that the cluster was made with. */
  readonly isFirst: boolean;
  /** This connection signs in as it, or acts as it. */
  readonly isOwn: boolean;
  readonly isCurrent: boolean;
  /** The connected role has the ADMIN option on it. */
  readonly mayAdminister: boolean;
  /** The connected role has what it may do. */
  readonly mayUse: boolean;
}

/** A grant of one role to another. The same membership can be granted by several. */
export interface Membership {
  readonly role: string;
  readonly member: string;
  readonly grantor: string;
  readonly admin: boolean;
  /** Undefined before 16. */
  readonly inherit: boolean | undefined;
  readonly set: boolean | undefined;
}

/** The roles of a server, as they are at a moment. */
export interface RoleState {
  readonly roles: ReadonlyMap<string, Role>;
  readonly memberships: readonly Membership[];
  /** The connected role; undefined where somebody dropped it. */
  readonly me: Role | undefined;
}

export const stateSteps = (version: number): readonly PgStep[] => [ROLES, memberships(version)];

/** @param answers - of {@link stateSteps} */
export function stateOf([roles, members]: readonly PgAnswer[]): RoleState {
  const found = new Map((roles?.rows ?? []).map((row) => [row[0] ?? '', roleOf(row)]));
  return {
    roles: found,
    memberships: (members?.rows ?? []).map(([role, member, grantor, admin, inherit, set]) => ({
      role: role ?? '',
      member: member ?? '',
      grantor: grantor ?? '',
      admin: admin === 't',
      inherit: inherit == null ? undefined : inherit === 't',
      set: set == null ? undefined : set === 't',
    })),
    me: [...found.values()].find(({ isCurrent }) => isCurrent),
  };
}

function roleOf(row: TextRow): Role {
  const is = (place: number): boolean => row[place] === 't';
  return {
    oid: row[0] ?? '',
    name: row[1] ?? '',
    login: is(2),
    superuser: is(3),
    createdb: is(4),
    createrole: is(5),
    replication: is(6),
    bypassrls: is(7),
    inherit: is(8),
    connectionLimit: Number(row[9]),
    validUntil: row[10] ?? undefined,
    oddUntil: row[11] ?? undefined,
    comment: row[12] ?? undefined,
    isPredefined: is(13),
    isFirst: is(14),
    isOwn: is(15),
    isCurrent: is(16),
    mayAdminister: is(17),
    mayUse: is(18),
  };
}

/** @throws DriverError `NOT_FOUND` */
export function roleWith({ roles }: RoleState, id: string): Role {
  const role = roles.get(id);
  if (role !== undefined) return role;
  throw new DriverError('NOT_FOUND', 'The role is gone: somebody dropped it, or the list is old.', {
    details: { texts: faultTexts('role.gone') },
  });
}

export function roleName({ roles }: RoleState, oid: string): string {
  return roles.get(oid)?.name ?? `(${oid})`;
}

/** The roles that a role is a member of, each with its grants. */
export function groupsOf(state: RoleState, member: string): ReadonlyMap<string, readonly Membership[]> {
  return Map.groupBy(
    state.memberships.filter((one) => one.member === member),
    ({ role }) => role,
  );
}

/** The members of a role, each with its grants. */
export function membersOf(state: RoleState, role: string): ReadonlyMap<string, readonly Membership[]> {
  return Map.groupBy(
    state.memberships.filter((one) => one.role === role),
    ({ member }) => member,
  );
}
