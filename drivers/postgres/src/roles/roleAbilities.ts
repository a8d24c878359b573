import type { Ability } from '@tabularium/sdk';
import { STANDBY, no } from '../catalogue/reasons.ts';
import type { ServerFacts } from '../pgDatabase.ts';
import type { Flag, Role, RoleState } from './roleState.ts';

const ALLOWED: Ability = { allowed: true };
const WITH_OPTIONS = 160_000;

const CREATEROLE = {
  reason: 'Your role has no CREATEROLE: a superuser, or a role with it, can do this.',
  id: 'role.noCreaterole',
};
const OF_SUPERUSER = { reason: 'Only a superuser can change this role.', id: 'role.ofSuperuser' };
const NO_ADMIN = { reason: 'Your role has no ADMIN option on this role, which changing it needs.', id: 'role.noAdmin' };
const PREDEFINED = { reason: 'A predefined role is a part of the server.', id: 'role.isPredefined' };
const FIRST = { reason: 'The server needs the superuser that it was set up with.', id: 'role.isFirst' };
const OWN = { reason: 'This connection signs in as this role.', id: 'role.isOwn' };
const LACKS = { reason: "Your role doesn't have this attribute, so it can't give it.", id: 'role.lacksAttribute' };
const SUPERUSER_ONLY = { reason: 'Only a superuser can give this attribute.', id: 'role.superuserOnly' };

/** Whether the connected role may make a role. */
export function addable({ isStandby, isSuperuser, mayCreateRoles }: ServerFacts): Ability {
  if (isStandby) return no(STANDBY);
  return isSuperuser || mayCreateRoles ? ALLOWED : no(CREATEROLE);
}

/** How much of a role the connected one may change. */
export type Reach = 'all' | 'members' | 'password';

/** @returns why nothing may be changed, where it is so */
export function changeablePart(
  { me }: RoleState,
  role: Role,
  { isStandby, number }: ServerFacts,
): Reach | Exclude<Ability, { allowed: true }> {
  const reason = isStandby ? no(STANDBY) : role.isPredefined ? no(PREDEFINED) : changes(me, role, number);
  if (isStandby || reason.allowed) return reason.allowed ? 'all' : reason;
  // Before PostgreSQL 15 each role has the ADMIN option on itself.
  if (role.isOwn) return 'password';
  return role.mayAdminister ? 'members' : reason;
}

function changes(me: Role | undefined, role: Role, version: number): Ability {
  if (me?.superuser === true) return ALLOWED;
  if (me?.createrole !== true) return no(CREATEROLE);
  if (role.superuser || (version < WITH_OPTIONS && role.replication)) return no(OF_SUPERUSER);
  return version < WITH_OPTIONS || role.mayAdminister ? ALLOWED : no(NO_ADMIN);
}

export function editable(state: RoleState, role: Role, facts: ServerFacts): Ability {
  const reach = changeablePart(state, role, facts);
  return typeof reach === 'string' ? ALLOWED : reach;
}

export function removable({ me }: RoleState, role: Role, { isStandby, number }: ServerFacts): Ability {
  if (isStandby) return no(STANDBY);
  if (role.isPredefined) return no(PREDEFINED);
  if (role.isFirst) return no(FIRST);
  return role.isOwn ? no(OWN) : changes(me, role, number);
}

/** Whether the connected role may give an attribute, and take it. */
export function givable({ me }: RoleState, flag: Flag, { number }: ServerFacts): Ability {
  if (me?.superuser === true || flag === 'login' || flag === 'inherit' || flag === 'createrole') return ALLOWED;
  if (flag === 'superuser') return no(SUPERUSER_ONLY);
  if (number >= WITH_OPTIONS) return me?.[flag] === true ? ALLOWED : no(LACKS);
  return flag === 'createdb' ? ALLOWED : no(SUPERUSER_ONLY);
}

/** Whether the connected role may rename a role. */
export function renamable(role: Role): Ability {
  return role.isOwn ? no(OWN) : ALLOWED;
}
