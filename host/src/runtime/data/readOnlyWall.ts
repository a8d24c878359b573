import { exceeds } from '@tabularium/sdk';
import type {
  ActivityFacet,
  CallOptions,
  ConsoleFacet,
  ConsoleSession,
  EditsFacet,
  ExplainFacet,
  ImportFacet,
  ImportedTables,
  ObjectsFacet,
  OperationsFacet,
  PermittedStatement,
  PrincipalChanges,
  PrincipalsFacet,
  RunOptions,
  Session,
  StatementClassification,
  StatementEffect,
  TableOperationsFacet,
  TableRef,
} from '@tabularium/sdk';

/** Throws where the connection of a session allows no such effect now. */
type AssertAllowed = (effect: StatementEffect) => void;

/** Whether each member of a facet passes. A member that a later contract adds is missing here, which the compiler reports. */
type Members<Facet> = { readonly [Name in keyof Required<Facet>]: 'passes' | 'walled' };
type PassedNames<M> = { readonly [Name in keyof M]: M[Name] extends 'passes' ? Name : never }[keyof M];
type WalledNames<M> = Exclude<keyof M, PassedNames<M>>;

/** The members that pass, and no others: a driver of a later contract may have more than are known here. */
function passed<Facet extends object, const M extends Members<Facet>>(
  facet: Facet,
  members: M,
): Pick<Facet, PassedNames<M> & keyof Facet> {
  const names = Object.keys(members).filter((name) => members[name as keyof M] === 'passes') as (PassedNames<M> & keyof Facet)[];
  const found = names.flatMap((name): [keyof Facet, unknown][] => {
    const member: unknown = facet[name];
    if (member === undefined) return [];
    return [[name, typeof member === 'function' ? member.bind(facet) : member]];
  });
  return Object.fromEntries(found) as Pick<Facet, PassedNames<M> & keyof Facet>;
}

/**
 * The second wall of read-only mode, around every session: each call that can change data is checked again at the moment it is made, so a
 * service that forgets to ask changes nothing.
 *
 * @returns the same session
 */
export function readOnlyWall<S extends Session>(session: S, assertAllowed: AssertAllowed): S {
  const { edits, console, objects, operations, principals, tableOperations } = session;
  // The session stays the object that it is: its other members need it as it was made.
  return Object.assign(session, {
    ...(edits === undefined ? {} : { edits: wallEdits(edits, assertAllowed) }),
    ...(console === undefined ? {} : { console: wallConsole(console, assertAllowed) }),
    ...(session.import === undefined ? {} : { import: wallImport(session.import, assertAllowed) }),
    ...(session.explain === undefined ? {} : { explain: wallExplain(session.explain, assertAllowed) }),
    ...(session.activity === undefined ? {} : { activity: wallActivity(session.activity, assertAllowed) }),
    ...(objects === undefined ? {} : { objects: wallObjects(objects, assertAllowed) }),
    ...(operations === undefined ? {} : { operations: wallOperations(operations, assertAllowed) }),
    ...(principals === undefined ? {} : { principals: wallPrincipals(principals, assertAllowed) }),
    ...(tableOperations === undefined ? {} : { tableOperations: wallTableOperations(tableOperations, assertAllowed) }),
  });
}

const EDITS = { atomicity: 'passes', prepare: 'passes', apply: 'walled' } as const satisfies Members<EditsFacet>;

function wallEdits(edits: EditsFacet, assertAllowed: AssertAllowed): EditsFacet {
  return {
    ...passed<EditsFacet, typeof EDITS>(edits, EDITS),
    async *apply(table, changes, options) {
      assertAllowed('write');
      yield* edits.apply(table, changes, options);
    },
  };
}

const CONSOLE = {
  split: 'passes',
  classify: 'passes',
  run: 'walled',
  complete: 'passes',
  examples: 'passes',
  describeRequest: 'passes',
  openSession: 'walled',
  places: 'passes',
} as const satisfies Members<ConsoleFacet>;

function wallConsole(console: ConsoleFacet, assertAllowed: AssertAllowed): ConsoleFacet {
  const openSession = console.openSession?.bind(console);
  return {
    ...passed<ConsoleFacet, typeof CONSOLE>(console, CONSOLE),
    async *run(statement, options) {
      yield* console.run(
        statement,
        allows(assertAllowed, 'destructive') ? options : await permittedBy(console, statement, options, assertAllowed),
      );
    },
    ...(openSession === undefined
      ? {}
      : {
          async openSession(options: CallOptions) {
            return wallConsoleSession(await openSession(options), assertAllowed);
          },
        }),
  };
}

