import { userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { press } from './renderWindow.test-helper.tsx';

/** The cell with this text, character by character. */
export const cell = (grid: Locator, text: string): Locator => grid.getByRole('gridcell', { name: text, exact: true });

/** The header of a column, whatever else it says. */
export const header = (grid: Locator, name: string): Locator =>
  grid.getByRole('columnheader', { name: new RegExp(`^(Key )?${name}\\b`) });

/** Opens the editor of a cell as F2 does, selects its text and types another in its place. */
export async function retype(grid: Locator, shown: string, text: string): Promise<void> {
  await cell(grid, shown).click();
  await press('{F2}{Control>}a{/Control}');
  await userEvent.keyboard(text);
}
