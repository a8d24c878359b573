import { beforeEach, describe, expect, it, vi } from 'vitest';
import { desktopMenus, ENGLISH_MENU_WORDS } from '../common/desktopMenu.ts';
import type { DesktopBridge } from '../common/desktop.ts';
import { isKeyId, keysOf } from '../common/keyMap.ts';
import { BrowserWindow, record, resetElectron } from './electronStub.test-helper.ts';
import { showMenus } from './menu.ts';
import './preload.ts';

beforeEach(() => resetElectron());

const entriesOf = (isMac: boolean) => desktopMenus(isMac, ENGLISH_MENU_WORDS).flatMap(({ entries }) => entries);

describe.each([
  ['on a Mac', true],
  ['elsewhere', false],
])('the menus %s', (_name, isMac) => {
  it('name commands of the window, with the keys that they have there', () => {
    const commands = entriesOf(isMac).filter((entry) => entry.kind === 'command');
    expect(commands.length).toBeGreaterThan(8);
    for (const { command, accelerator } of commands) {
      if (!isKeyId(command)) throw new Error(`${command} is no command`);
      expect(keysOf(command, true)).toContain(accelerator.replace('CmdOrCtrl', 'mod'));
    }
  });

  it('have each accelerator once', () => {
    const accelerators = entriesOf(isMac).flatMap((entry) => ('accelerator' in entry ? [entry.accelerator] : []));
    expect(new Set(accelerators).size).toBe(accelerators.length);
  });

  it('have the settings, the end of the application and the text of fields where the platform has them', () => {
    const [first, second] = desktopMenus(isMac, ENGLISH_MENU_WORDS);
    const menu = JSON.stringify(isMac ? first : { ...first, second: undefined });
    expect(menu).toContain('application.settings');
    expect(menu).toContain('"quit"');
    expect([first?.label, second?.label]).toEqual(isMac ? ['Tabularium', 'File'] : ['File', 'Edit']);
    for (const role of ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'minimize', 'about']) {
      expect(entriesOf(isMac)).toContainEqual({ kind: 'role', role });
    }
  });
});

/** Chooses an entry of a menu, as a person does. */
function choose(label: string): void {
  const items = record.menus.flatMap(({ submenu }) => submenu as Electron.MenuItemConstructorOptions[]);
  const item = items.find((candidate) => candidate.label === label);
  if (item?.click === undefined) throw new Error(`there is no ${label}`);
  item.click(undefined as never, undefined, undefined as never);
}

describe('what a menu asks for', () => {
  it('goes to the window in front', () => {
    const openWindow = vi.fn();
    showMenus(openWindow);
    const heard: string[] = [];
    const stop = (record.exposed.get('desktop') as DesktopBridge).onCommand?.((id) => heard.push(id));
    for (const focused of [false, true]) Object.assign(new BrowserWindow({}), { focused });
    choose('Command Palette');
    expect(record.calls).toEqual([['webContents.send', 1, 'tabularium:command', 'application.palette']]);
    expect(heard).toEqual(['application.palette']);
    stop?.();
    choose('Settings…');
    expect(heard).toHaveLength(1);
    expect(openWindow).not.toHaveBeenCalled();
  });

  it('opens a window where there is none, and another one where that is what is asked for', () => {
    const openWindow = vi.fn();
    showMenus(openWindow);
    choose('Keyboard Shortcuts');
    expect(openWindow).toHaveBeenCalledOnce();
    new BrowserWindow({});
    choose('New Window');
    expect(openWindow).toHaveBeenCalledTimes(2);
  });
});