/**
 * The options of a statement that may run, with the most that it may do: the driver looks once more when it runs it.
 *
 * @throws what `assertAllowed` does
 */
async function permittedBy<Options extends RunOptions>(
  runner: Pick<ConsoleFacet, 'classify'>,
  statement: string,
  options: Options,
  assertAllowed: AssertAllowed,
): Promise<Options> {
  const classification = await runner.classify(statement, options);
  assertAllowed(classification.effect);
  const now = permitting(classification);
  const { permitted = now } = options;
  return { ...options, permitted: exceeds(permitted, now) ? now : permitted };
}

/** The permission that a classification stands for. */
function permitting({ effect, unknown, tables, everyRowOf }: StatementClassification): PermittedStatement {
  return {
    effect,
    tables,
    ...(unknown === undefined ? {} : { unknown }),
    ...(everyRowOf === undefined ? {} : { everyRowOf }),
  };
}

/** A member that isn't named here is walled. */
interface ConsoleSessionMembers extends Members<ConsoleSession> {
  readonly context: 'passes';
  readonly classify: 'passes';
  readonly parameters: 'passes';
  readonly close: 'passes';
}

function wallConsoleSession(session: ConsoleSession, assertAllowed: AssertAllowed): ConsoleSession {
  const [run, endTransaction] = [session.run.bind(session), session.endTransaction.bind(session)];
  // Each of them, also those that are optional: the compiler reports one that has no answer here.
  const walled: { readonly [Name in WalledNames<ConsoleSessionMembers>]-?: ConsoleSession[Name] | undefined } = {
    explain: session.explain === undefined ? undefined : wallExplain(session.explain, assertAllowed),
    async *run(statement, options) {
      yield* run(
        statement,
        allows(assertAllowed, 'destructive') ? options : await permittedBy(session, statement, options, assertAllowed),
      );
    },
    async endTransaction(way, options) {
      // A change from before the mode was turned on would stay.
      if (way === 'commit') assertAllowed('write');
      return endTransaction(way, options);
    },
  };
  // The session stays the object that it is: its context changes.
  return Object.assign(session, walled);
}

const EXPLAIN = { classify: 'passes', explain: 'walled' } as const satisfies Members<ExplainFacet>;

function wallExplain(explain: ExplainFacet, assertAllowed: AssertAllowed): ExplainFacet {
  return {
    ...passed<ExplainFacet, typeof EXPLAIN>(explain, EXPLAIN),
    async explain(statement, options) {
      if (!allows(assertAllowed, 'destructive')) assertAllowed((await explain.classify(statement, options)).effect);
      return explain.explain(statement, options);
    },
  };
}

const ACTIVITY = { list: 'passes', end: 'walled', slow: 'passes' } as const satisfies Members<ActivityFacet>;

function wallActivity(activity: ActivityFacet, assertAllowed: AssertAllowed): ActivityFacet {
  return {
    ...passed<ActivityFacet, typeof ACTIVITY>(activity, ACTIVITY),
    async end(request, options) {
      assertAllowed('destructive');
      return activity.end(request, options);
    },
  };
}

const IMPORT = {
  form: 'passes',
  check: 'passes',
  splice: 'walled',
  judge: 'passes',
  write: 'walled',
  tables: 'walled',
} as const satisfies Members<ImportFacet>;
const IMPORTED_TABLES = {
  namespaces: 'passes',
  propose: 'passes',
  like: 'passes',
  plan: 'passes',
  create: 'walled',
  discard: 'walled',
} as const satisfies Members<ImportedTables>;

/** An iteration that fails as it begins. */
async function* failing(error: unknown): AsyncGenerator<never, void, undefined> {
  yield* [];
  throw error;
}

