import { DriverError, driverText } from '@tabularium/sdk';
import type { PrincipalField, PrincipalInput, PrincipalPlan } from '@tabularium/sdk';
import { no } from '../catalogue/reasons.ts';
import { faultTexts, invalid } from '../fault.ts';
import { quoted } from '../names.ts';
import type { PgAnswer } from '../wire/batch.ts';
import { roleChoices, roleField } from './roleForm.ts';
import { one } from './roleStatements.ts';
import { membersOf } from './roleState.ts';
import type { Role, RoleState } from './roleState.ts';

/** The reasons that a role can't be dropped. */
export interface Dependents {
  /** In this database, and of the server as a whole. */
  readonly owned: number;
  /** Permissions, policies and default privileges. */
  readonly granted: number;
  readonly elsewhere: readonly string[];
}

const NO_USE = {
  reason: "Your role doesn't have the permissions of this role, which this needs. A superuser can do it.",
  id: 'role.noUsage',
};

export function dependentsOf({ rows }: PgAnswer): Dependents {
  const sum = (place: 2 | 3): number =>
    rows.filter(([, isHere]) => isHere === 't').reduce((all, row) => all + Number(row[place] ?? 0), 0);
  return {
    owned: sum(2),
    granted: sum(3),
    elsewhere: rows.filter(([, isHere]) => isHere !== 't').map(([name]) => name ?? ''),
  };
}

/** How a role is dropped; without dependents there is nothing to choose. */
export function removalForm(state: RoleState, role: Role, { owned, granted, elsewhere }: Dependents): readonly PrincipalField[] {
  const ability = role.mayUse ? {} : { ability: no(NO_USE) };
  return [
    ...(owned === 0
      ? []
      : [
          roleField('reassignTo', 'choice', ['Give what it owns to', 'REASSIGN OWNED, in this database.'], {
            options: roleChoices(state, role.oid).filter(({ group }) => group === undefined),
            ...ability,
          }),
        ]),
    ...(owned + granted === 0
      ? []
      : [
          roleField(
            'dropOwned',
            'flag',
            [
              'Drop what it still owns, and revoke its permissions',
              'DROP OWNED, in this database: what it owns and gives to no one is lost.',
            ],
            ability,
          ),
        ]),
    ...(elsewhere.length === 0
      ? []
      : [roleField('keep', 'flag', ["Don't drop the role yet", 'It owns something, or has permissions, in other databases.'])]),
  ];
}

/** @throws DriverError `CONFLICT` (with the field) where the server would refuse */
export function removalPlan(
  input: PrincipalInput,
  state: RoleState,
  role: Role,
  { owned, granted, elsewhere }: Dependents,
): PrincipalPlan {
  const to = one(input, 'reassignTo') ?? undefined;
  const [drops, keeps] = [one(input, 'dropOwned') === 'true', one(input, 'keep') === 'true'];
  const values = { name: role.name, owned, granted };
  if (to !== undefined && ![...state.roles.values()].some((other) => other.name === to && other.oid !== role.oid))
    throw invalid(`There is no role “${to}”.`, 'reassignTo', { id: 'role.none', values: { name: to.slice(0, 100) } });
  if (owned > 0 && to === undefined && !drops)
    throw conflict(
      `“${role.name}” owns ${counted(owned, 'object')} in this database. Give them to another role, or drop them.`,
      'reassignTo',
      faultTexts('role.owns', values),
    );
  if (granted > 0 && !drops && !keeps)
    throw conflict(
      `“${role.name}” has ${counted(granted, 'permission')} in this database, to be revoked first.`,
      'dropOwned',
      faultTexts('role.hasGrants', values),
    );
  if (elsewhere.length > 0 && !keeps)
    throw conflict(
      `“${role.name}” owns something, or has permissions, in ${shortList(elsewhere)}. Connect to each, and remove it there first.`,
      'keep',
      faultTexts('role.elsewhere', { name: role.name, databases: shortList(elsewhere) }),
    );
  const statements = [
    ...(to === undefined ? [] : [`REASSIGN OWNED BY ${quoted(role.name)} TO ${quoted(to)}`]),
    ...(drops ? [`DROP OWNED BY ${quoted(role.name)}`] : []),
    ...(keeps ? [] : [`DROP ROLE ${quoted(role.name)}`]),
  ];
  if (statements.length === 0) throw conflict('There is nothing to do.', 'keep', faultTexts('role.nothing'));
  const notes = [
    ...(drops && owned > 0 && to === undefined
      ? [
          {
            text: `Drops ${counted(owned, 'object')} that “${role.name}” owns. This can't be undone.`,
            id: driverText('role.note.drops', values),
          },
        ]
      : []),
    ...(keeps || membersOf(state, role.oid).size === 0
      ? []
      : [
          {
            text: `Its members lose what they may do through “${role.name}”: ${membersOf(state, role.oid).size} roles.`,
            id: driverText('role.note.members', { name: role.name, count: membersOf(state, role.oid).size }),
          },
        ]),
  ];
  return { statements, notes: notes.map(({ text }) => text), noteTexts: notes.map(({ id }) => id) };
}

function conflict(message: string, field: string, texts: ReturnType<typeof faultTexts>): DriverError {
  const advice = 'Choose in this form, and look at the statements again.';
  return new DriverError('CONFLICT', message, {
    details: { field, advice, texts: { ...texts, advice: driverText('role.choose') } },
  });
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Names, of which a long list says how many it leaves out. */
export function shortList(names: readonly string[], most = 5): string {
  const left = names.length - most;
  return left > 0 ? `${names.slice(0, most).join(', ')} +${left}` : names.join(', ');
}
