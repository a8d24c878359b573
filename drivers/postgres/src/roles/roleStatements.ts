import { DriverError } from '@tabularium/sdk';
import type { PrincipalInput } from '@tabularium/sdk';
import { faultTexts, invalid } from '../fault.ts';
import { literal, quoted } from '../names.ts';
import { FLAGS, groupsOf, membersOf, roleName } from './roleState.ts';
import type { Flag, Membership, Role, RoleState } from './roleState.ts';

/** In place of the verifier of a password, wherever a person or a log could read it. */
export const HIDDEN_PASSWORD = '<SCRAM verifier of the password>';
const MOST_NAME_BYTES = 63;

/** The one value of a field. Undefined: the field was not changed; null: it is empty. */
export function one(input: PrincipalInput, id: string): string | null | undefined {
  const values = Object.hasOwn(input, id) ? input[id] : undefined;
  return values === undefined ? undefined : (values[0] ?? null);
}

function list(input: PrincipalInput, id: string): readonly string[] | undefined {
  return Object.hasOwn(input, id) ? input[id] : undefined;
}

/** @throws DriverError `INVALID_INPUT` for a name that the server would refuse or cut */
function nameFrom(input: PrincipalInput): string {
  const name = one(input, 'name') ?? '';
  if (name === '') throw invalid('Enter the name of the role.', 'name', { id: 'role.noName' });
  if (name.includes('\0')) throw invalid("A name can't contain a zero character.", 'name', { id: 'role.nulName' });
  if (Buffer.byteLength(name) > MOST_NAME_BYTES)
    throw invalid(`The name is longer than ${MOST_NAME_BYTES} bytes.`, 'name', { id: 'role.longName' });
  if (/^pg_/.test(name) || name === 'public' || name === 'none')
    throw invalid(`PostgreSQL keeps the name “${name}” for itself.`, 'name', { id: 'role.reservedName', values: { name } });
  return name;
}

/** The part behind ALTER ROLE or CREATE ROLE; empty where nothing is asked for. */
function options(input: PrincipalInput, role: Role | undefined, password: string | undefined): string {
  const parts = FLAGS.flatMap((flag) => {
    const value = one(input, flag);
    const isOn = value === 'true';
    if (value === undefined || (role !== undefined && role[flag] === isOn)) return [];
    return role === undefined && isDefault(flag, isOn) ? [] : [isOn ? flag.toUpperCase() : `NO${flag.toUpperCase()}`];
  });
  if (password !== undefined) parts.push(`PASSWORD ${literal(password)}`);
  else if (one(input, 'noPassword') === 'true') parts.push('PASSWORD NULL');
  const limit = limitFrom(input);
  if (limit !== undefined && limit !== (role?.connectionLimit ?? -1)) parts.push(`CONNECTION LIMIT ${limit}`);
  const until = one(input, 'validUntil');
  if (until != null) parts.push(`VALID UNTIL ${literal(momentOf(until))}`);
  else if (until === null && role !== undefined) parts.push(`VALID UNTIL 'infinity'`);
  return parts.length === 0 ? '' : ` WITH ${parts.join(' ')}`;
}

const isDefault = (flag: Flag, isOn: boolean): boolean => isOn === (flag === 'inherit');

function limitFrom(input: PrincipalInput): number | undefined {
  const text = one(input, 'connectionLimit');
  if (text === undefined) return undefined;
  if (text === null) return -1;
  if (!/^\d{1,9}$/.test(text))
    throw invalid('Enter a whole number of connections, or nothing.', 'connectionLimit', { id: 'role.badLimit' });
  return Number(text);
}

function momentOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() > 9_998 || moment.getUTCFullYear() < 2)
    throw invalid('Enter a date and a time, such as 2030-12-31T23:59:00Z.', 'validUntil', { id: 'role.badTime' });
  return moment.toISOString();
}

/** A membership as it is to be. Undefined options are the server's to choose. */
interface Wanted {
  readonly admin: boolean;
  readonly inherit?: boolean;
  readonly set?: boolean;
}

/** Whether memberships have the options INHERIT and SET, and a grant for each grantor. */
const hasOptions = (version: number): boolean => version >= 160_000;

/** Statements about one membership. Of one that several have granted, each grant is changed or taken back. */
class Memberships {
  readonly #state: RoleState;
  readonly #hasOptions: boolean;

