import type { Page } from 'playwright-core';

/**
 * Parts of the screen that a person can't reach: controls that no scrolling brings into the window or that something covers there, dialogs whose last
 * button is out of sight, and a page that is wider than the window. Cells of a grid are brought into sight by its keys.
 */
export async function unreachable(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const named = (element: Element): string =>
      (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60);
    const layer = [...document.querySelectorAll('[role="dialog"], [role="menu"], dialog[open]')]
      .filter((one) => one.checkVisibility())
      .at(-1);
    const isInside = ({ left, top, right, bottom }: DOMRect): boolean =>
      left >= -1 && top >= -1 && right <= window.innerWidth + 1 && bottom <= window.innerHeight + 1;
    const faults: string[] = [];
    if (document.documentElement.scrollWidth > window.innerWidth) faults.push('the page is wider than the window');
    const buttons = [...(layer ?? document).querySelectorAll('button')].filter((one) => one.checkVisibility());
    const last = layer?.matches('.mantine-Modal-content') === true ? buttons.at(-1) : undefined;
    const isSettings = layer?.querySelector('[role="tablist"][aria-orientation="vertical"]') !== null;
    if (last !== undefined && !isSettings && !isInside(last.getBoundingClientRect()))
      faults.push(`${named(last)} is out of sight`);
    const controls = [...(layer ?? document).querySelectorAll('button, input, select, textarea, [role="tab"]')].filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        one.closest('[role="grid"], [role="tree"], [inert], [aria-hidden="true"], .cm-editor') === null &&
        one.getBoundingClientRect().width > 2,
    );
    for (const control of controls) {
      // A switch is a small input under its own label.
      const isSwitch = control instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(control.type);
      const shown = isSwitch ? (control.labels?.[0] ?? control) : control;
      shown.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const box = shown.getBoundingClientRect();
      const x = Math.min(Math.max(box.left + box.width / 2, 0), window.innerWidth - 1);
      const y = Math.min(Math.max(box.top + box.height / 2, 0), window.innerHeight - 1);
      const hit = document.elementFromPoint(x, y);
      const meets =
        hit !== null && (shown.contains(hit) || hit.contains(shown) || hit.closest('label')?.contains(shown) === true);
      // Escape closes a list of values and a panel that is over the rows.
      const isUnderLayer = layer === undefined && hit !== null && hit.closest('.mantine-Combobox-dropdown, aside') !== null;
      if (!meets && !isUnderLayer)
        faults.push(`${named(control)} is covered by ${hit === null ? 'nothing' : hit.outerHTML.slice(0, 80)}`);
    }
    return faults;
  });
}
