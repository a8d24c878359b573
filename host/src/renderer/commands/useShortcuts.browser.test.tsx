import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { DesktopBridge } from '../../common/desktop.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

/** Chooses an entry of the desktop shell's menus, by the id of its command. */
let choose: (id: string) => void;

beforeEach(() => {
  const listeners = new Set<(id: string) => void>();
  choose = (id) => {
    for (const listener of listeners) listener(id);
  };
  const bridge: DesktopBridge = {
    chooseFile: async () => undefined,
    onCommand: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  Object.defineProperty(window, 'desktop', { value: bridge, configurable: true });
});
afterEach(() => void Reflect.deleteProperty(window, 'desktop'));

const palette = page.getByRole('dialog', { name: 'Command palette' });
const settings = page.getByRole('dialog', { name: 'Settings' });

describe('a command of the desktop menu', () => {
  it('runs while no dialog is open', async () => {
    await renderProducts();
    choose('application.palette');
    await expect.element(palette).toBeVisible();
  });

  it('leaves an open dialog alone, and runs after it was closed', async () => {
    await renderProducts();
    choose('application.settings');
    await expect.element(settings).toBeVisible();
    choose('application.palette');
    await press('{Escape}');
    await expect.element(settings).not.toBeInTheDocument();
    // A palette that the menu opened over the settings would still be there.
    await expect.element(palette).not.toBeInTheDocument();
    choose('application.palette');
    await expect.element(palette).toBeVisible();
  });
});
