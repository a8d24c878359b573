const STORED_AS = 'tabularium-documentation-colors';

export const COLORS = ['system', 'light', 'dark'] as const;
export type Colors = (typeof COLORS)[number];

/** Whether the browser's own colours are taken or others; the same for all pages of this address. */
export function chosenColors(): Colors {
  try {
    const stored = localStorage.getItem(STORED_AS);
    return COLORS.find((colors) => colors === stored) ?? 'system';
  } catch {
    // A browser may refuse to store anything.
    return 'system';
  }
}

export function showColors(colors: Colors): void {
  document.documentElement.dataset['colors'] = colors;
}

export function storeColors(colors: Colors): void {
  showColors(colors);
  try {
    localStorage.setItem(STORED_AS, colors);
  } catch {
    // The choice holds for this page.
  }
}
