import { Menu } from '@mantine/core';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { MenuList } from './MenuList.tsx';
import type { MenuListEntry } from './MenuList.tsx';
import { PointMenu } from './PointMenu.tsx';

const nothing = (): void => undefined;
const entries: readonly MenuListEntry[] = [
  ...Array.from({ length: 12 }, (_, at) => ({ label: `Entry ${at + 1}`, run: nothing })),
  { label: 'Copy as', entries: ['CSV', 'JSON', 'A format with a long name'].map((label) => ({ label, run: nothing })) },
];

const menu = () => page.getByRole('menu').first();
const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();

async function renderMenu(place: { readonly x: number; readonly y: number }): Promise<void> {
  await renderPart(<MenuList label="Cell" place={place} entries={entries} onClose={nothing} />, exampleServices());
  await expect.element(menu().getByRole('menuitem', { name: 'Entry 1', exact: true })).toBeVisible();
}

/** Whether the submenu lies beside the menu, on either side. */
function isBeside(): boolean {
  const [parent, sub] = page.getByRole('menu').elements().map(boxOf);
  return parent !== undefined && sub !== undefined && (sub.left >= parent.right - 8 || sub.right <= parent.left + 8);
}

describe('a menu at a point', () => {
  it('opens a submenu beside itself, where it has room to the right and where it has not', async () => {
    for (const x of [40, window.innerWidth - 40]) {
      await renderMenu({ x, y: 20 });
      await userEvent.hover(menu().getByRole('menuitem', { name: 'Copy as' }));
      await expect.element(page.getByRole('menuitem', { name: 'A format with a long name' })).toBeVisible();
      await expect.poll(isBeside).toBe(true);
    }
  });

  it.each([
    [
      'of entries',
      (onClose: () => void) => <MenuList label="Cell" place={{ x: 40, y: 20 }} entries={entries} onClose={onClose} />,
    ],
    [
      'of parts',
      (onClose: () => void) => (
        <PointMenu label="Cell" at={{ x: 40, y: 20 }} onClose={onClose}>
          <Menu.Item>Entry 1</Menu.Item>
        </PointMenu>
      ),
    ],
  ])(
    '%s closes on an Escape that comes before it has the focus, and what has the focus until then sees nothing of it',
    async (_kind, menuWith) => {
      const keys: string[] = [];
      const closed = vi.fn();
      await renderPart(
        <div>
          <input aria-label="Outside" onKeyDown={({ key }) => keys.push(key)} />
          {menuWith(closed)}
        </div>,
        exampleServices(),
      );
      await expect.element(page.getByRole('menuitem', { name: 'Entry 1', exact: true })).toHaveFocus();
      const outside = page.getByLabelText('Outside').element();
      if (outside instanceof HTMLInputElement) outside.focus();
      await press('{Escape}');
      expect(closed).toHaveBeenCalledOnce();
      expect(keys).toEqual([]);
    },
  );

  it('goes into a submenu and back by keyboard', async () => {
    await renderMenu({ x: 40, y: 20 });
    await press('{End}{ArrowRight}');
    await expect.element(page.getByRole('menuitem', { name: 'CSV' })).toHaveFocus();
    await press('{ArrowLeft}');
    await expect.element(page.getByRole('menuitem', { name: 'Copy as' })).toHaveFocus();
  });

  it('stays inside the window where it has room neither below nor above its point', async () => {
    await page.viewport(900, 500);
    try {
      await renderMenu({ x: 40, y: 250 });
      await expect.poll(() => boxOf(menu().element()).bottom).toBeLessThanOrEqual(window.innerHeight);
      expect(boxOf(menu().element()).top).toBeGreaterThanOrEqual(0);
    } finally {
      await page.viewport(1280, 800);
    }
  });
});