function wallImport(imports: ImportFacet, assertAllowed: AssertAllowed): ImportFacet {
  const { tables } = imports;
  const discard = tables?.discard?.bind(tables);
  return {
    ...passed<ImportFacet, typeof IMPORT>(imports, IMPORT),
    // The host sends the rows of a splice past the driver.
    async splice(target, options) {
      assertAllowed('write');
      return imports.splice(target, options);
    },
    // No generator, which would keep the rows for as long as their outcomes come.
    write(target, rows, options) {
      try {
        assertAllowed('write');
      } catch (error) {
        return failing(error);
      }
      return imports.write(target, rows, options);
    },
    ...(tables === undefined
      ? {}
      : {
          tables: {
            ...passed<ImportedTables, typeof IMPORTED_TABLES>(tables, IMPORTED_TABLES),
            async create(table, definition, options) {
              assertAllowed('write');
              return tables.create(table, definition, options);
            },
            ...(discard === undefined
              ? {}
              : {
                  async discard(table: TableRef, options: CallOptions) {
                    assertAllowed('write');
                    return discard(table, options);
                  },
                }),
          },
        }),
  };
}

const OBJECTS = {
  kinds: 'passes',
  list: 'passes',
  get: 'passes',
  plan: 'passes',
  apply: 'walled',
  placeHit: 'passes',
} as const satisfies Members<ObjectsFacet>;

function wallObjects(objects: ObjectsFacet, assertAllowed: AssertAllowed): ObjectsFacet {
  return {
    ...passed<ObjectsFacet, typeof OBJECTS>(objects, OBJECTS),
    async apply(change, options) {
      assertAllowed(change.action === 'remove' ? 'destructive' : 'write');
      return objects.apply(change, options);
    },
  };
}

const PRINCIPALS = {
  term: 'passes',
  editable: 'passes',
  list: 'passes',
  form: 'passes',
  create: 'walled',
  remove: 'walled',
  generator: 'passes',
  changes: 'walled',
} as const satisfies Members<PrincipalsFacet>;
const PRINCIPAL_CHANGES = {
  addable: 'passes',
  details: 'passes',
  form: 'passes',
  plan: 'passes',
  run: 'walled',
} as const satisfies Members<PrincipalChanges>;

function wallPrincipals(principals: PrincipalsFacet, assertAllowed: AssertAllowed): PrincipalsFacet {
  const { changes } = principals;
  return {
    ...passed<PrincipalsFacet, typeof PRINCIPALS>(principals, PRINCIPALS),
    ...(changes === undefined
      ? {}
      : {
          changes: {
            ...passed<PrincipalChanges, typeof PRINCIPAL_CHANGES>(changes, PRINCIPAL_CHANGES),
            async run(request, confirmed, options) {
              // Handing out access is destructive, too.
              assertAllowed('destructive');
              return changes.run(request, confirmed, options);
            },
          },
        }),
    async create(input, options) {
      assertAllowed('write');
      return principals.create(input, options);
    },
    async remove(id, options) {
      assertAllowed('destructive');
      return principals.remove(id, options);
    },
  };
}

const OPERATIONS = { list: 'passes', form: 'passes', plan: 'passes', run: 'walled' } as const satisfies Members<OperationsFacet>;

function wallOperations(operations: OperationsFacet, assertAllowed: AssertAllowed): OperationsFacet {
  return {
    ...passed<OperationsFacet, typeof OPERATIONS>(operations, OPERATIONS),
    async *run(call, options) {
      // An operation that the driver doesn't list is taken for the worst.
      const effect = allows(assertAllowed, 'destructive')
        ? 'read'
        : ((await operations.list(call.place, options)).find(({ id }) => id === call.operation)?.effect ?? 'destructive');
      assertAllowed(effect);
      yield* operations.run(call, options);
    },
  };
}

const TABLE_OPERATIONS = { list: 'passes', plan: 'passes', run: 'walled' } as const satisfies Members<TableOperationsFacet>;

function wallTableOperations(operations: TableOperationsFacet, assertAllowed: AssertAllowed): TableOperationsFacet {
  return {
    ...passed<TableOperationsFacet, typeof TABLE_OPERATIONS>(operations, TABLE_OPERATIONS),
    async run(table, operation, confirmed, options) {
      // An operation that the driver doesn't list is taken for the worst.
      const effect = allows(assertAllowed, 'destructive')
        ? 'read'
        : ((await operations.list(table, options)).find(({ id }) => id === operation)?.effect ?? 'destructive');
      assertAllowed(effect);
      return operations.run(table, operation, confirmed, options);
    },
  };
}

function allows(assertAllowed: AssertAllowed, effect: StatementEffect): boolean {
  try {
    assertAllowed(effect);
    return true;
  } catch {
    return false;
  }
}
