import type { CopyCommands } from './copyCommands.ts';
import type { PasteCommands } from './pasteCommands.ts';
import type { RowCommands } from './rowCommands.ts';
import type { SelectedCells } from './selectedCells.ts';

/** What the menu of the cells and the palette are made of. */
export interface GridParts {
  readonly selected: SelectedCells;
  readonly rows: RowCommands;
  readonly copy: CopyCommands;
  readonly pasting: PasteCommands;
}
