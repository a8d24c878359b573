import { useEffect, useRef, useState } from 'react';
import type { TableRef } from '@tabularium/sdk';
import type { ImportField, ImportFormatChoice, ImportSource, RowImportPreview } from '../../common/imports.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useProblemOf } from './useProblemOf.ts';

interface Asked {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly create: boolean;
  readonly source: ImportSource | undefined;
  readonly format: ImportFormatChoice | undefined;
  /** The fields that a person changed. */
  readonly mapping: readonly ImportField[] | undefined;
  readonly mode: string | undefined;
}

/** Milliseconds without a change after which the host is asked. */
const PAUSE = 250;

/** The first rows of a file as they would be sent; asked again when something of the import changes. */
export function useImportPreview(asked: Asked): {
  readonly preview: RowImportPreview | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
} {
  const [preview, setPreview] = useState<RowImportPreview>();
  const key = JSON.stringify(asked);
  const [problem, setProblem] = useProblemOf(key);
  const [isLoading, setLoading] = useState(false);
  const { source } = asked;
  const fail = useRef(setProblem);
  fail.current = setProblem;
  useEffect(() => {
    if (source === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    setLoading(true);
    const later = setTimeout(() => {
      const { connectionId, table, create, format, mapping, mode } = JSON.parse(key) as Asked;
      api.imports.preview
        .mutate(
          {
            connectionId,
            table: { namespace: [...table.namespace], name: table.name === '' ? '?' : table.name },
            create,
            source,
            ...(format === undefined ? {} : { format }),
            ...(mapping === undefined ? {} : { mapping: mapping.filter(({ target }) => target !== '') }),
            ...(mode === undefined ? {} : { mode }),
          },
          { signal },
        )
        .then(
          (found) => {
            if (signal.aborted) return;
            setPreview(found);
            setLoading(false);
          },
          (error: unknown) => {
            if (signal.aborted) return;
            fail.current(problemOf(error));
            setLoading(false);
          },
        );
    }, PAUSE);
    return () => {
      clearTimeout(later);
      controller.abort();
    };
  }, [key, source]);
  return { preview, problem, isLoading };
}
