import type {
  ActivityFacet,
  CallOptions,
  ConsoleFacet,
  EditsFacet,
  ExplainFacet,
  ImportFacet,
  ObjectsFacet,
  OperationsFacet,
  PrincipalsFacet,
  Session,
  StatementEffect,
  TableOperationsFacet,
  TableRef,
} from '@tabularium/sdk';

/** Throws where the connection of a session allows no such effect now. */
type AssertAllowed = (effect: StatementEffect) => void;

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

function wallEdits(edits: EditsFacet, assertAllowed: AssertAllowed): EditsFacet {
  return {
    ...edits,
    async *apply(table, changes, options) {
      assertAllowed('write');
      yield* edits.apply(table, changes, options);
    },
  };
}

function wallConsole(console: ConsoleFacet, assertAllowed: AssertAllowed): ConsoleFacet {
  return {
    ...console,
    async *run(statement, options) {
      if (!allows(assertAllowed, 'destructive')) assertAllowed((await console.classify(statement, options)).effect);
      yield* console.run(statement, options);
    },
  };
}

function wallExplain(explain: ExplainFacet, assertAllowed: AssertAllowed): ExplainFacet {
  return {
    ...explain,
    async explain(statement, options) {
      if (!allows(assertAllowed, 'destructive')) assertAllowed((await explain.classify(statement, options)).effect);
      return explain.explain(statement, options);
    },
  };
}

function wallActivity(activity: ActivityFacet, assertAllowed: AssertAllowed): ActivityFacet {
  return {
    ...activity,
    async end(request, options) {
      assertAllowed('destructive');
      return activity.end(request, options);
    },
  };
}

function wallImport(imports: ImportFacet, assertAllowed: AssertAllowed): ImportFacet {
  const { tables } = imports;
  const discard = tables?.discard?.bind(tables);
  return {
    ...imports,
    // The host sends the rows of a splice past the driver.
    async splice(target, options) {
      assertAllowed('write');
      return imports.splice(target, options);
    },
    async *write(target, rows, options) {
      assertAllowed('write');
      yield* imports.write(target, rows, options);
    },
    ...(tables === undefined
      ? {}
      : {
          tables: {
            ...tables,
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

function wallObjects(objects: ObjectsFacet, assertAllowed: AssertAllowed): ObjectsFacet {
  return {
    ...objects,
    async apply(change, options) {
      assertAllowed(change.action === 'remove' ? 'destructive' : 'write');
      return objects.apply(change, options);
    },
  };
}

function wallPrincipals(principals: PrincipalsFacet, assertAllowed: AssertAllowed): PrincipalsFacet {
  const { changes } = principals;
  return {
    ...principals,
    ...(changes === undefined
      ? {}
      : {
          changes: {
            ...changes,
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

function wallOperations(operations: OperationsFacet, assertAllowed: AssertAllowed): OperationsFacet {
  return {
    ...operations,
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

function wallTableOperations(operations: TableOperationsFacet, assertAllowed: AssertAllowed): TableOperationsFacet {
  return {
    ...operations,
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
