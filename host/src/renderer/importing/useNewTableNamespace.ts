import { useEffect, useState } from 'react';
import type { NewTableNamespaces } from '../../common/imports.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';

/** Where a new table is made. */
export interface NewTableNamespace {
  /** Those in which one can be made; undefined until they are read, and where no table is to be made. */
  readonly namespaces: NewTableNamespaces | undefined;
  /** The one that is chosen; empty where tables are in none. */
  readonly chosen: readonly string[];
  /** Why none can be made. */
  readonly problem: Problem | undefined;
  readonly choose: (namespace: readonly string[]) => void;
}

/** The namespaces of a connection in which a table can be made. */
export function useNewTableNamespace(connectionId: string, isNew: boolean): NewTableNamespace {
  const [namespaces, setNamespaces] = useState<NewTableNamespaces>();
  const [chosen, setChosen] = useState<readonly string[]>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    setNamespaces(undefined);
    setChosen(undefined);
    setProblem(undefined);
    if (!isNew) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    api.imports.namespaces.query({ connectionId }, { signal }).then(setNamespaces, (error: unknown) => {
      if (!wasAborted(error, signal)) setProblem(problemOf(error));
    });
    return () => controller.abort();
  }, [connectionId, isNew]);
  return { namespaces, chosen: chosen ?? namespaces?.[0] ?? [], problem, choose: setChosen };
}
