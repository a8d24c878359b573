import { DriverError } from '@tabularium/sdk';
import type { Principal, PrincipalAction, PrincipalPlan, PrincipalRequest, PrincipalsFacet } from '@tabularium/sdk';
import { cutText } from '../cutText.ts';
import { forms } from '../catalogue/readSettings.ts';
import { faultTexts, invalid, rolledBack } from '../fault.ts';
import { readOn, rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { Link } from '../wire/link.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { ITERATIONS, dependents, grants, owned, settings } from './queries.ts';
import { addable, editable, changeablePart, removable } from './roleAbilities.ts';
import { detailsOf } from './roleDetails.ts';
import { formOf } from './roleForm.ts';
import { dependentsOf, removalForm, removalPlan, shortList } from './roleRemoval.ts';
import { FLAGS, groupsOf, membersOf, roleName, roleWith, stateOf, stateSteps } from './roleState.ts';
import type { Role, RoleState } from './roleState.ts';
import { HIDDEN_PASSWORD, changeStatements, createStatements, one } from './roleStatements.ts';
import { checkPassword, scramVerifier } from './scramVerifier.ts';

const DEFAULT_ITERATIONS = 4_096;
/** A server may ask for more rounds than a driver has the time for. */
const MOST_ITERATIONS = 1_000_000;
const OPEN_ENDED = new AbortController().signal;

/** Asks on a connection, in whichever transaction it is. */
type Ask = (steps: readonly PgStep[]) => Promise<readonly PgAnswer[]>;

/** The roles of the server. */
export function createRoles(database: PgDatabase): PrincipalsFacet {
  const { facts } = database;
  const read = (signal: AbortSignal, steps: readonly PgStep[] = []): Promise<readonly PgAnswer[]> =>
    database.read([...stateSteps(facts.number), ...steps], signal);
  const principals = (state: RoleState): readonly Principal[] =>
    [...state.roles.values()].map((role) => principalOf(state, role, database));
  const changes: NonNullable<PrincipalsFacet['changes']> = {
    addable: addable(facts),
    async details(id, { signal }) {
      const oid = oidOf(id);
      const answers = await read(signal, [owned(oid), grants(oid), settings(oid), dependents(oid)]);
      const state = stateOf(answers);
      return detailsOf(state, roleWith(state, id), answers.slice(2));
    },
    async form(action, { signal }) {
      return await formFor(action, (steps) => database.read(steps, signal), database);
    },
    plan: (request, { signal }) => planned(request, (steps) => database.read(steps, signal), database),
    run: (request, confirmed, { signal }) => run(request, confirmed, database, signal),
  };
  return {
    term: { one: 'Role', other: 'Roles' },
    editable: { allowed: true },
    async list({ signal }) {
      return principals(stateOf(await read(signal)));
    },
    form: (options) => changes.form({ is: 'add' }, options),
    async create(input, options) {
      const { statements } = await changes.plan({ is: 'add', input }, options);
      const [principal] = await changes.run({ is: 'add', input }, statements, options);
      if (principal === undefined) throw rolledBack();
      return { principal };
    },
    async remove(id, options) {
      const { statements } = await changes.plan({ is: 'remove', id, input: {} }, options);
      await changes.run({ is: 'remove', id, input: {} }, statements, options);
    },
    changes,
  };
}

/** @throws DriverError `NOT_FOUND` for a text that can't be the id of a role */
function oidOf(id: string): string {
  if (/^\d{1,10}$/.test(id) && Number(id) <= 4_294_967_295) return id;
  throw new DriverError('NOT_FOUND', 'The role is gone: somebody dropped it, or the list is old.', {
    details: { texts: faultTexts('role.gone') },
  });
}

function principalOf(state: RoleState, role: Role, { facts }: PgDatabase): Principal {
  const { oid, name, connectionLimit, comment, validUntil, oddUntil } = role;
  const names = (found: ReadonlyMap<string, unknown>): string =>
    shortList(
      [...found.keys()].map((one) => roleName(state, one)),
      20,
    ).slice(0, 4_000);
  const [groups, members] = [groupsOf(state, oid), membersOf(state, oid)];
  return {
    id: oid,
    label: name,
    reach: role.isPredefined ? 'Predefined role' : role.login ? 'Login role' : 'Group role',
    serverWide: role.superuser,
    actions: [
      ...FLAGS.filter((flag) => flag !== 'inherit' && role[flag]).map((flag) => flag.toUpperCase()),
      ...(role.inherit ? [] : ['NOINHERIT']),
    ],
    attributes: [
      ...(role.isOwn ? [{ label: 'Connection', value: 'Signs in as this role' }] : []),
      ...(groups.size === 0 ? [] : [{ label: 'Member of', value: names(groups) }]),
      ...(members.size === 0 ? [] : [{ label: 'Members', value: names(members) }]),
      ...(connectionLimit < 0 ? [] : [{ label: 'Connections', value: `At most ${connectionLimit}` }]),
      ...(oddUntil === undefined ? [] : [{ label: 'Valid until', value: oddUntil }]),
      ...(comment === undefined ? [] : [{ label: 'Comment', value: cutText(comment, 1_000) }]),
    ],
    ...(validUntil === undefined ? {} : { expiresAt: validUntil }),
    editable: editable(state, role, facts),
    removable: removable(state, role, facts),
  };
}

async function formFor(action: PrincipalAction, ask: Ask, { facts }: PgDatabase): ReturnType<PrincipalsFacet['form']> {
  const oid = action.is === 'add' ? undefined : oidOf(action.id);
  const steps = action.is === 'remove' && oid !== undefined ? [dependents(oid)] : [];
  const answers = await ask([...stateSteps(facts.number), ...steps]);
  const state = stateOf(answers);
  if (oid === undefined) return formOf(state, facts, undefined, 'all');
  const role = roleWith(state, oid);
  if (action.is === 'remove') return removalForm(state, role, dependentsOf(answers[2] ?? NOTHING));
  const reach = changeablePart(state, role, facts);
  if (typeof reach === 'string') return formOf(state, facts, role, reach);
  throw new DriverError('ACCESS_REFUSED', reach.reason, { details: { texts: { message: reach.texts?.['reason'] } } });
}

const NOTHING: PgAnswer = { fields: [], rows: [], tag: '' };

/** A plan, and how to do it with the verifier of the password. */
interface Work extends PrincipalPlan {
  /** As the statements, with the password's verifier in place of what is shown. */
  real(verifier: string): readonly string[];
  /** The name of the role afterwards; undefined where it is gone. */
  readonly name: string | undefined;
  readonly password: string | undefined;
}

async function planned(request: PrincipalRequest, ask: Ask, database: PgDatabase): Promise<PrincipalPlan> {
  const { statements, notes, noteTexts } = await workOf(request, ask, database);
  return { statements, notes, ...(noteTexts === undefined ? {} : { noteTexts }) };
}

async function workOf(request: PrincipalRequest, ask: Ask, { facts }: PgDatabase): Promise<Work> {
  const { is, input } = request;
  const oid = is === 'add' ? undefined : oidOf(request.id);
  const answers = await ask([...stateSteps(facts.number), ...(is === 'remove' && oid !== undefined ? [dependents(oid)] : [])]);
  const state = stateOf(answers);
  const password = one(input, 'password') ?? undefined;
  if (password !== undefined) checkPassword(password);
  const hidden = password === undefined ? undefined : HIDDEN_PASSWORD;
  const none = { notes: [], password };
  if (oid === undefined) {
    const { name, statements } = createStatements(input, state, facts.number, hidden);
    return { ...none, statements, name, real: (verifier) => createStatements(input, state, facts.number, verifier).statements };
  }
  const role = roleWith(state, oid);
  if (is === 'remove') {
    const plan = removalPlan(input, state, role, dependentsOf(answers[2] ?? NOTHING));
    return {
      ...plan,
      password: undefined,
      real: () => plan.statements,
      name: one(input, 'keep') === 'true' ? role.name : undefined,
    };
  }
  const statements = changeStatements(input, state, role, facts.number, hidden);
  if (statements.length === 0) throw invalid('Nothing is changed yet.', undefined, { id: 'role.nothing' });
  return {
    ...none,
    statements,
    name: one(input, 'name') ?? role.name,
    real: (verifier) => changeStatements(input, state, role, facts.number, verifier),
  };
}

/** All in one transaction. Resetting the connection afterwards also puts another statement in the place of the last one, which others may see. */
async function run(
  request: PrincipalRequest,
  confirmed: PrincipalPlan['statements'],
  database: PgDatabase,
  signal: AbortSignal,
): Promise<readonly Principal[]> {
  return await database.links.useToWrite(signal, async (link) => {
    const begin = [{ text: 'BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE' }, forms(database.facts.path)];
    let name: string | undefined;
    try {
      await link.batch(begin, signal);
      const work = await workOf(request, (steps) => link.batch(steps, signal), database);
      if (work.statements.join('\0') !== confirmed.join('\0')) throw otherByNow();
      const verifier = work.password === undefined ? '' : await verifierFor(work.password, link, signal);
      const statements = work.password === undefined ? work.statements : work.real(verifier);
      for (const statement of statements) await link.run(statement, [], signal);
      const { tag } = await link.run('COMMIT', [], OPEN_ENDED);
      if (tag !== 'COMMIT') throw rolledBack();
      name = work.name;
    } catch (error) {
      await rollBack(link);
      throw error;
    }
    if (name === undefined) return [];
    const state = stateOf(await readOn(link, stateSteps(database.facts.number), OPEN_ENDED, []));
    const role = [...state.roles.values()].find((one) => one.name === name);
    return role === undefined ? [] : [principalOf(state, role, database)];
  });
}

async function verifierFor(password: string, link: Link, signal: AbortSignal): Promise<string> {
  const [answer] = await link.batch([ITERATIONS], signal);
  const iterations = Number(answer?.rows[0]?.[0] ?? DEFAULT_ITERATIONS);
  return await scramVerifier(password, Math.min(iterations, MOST_ITERATIONS));
}

function otherByNow(): DriverError {
  return new DriverError('CONFLICT', 'Nothing was changed: roles are others by now, so the statements would be, too.', {
    details: {
      advice: 'Look at the statements again.',
      texts: faultTexts('role.otherByNow', {}, 'role.otherByNow.advice'),
    },
  });
}
