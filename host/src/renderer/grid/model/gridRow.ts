import type { PageCell } from '@tabularium/sdk';

/** The cells of a row in the order of the grid's columns; placeholders stand for values that were not read. */
export type GridRow = readonly PageCell[];
