import { rowKeyText } from '@tabularium/sdk';
import type { RowKey } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { RowDocuments } from '../grid/model/rowDocuments.ts';

/** A row as the database returns it. `none`: rows of this database are their cells. */
export type RowDocument =
  | { readonly is: 'reading' | 'none' | 'gone' }
  | { readonly is: 'read'; readonly text: string }
  | { readonly is: 'failed'; readonly message: string };

const READING: RowDocument = { is: 'reading' };

interface Found {
  readonly of: RowDocuments;
  readonly key: string;
  readonly document: RowDocument;
}

/** @param key - undefined: nothing is read */
export function useRowDocument(documents: RowDocuments, key: RowKey | undefined): RowDocument {
  const [found, setFound] = useState<Found>();
  const text = key === undefined ? undefined : rowKeyText(key);
  const keyJson = key === undefined ? undefined : JSON.stringify(key);
  useEffect(() => {
    if (text === undefined || keyJson === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const answer = (document: RowDocument): void => setFound({ of: documents, key: text, document });
    documents
      .read([JSON.parse(keyJson) as RowKey], signal)
      .then((read) => {
        const document = read?.get(text);
        if (read === undefined) answer({ is: 'none' });
        else answer(document === undefined ? { is: 'gone' } : { is: 'read', text: document });
      })
      .catch((error: unknown) => {
        if (!wasAborted(error, signal)) answer({ is: 'failed', message: problemOf(error).message });
      });
    return () => controller.abort();
  }, [documents, text, keyJson]);
  return found !== undefined && found.of === documents && found.key === text ? found.document : READING;
}
