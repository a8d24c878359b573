import type { Locator } from 'vitest/browser';

/** The cell with this text, character by character. */
export const cell = (grid: Locator, text: string): Locator => grid.getByRole('gridcell', { name: text, exact: true });

/** The header of a column, whatever else it says. */
export const header = (grid: Locator, name: string): Locator =>
  grid.getByRole('columnheader', { name: new RegExp(`^(Key )?${name}\\b`) });