  constructor(state: RoleState, version: number) {
    this.#state = state;
    this.#hasOptions = hasOptions(version);
  }

  grant(group: string, member: string, { admin, inherit, set }: Wanted): string {
    const grant = `GRANT ${quoted(group)} TO ${quoted(member)}`;
    if (!this.#hasOptions) return admin ? `${grant} WITH ADMIN OPTION` : grant;
    const given = [
      ...(admin ? ['ADMIN TRUE'] : []),
      ...(inherit === false ? ['INHERIT FALSE'] : []),
      ...(set === false ? ['SET FALSE'] : []),
    ];
    return given.length === 0 ? grant : `${grant} WITH ${given.join(', ')}`;
  }

  revoke(group: string, member: string, grants: readonly Membership[]): readonly string[] {
    const revoke = `REVOKE ${quoted(group)} FROM ${quoted(member)}`;
    return this.#hasOptions ? grants.map((grant) => `${revoke}${this.#by(grant)}`) : [revoke];
  }

  change(group: string, member: string, grants: readonly Membership[], wanted: Wanted): readonly string[] {
    const is = grants.some(({ admin }) => admin);
    const [to, from] = [`${quoted(group)} TO ${quoted(member)}`, `${quoted(group)} FROM ${quoted(member)}`];
    if (!this.#hasOptions) {
      if (is === wanted.admin) return [];
      return [wanted.admin ? `GRANT ${to} WITH ADMIN OPTION` : `REVOKE ADMIN OPTION FOR ${from}`];
    }
    return grants.flatMap((grant) => {
      const changed = (['admin', 'inherit', 'set'] as const).flatMap((option) => {
        const will = wanted[option];
        const isNow = grants.some((other) => other[option] === true);
        return will === undefined || will === isNow || will === grant[option]
          ? []
          : [`${option.toUpperCase()} ${will ? 'TRUE' : 'FALSE'}`];
      });
      return changed.length === 0 ? [] : [`GRANT ${to} WITH ${changed.join(', ')}${this.#by(grant)}`];
    });
  }

  #by({ grantor }: Membership): string {
    if (this.#state.roles.get(grantor)?.mayUse !== true) {
      const name = roleName(this.#state, grantor);
      throw new DriverError(
        'ACCESS_REFUSED',
        `“${name}” granted this membership, and your role doesn't have its permissions, so it can't change it.`,
        {
          details: { texts: faultTexts('role.ofGrantor', { name }) },
        },
      );
    }
    return ` GRANTED BY ${quoted(roleName(this.#state, grantor))}`;
  }
}

/**
 * The roles with these names.
 *
 * @param role - can't be one of them
 */
function rolesNamed(
  state: RoleState,
  names: readonly string[],
  field: string,
  role: Role | undefined,
): ReadonlyMap<string, Role> {
  const byName = new Map([...state.roles.values()].map((one) => [one.name, one]));
  return new Map(
    names.map((name) => {
      const found = byName.get(name);
      if (found === undefined)
        throw invalid(`There is no role “${name}”.`, field, { id: 'role.none', values: { name: name.slice(0, 100) } });
      if (found.oid === role?.oid) throw invalid("A role can't be a member of itself.", field, { id: 'role.ofItself' });
      return [found.oid, found];
    }),
  );
}

function groupStatements(
  input: PrincipalInput,
  state: RoleState,
  name: string,
  role: Role | undefined,
  version: number,
): readonly string[] {
  const fields = ['memberOf', 'admin', 'noInherit', 'noSet'] as const;
  if (fields.every((field) => list(input, field) === undefined)) return [];
  if (!hasOptions(version))
    for (const field of ['noInherit', 'noSet'] as const)
      if ((list(input, field) ?? []).length > 0)
        throw invalid('The options INHERIT and SET of a membership need PostgreSQL 16 or newer.', field, {
          id: 'role.noOptions',
        });
  const now = role === undefined ? new Map<string, readonly Membership[]>() : groupsOf(state, role.oid);
  const chosen = (field: (typeof fields)[number], otherwise: (grants: readonly Membership[]) => boolean): ReadonlySet<string> => {
    const names = list(input, field);
    if (names !== undefined) return new Set(rolesNamed(state, names, field, role).keys());
    return new Set([...now].filter(([, grants]) => otherwise(grants)).map(([oid]) => oid));
  };
  const groups = chosen('memberOf', () => true);
  const admin = chosen('admin', (grants) => grants.some((grant) => grant.admin));
  const noInherit = chosen('noInherit', (grants) => !grants.some(({ inherit }) => inherit));
  const noSet = chosen('noSet', (grants) => !grants.some(({ set }) => set));
  for (const [field, oids] of [
    ['admin', admin],
    ['noInherit', noInherit],
    ['noSet', noSet],
  ] as const)
    for (const oid of oids)
      if (!groups.has(oid) && list(input, field) !== undefined && !now.has(oid))
        throw invalid(`“${roleName(state, oid)}” is not among the roles that it is a member of.`, field, {
          id: 'role.notMember',
          values: { name: roleName(state, oid) },
        });
  const memberships = new Memberships(state, version);
  return [
    ...[...now].flatMap(([oid, grants]) => (groups.has(oid) ? [] : memberships.revoke(roleName(state, oid), name, grants))),
    ...[...groups].flatMap((oid) => {
      const grants = now.get(oid);
      const group = roleName(state, oid);
      const [isAdmin, inherits, sets] = [admin.has(oid), !noInherit.has(oid), !noSet.has(oid)];
      if (grants === undefined)
        return [
          memberships.grant(group, name, {
            admin: isAdmin,
            ...(inherits ? {} : { inherit: false }),
            ...(sets ? {} : { set: false }),
          }),
        ];
      return memberships.change(group, name, grants, { admin: isAdmin, inherit: inherits, set: sets });
    }),
  ];
}

function memberStatements(
  input: PrincipalInput,
  state: RoleState,
  name: string,
  role: Role | undefined,
  version: number,
): readonly string[] {
  const names = list(input, 'members');
  if (names === undefined) return [];
  const now = role === undefined ? new Map<string, readonly Membership[]>() : membersOf(state, role.oid);
  const wanted = rolesNamed(state, names, 'members', role);
  const memberships = new Memberships(state, version);
  return [
    ...[...now].flatMap(([oid, grants]) => (wanted.has(oid) ? [] : memberships.revoke(name, roleName(state, oid), grants))),
    ...[...wanted.values()].flatMap((member) =>
      now.has(member.oid) ? [] : [memberships.grant(name, member.name, { admin: false })],
    ),
  ];
}

function commentStatements(input: PrincipalInput, name: string, was: string | undefined): readonly string[] {
  const comment = one(input, 'comment');
  if (comment === undefined || comment === (was ?? null)) return [];
  if (comment?.includes('\0') === true)
    throw invalid("A comment can't contain a zero character.", 'comment', { id: 'role.nulComment' });
  return [`COMMENT ON ROLE ${quoted(name)} IS ${literal(comment)}`];
}

/** @param password - its verifier, or what is shown in its place */
export function createStatements(
  input: PrincipalInput,
  state: RoleState,
  version: number,
  password: string | undefined,
): { readonly name: string; readonly statements: readonly string[] } {
  const name = nameFrom(input);
  if ([...state.roles.values()].some((role) => role.name === name)) throw taken(name);
  return {
    name,
    statements: [
      `CREATE ROLE ${quoted(name)}${options(input, undefined, password)}`,
      ...groupStatements(input, state, name, undefined, version),
      ...memberStatements(input, state, name, undefined, version),
      ...commentStatements(input, name, undefined),
    ],
  };
}

/** The statements of a change; the new name comes last. */
export function changeStatements(
  input: PrincipalInput,
  state: RoleState,
  role: Role,
  version: number,
  password: string | undefined,
): readonly string[] {
  const { name } = role;
  const renamed = one(input, 'name') === undefined ? name : nameFrom(input);
  if (renamed !== name && [...state.roles.values()].some((other) => other.name === renamed)) throw taken(renamed);
  const altered = options(input, role, password);
  return [
    ...(altered === '' ? [] : [`ALTER ROLE ${quoted(name)}${altered}`]),
    ...groupStatements(input, state, name, role, version),
    ...memberStatements(input, state, name, role, version),
    ...commentStatements(input, name, role.comment),
    ...(renamed === name ? [] : [`ALTER ROLE ${quoted(name)} RENAME TO ${quoted(renamed)}`]),
  ];
}

function taken(name: string): DriverError {
  return new DriverError('CONFLICT', `There is a role “${name}” already.`, {
    details: { field: 'name', texts: faultTexts('role.taken', { name }) },
  });
}
