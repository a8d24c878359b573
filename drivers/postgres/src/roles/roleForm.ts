import { driverText } from '@tabularium/sdk';
import type { Ability, PrincipalField } from '@tabularium/sdk';
import { cutText } from '../cutText.ts';
import type { ServerFacts } from '../pgDatabase.ts';
import { givable, renamable } from './roleAbilities.ts';
import type { Reach } from './roleAbilities.ts';
import { FLAGS, groupsOf, membersOf, roleName } from './roleState.ts';
import type { Flag, Membership, Role, RoleState } from './roleState.ts';

const MOST_CHOICES = 10_000;
/** Values of a list at most, as the contract has it. */
const MOST_MEMBERS = 1_000;

const FLAG_LABELS: Readonly<Record<Flag, readonly [label: string, help: string]>> = {
  login: ['Can log in (LOGIN)', 'Off: a group, whose members have its permissions.'],
  superuser: ['Superuser (SUPERUSER)', 'No permission of the database holds it back.'],
  createdb: ['Creates databases (CREATEDB)', 'May create databases, and owns them.'],
  createrole: ['Creates roles (CREATEROLE)', 'May create roles and hand out permissions.'],
  replication: ['Replicates (REPLICATION)', 'May copy the whole server.'],
  bypassrls: ['Bypasses row security (BYPASSRLS)', 'Policies of tables leave no rows out.'],
  inherit: ['Inherits (INHERIT)', 'Has the permissions of its groups without SET ROLE.'],
};

type Field = Omit<PrincipalField, 'id' | 'label' | 'type' | 'required' | 'help' | 'texts'> & { readonly required?: boolean };

/** A field with the ids of its translations. */
export function roleField(
  id: string,
  type: PrincipalField['type'],
  [label, help]: readonly [label: string, help?: string],
  { required = false, ...more }: Field = {},
): PrincipalField {
  return {
    id,
    type,
    label,
    required,
    ...(help === undefined ? {} : { help }),
    texts: {
      label: driverText(`role.field.${id}`),
      ...(help === undefined ? {} : { help: driverText(`role.field.${id}.help`) }),
    },
    ...more,
  };
}

/** The roles to choose from: predefined ones last. */
export function roleChoices({ roles }: RoleState, without?: string): NonNullable<PrincipalField['options']> {
  const choices = [...roles.values()].filter(({ oid }) => oid !== without).slice(0, MOST_CHOICES);
  return choices.map(({ name, isPredefined }) => ({
    value: name,
    label: name,
    ...(isPredefined ? { group: 'Predefined', texts: { group: driverText('role.predefined') } } : {}),
  }));
}

const on = (is: boolean): readonly string[] => (is ? ['true'] : []);
const unless = (ability: Ability): { readonly ability?: Ability } => (ability.allowed ? {} : { ability });

/**
 * The form of a role.
 *
 * @param role - undefined: of a new one
 */
export function formOf(state: RoleState, facts: ServerFacts, role: Role | undefined, reach: Reach): readonly PrincipalField[] {
  const choices = roleChoices(state, role?.oid);
  const members = membersField(state, role, choices);
  if (reach === 'members') return members;
  const password = passwordFields(role);
  if (reach === 'password') return password;
  return [
    roleField('name', 'text', ['Name', 'At most 63 bytes. Letter case counts.'], {
      required: true,
      ...(role === undefined ? {} : { default: [role.name], ...unless(renamable(role)) }),
    }),
    ...password,
    roleField('validUntil', 'time', ['Password valid until', 'Empty: for ever. Signing in without a password is not affected.'], {
      ...(role?.validUntil === undefined ? {} : { default: [role.validUntil] }),
    }),
    roleField('connectionLimit', 'text', ['Connections at once', 'Empty: as many as the server takes.'], {
      ...(role === undefined || role.connectionLimit < 0 ? {} : { default: [String(role.connectionLimit)] }),
    }),
    ...FLAGS.map((flag) => {
      const isOn = role?.[flag] ?? (flag === 'login' || flag === 'inherit');
      return roleField(flag, 'flag', FLAG_LABELS[flag], { default: on(isOn), ...unless(givable(state, flag, facts)) });
    }),
    ...groupFields(state, role, choices, facts.number),
    ...members,
    roleField('comment', 'text', ['Comment'], {
      ...(role?.comment === undefined ? {} : { default: [cutText(role.comment, 1_000)] }),
    }),
  ];
}

function passwordFields(role: Role | undefined): readonly PrincipalField[] {
  const help = "Sent as a SCRAM verifier, from which it can't be read.";
  const field = roleField('password', 'secret', ['Password', help]);
  if (role === undefined) return [field];
  return [field, roleField('noPassword', 'flag', ['Remove the password', 'Signing in with a password ends.'])];
}

function groupFields(
  state: RoleState,
  role: Role | undefined,
  choices: NonNullable<PrincipalField['options']>,
  version: number,
): readonly PrincipalField[] {
  const groups = [...(role === undefined ? [] : groupsOf(state, role.oid))];
  const list = (which: (grants: readonly Membership[]) => boolean): { readonly default?: readonly string[] } => {
    const names = groups.filter(([, grants]) => which(grants)).map(([oid]) => roleName(state, oid));
    return names.length === 0 ? {} : { default: names };
  };
  if (groups.length > MOST_MEMBERS) return [];
  return [
    roleField('memberOf', 'list', ['Member of', 'Roles whose permissions it gets.'], { options: choices, ...list(() => true) }),
    roleField('admin', 'list', ['Administers (ADMIN)', 'Of these, the roles in which it may make others members.'], {
      options: choices,
      ...list((grants) => grants.some(({ admin }) => admin)),
    }),
    ...(version < 160_000
      ? []
      : [
          roleField(
            'noInherit',
            'list',
            ["Doesn't inherit (INHERIT FALSE)", 'Of these, the roles whose permissions need SET ROLE.'],
            {
              options: choices,
              ...list((grants) => !grants.some(({ inherit }) => inherit)),
            },
          ),
          roleField('noSet', 'list', ["Can't become (SET FALSE)", 'Of these, the roles to which SET ROLE is not allowed.'], {
            options: choices,
            ...list((grants) => !grants.some(({ set }) => set)),
          }),
        ]),
  ];
}

function membersField(
  state: RoleState,
  role: Role | undefined,
  choices: NonNullable<PrincipalField['options']>,
): readonly PrincipalField[] {
  const names = role === undefined ? [] : [...membersOf(state, role.oid).keys()].map((oid) => roleName(state, oid));
  if (names.length > MOST_MEMBERS) return [];
  return [
    roleField('members', 'list', ['Members', 'Roles that get its permissions.'], {
      options: choices,
      ...(names.length === 0 ? {} : { default: names }),
    }),
  ];
}
