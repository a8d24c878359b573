import type { ConsoleFacet, EditsFacet, PrincipalsFacet, Session, StatementEffect, TableOperationsFacet } from '@tabularium/sdk';

/** Throws where the connection of a session allows no such effect now. */
type Require = (effect: StatementEffect) => void;

/**
 * The second wall of read-only mode, around every session: each call that can change data is checked again at the moment it is made, so a
 * service that forgets to ask changes nothing.
 *
 * @returns the same session
 */
export function readOnlyWall<S extends Session>(session: S, require: Require): S {
  const { edits, console, principals, tableOperations } = session;
  // The session stays the object that it is: its other members need it as it was made.
  return Object.assign(session, {
    ...(edits === undefined ? {} : { edits: wallEdits(edits, require) }),
    ...(console === undefined ? {} : { console: wallConsole(console, require) }),
    ...(principals === undefined ? {} : { principals: wallPrincipals(principals, require) }),
    ...(tableOperations === undefined ? {} : { tableOperations: wallOperations(tableOperations, require) }),
  });
}

function wallEdits(edits: EditsFacet, require: Require): EditsFacet {
  return {
    ...edits,
    async *apply(table, changes, options) {
      require('write');
      yield* edits.apply(table, changes, options);
    },
  };
}

function wallConsole(console: ConsoleFacet, require: Require): ConsoleFacet {
  return {
    ...console,
    async *run(statement, options) {
      if (!allows(require, 'destructive')) require((await console.classify(statement, options)).effect);
      yield* console.run(statement, options);
    },
  };
}

function wallPrincipals(principals: PrincipalsFacet, require: Require): PrincipalsFacet {
  return {
    ...principals,
    async create(input, options) {
      require('write');
      return principals.create(input, options);
    },
    async remove(id, options) {
      require('destructive');
      return principals.remove(id, options);
    },
  };
}

function wallOperations(operations: TableOperationsFacet, require: Require): TableOperationsFacet {
  return {
    ...operations,
    async run(table, operation, confirmed, options) {
      // An operation that the driver doesn't list is taken for the worst.
      const effect = allows(require, 'destructive')
        ? 'read'
        : ((await operations.list(table, options)).find(({ id }) => id === operation)?.effect ?? 'destructive');
      require(effect);
      return operations.run(table, operation, confirmed, options);
    },
  };
}

function allows(require: Require, effect: StatementEffect): boolean {
  try {
    require(effect);
    return true;
  } catch {
    return false;
  }
}
