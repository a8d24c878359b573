import type { Cell } from '@tabularium/sdk';
import type { DocumentChange, DocumentNode } from '../grid/model/rowDocument.ts';
import type { JsonChange, JsonColumn } from './rowFromJson.ts';

/** A row whose JSON is being edited, as it was when that began: it stays that row while others are looked at. */
export type EditedJson = { readonly columns: readonly JsonColumn[] } & (
  | { readonly is: 'cells'; readonly row: readonly Cell[]; readonly apply: (changes: readonly JsonChange[]) => Promise<boolean> }
  | {
      readonly is: 'document';
      readonly document: DocumentNode;
      readonly apply: (changes: readonly DocumentChange[]) => Promise<boolean>;
    }
);
