import { BrowserWindow, Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { desktopMenus, ENGLISH_MENU_WORDS } from '../common/desktopMenu.ts';
import type { MenuEntry } from '../common/desktopMenu.ts';
import { commandChannel } from './channels.ts';

/** Shows the menus: what they ask for goes to the window in front, by the command's id. */
export function showMenus(openWindow: () => void): void {
  const toItem = (entry: MenuEntry): MenuItemConstructorOptions => {
    if (entry.kind === 'separator') return { type: 'separator' };
    const { kind, ...shown } = entry;
    if (kind === 'role') return shown;
    const { label, accelerator } = entry;
    if (kind === 'newWindow') return { label, accelerator, click: openWindow };
    const click = (): void => {
      const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
      if (window === undefined) openWindow();
      else window.webContents.send(commandChannel, entry.command);
    };
    return { label, accelerator, click };
  };
  const menus = desktopMenus(process.platform === 'darwin', ENGLISH_MENU_WORDS);
  Menu.setApplicationMenu(Menu.buildFromTemplate(menus.map(({ label, entries }) => ({ label, submenu: entries.map(toItem) }))));
}
