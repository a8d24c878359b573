import { useState } from 'react';
import type { MenuListEntry, MenuPlace } from '../../ui/MenuList.tsx';
import type { PastedTable } from '../../editing/clipboardTable.ts';
import type { PasteStart } from '../model/pasteStart.ts';

/** The layer over a tab; one at a time. */
export type OpenDialog =
  /** Made of what is selected when it is drawn: the click that opens it selects its cell. */
  | { readonly kind: 'cellMenu'; readonly place: MenuPlace }
  | { readonly kind: 'menu'; readonly label: string; readonly place: MenuPlace; readonly entries: readonly MenuListEntry[] }
  /** `start` is undefined where the text can only become new rows. `read` is the text as it seems to be meant. */
  | {
      readonly kind: 'paste';
      readonly text: string;
      readonly read: PastedTable;
      readonly start: PasteStart | undefined;
    }
  | { readonly kind: 'goTo' | 'export' | 'review' };

/** The open panels beside and over the rows of a tab. */
export interface TabLayers {
  readonly dialog: OpenDialog | undefined;
  readonly open: (dialog: OpenDialog) => void;
  /** Closes the dialog that is drawn; what one of its entries opened stays open. */
  readonly close: () => void;
  readonly isInspecting: boolean;
  readonly setInspecting: (isInspecting: boolean) => void;
  readonly toggleInspector: () => void;
  /** Whether the list of columns is open. */
  readonly isArranging: boolean;
  readonly setArranging: (isArranging: boolean) => void;
}

export function useTabLayers(): TabLayers {
  const [dialog, open] = useState<OpenDialog>();
  const [isInspecting, setInspecting] = useState(false);
  const [isArranging, setArranging] = useState(false);
  return {
    dialog,
    open,
    close: () => open((now) => (now === dialog ? undefined : now)),
    isInspecting,
    setInspecting,
    toggleInspector: () => setInspecting((before) => !before),
    isArranging,
    setArranging,
  };
}
