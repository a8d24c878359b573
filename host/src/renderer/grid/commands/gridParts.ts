import type { CopyCommands } from './copyCommands.ts';
import type { FollowCommands } from './followCommands.ts';
import type { PasteCommands } from './pasteCommands.ts';
import type { ReferringCommands } from './referringCommands.ts';
import type { RowCommands } from './rowCommands.ts';
import type { SelectedCells } from './selectedCells.ts';

/** The parts of the cells' menu and of the palette. */
export interface GridParts {
  readonly selected: SelectedCells;
  readonly rows: RowCommands;
  readonly copy: CopyCommands;
  readonly pasting: PasteCommands;
  readonly follow: FollowCommands;
  readonly referring: ReferringCommands;
}
