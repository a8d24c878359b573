import type { TableRef } from '@tabularium/sdk';
import { createStore, useStore } from 'zustand';
import type { ImportSource } from '../../common/imports.ts';

/** An import whose dialog is to be open. */
export interface WantedImport {
  readonly connectionId: string;
  /** Absent: a new one. */
  readonly table?: TableRef;
  /** A file that was dropped. */
  readonly file?: File;
  /** Rows that another import rejected. */
  readonly rejected?: Extract<ImportSource, { is: 'rejected' }>;
  /** The mode that is chosen at first. */
  readonly mode?: string;
  /** The rows of the table are copied to another one. */
  readonly copies?: true;
}

const store = createStore<{ readonly wanted?: WantedImport | undefined }>(() => ({}));

/** Opens the dialog of an import. */
export function openImport(wanted: WantedImport): void {
  store.setState({ wanted });
}

export function closeImport(): void {
  store.setState({ wanted: undefined });
}

export function useWantedImport(): WantedImport | undefined {
  return useStore(store, ({ wanted }) => wanted);
}
