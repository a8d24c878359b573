import { DriverError } from '@tabularium/sdk';
import type { ListPageOptions, NamespacesFacet } from '@tabularium/sdk';
import type { FacetDetails } from '@tabularium/sdk/protocol';
import type { Calls } from './remoteCalls.ts';

/** A page is what was asked for: a wrong one would put tables of one namespace into another, or never end. */
export function remoteNamespaces(calls: Calls, { initial }: NonNullable<FacetDetails['namespaces']>): NamespacesFacet {
  return {
    initial,
    async list(parent, { signal, ...page }) {
      const answer = await calls.json('namespaces.list', { namespace: parent, ...page }, signal);
      const paths = answer.namespaces.map(({ path }) => path);
      const isInside = paths.every((path) => path.length === parent.length + 1 && isWithin(path, parent));
      check('namespaces', parent, { page, next: answer.next, entries: paths.map((path) => JSON.stringify(path)), isInside });
      return answer;
    },
    async listTables(namespace, { signal, ...page }) {
      const answer = await calls.json('namespaces.listTables', { namespace, ...page }, signal);
      const refs = answer.tables.map(({ ref }) => ref);
      const isInside = refs.every((ref) => ref.namespace.length === namespace.length && isWithin(ref.namespace, namespace));
      check('tables', namespace, { page, next: answer.next, entries: refs.map(({ name }) => name), isInside });
      return answer;
    },
  };
}

interface Answered {
  readonly page: Omit<ListPageOptions, 'signal'>;
  readonly next: string | undefined;
  readonly entries: readonly string[];
  readonly isInside: boolean;
}

/** @throws DriverError `DRIVER_FAULT` */
function check(what: string, namespace: readonly string[], { page, next, entries, isInside }: Answered): void {
  const fault = (reason: string): DriverError =>
    new DriverError('DRIVER_FAULT', `The driver listed the ${what} in ${JSON.stringify(namespace)} wrongly: ${reason}.`);
  if (entries.length > page.limit) throw fault(`${entries.length} of them, where ${page.limit} were asked for`);
  if (!isInside) throw fault('one of them is elsewhere');
  if (new Set(entries).size < entries.length) throw fault('one of them is there twice');
  if (next !== undefined && next === page.after) throw fault('the next page is the same one again');
}

/** Whether a path begins with another one. */
function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return outer.every((name, depth) => path[depth] === name);
}
