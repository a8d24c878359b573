/** Where a text is pasted: the first cell, and the rows and columns that one value fills. */
export interface PasteStart {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}
