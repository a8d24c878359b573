import type { NamespaceSummary } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { NewTableNamespaces } from '../../common/imports.ts';
import { isWithin, namespaceKey } from '../../common/namespaces.ts';
import { api } from '../api/client.ts';
import { useNamespaceTree } from '../api/namespaceTree.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';

/** Where a new table is made. */
export interface NewTableNamespace {
  /** Those in which one can be made; undefined until they are read, and where no table is to be made. */
  readonly namespaces: NewTableNamespaces | undefined;
  /** Namespaces that are read when one of them is chosen. */
  readonly others: NewTableNamespaces;
  /** The one that is chosen; empty where tables are in none. */
  readonly chosen: readonly string[];
  /** Why none can be made. */
  readonly problem: Problem | undefined;
  /** Chooses one of them, or one of the others: then the first one in it. */
  readonly choose: (namespace: readonly string[]) => void;
}

/** The namespaces of a connection in which a table can be made. */
export function useNewTableNamespace(connectionId: string, isNew: boolean): NewTableNamespace {
  const [namespaces, setNamespaces] = useState<NewTableNamespaces>();
  const [chosen, setChosen] = useState<readonly string[]>();
  const [problem, setProblem] = useState<Problem>();
  const reading = useRef<AbortController>(undefined);
  const top = useNamespaceTree(connectionId)?.nodes.get(namespaceKey([]))?.namespaces ?? NONE;
  useEffect(() => {
    setNamespaces(undefined);
    setChosen(undefined);
    setProblem(undefined);
    if (!isNew) return undefined;
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    api.imports.namespaces.query({ connectionId }, { signal }).then(setNamespaces, (error: unknown) => {
      if (!wasAborted(error, signal)) setProblem(problemOf(error));
    });
    return () => reading.current?.abort();
  }, [connectionId, isNew]);
  const readOther = (within: readonly string[]): void => {
    reading.current?.abort();
    const controller = new AbortController();
    reading.current = controller;
    const { signal } = controller;
    setProblem(undefined);
    api.imports.namespaces.query({ connectionId, within: [...within] }, { signal }).then(
      (found) => {
        setNamespaces((before = []) => [...before.filter((one) => !isWithin(one, within)), ...found]);
        setChosen(found[0]);
      },
      (error: unknown) => {
        if (!wasAborted(error, signal)) setProblem(problemOf(error));
      },
    );
  };
  const others = isNew ? top.map(({ path }) => [...path]).filter((path) => !namespaces?.some((one) => isWithin(one, path))) : [];
  return {
    namespaces,
    others,
    chosen: chosen ?? namespaces?.[0] ?? [],
    problem,
    choose: (namespace) => {
      if (others.some((one) => namespaceKey(one) === namespaceKey(namespace))) readOther(namespace);
      else setChosen(namespace);
    },
  };
}

const NONE: readonly NamespaceSummary[] = [];
