/** The labels of the desktop shell's menus. A second language is another one of these. */
export const ENGLISH_MENU_WORDS = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  window: 'Window',
  help: 'Help',
  newWindow: 'New Window',
  newConnection: 'New Connection…',
  openInNewWindow: 'Open Connection in a New Window',
  switchConnection: 'Switch Connection…',
  allConnections: 'All Connections',
  closeTab: 'Close Tab',
  reopenTab: 'Reopen Closed Tab',
  closeWindow: 'Close Window',
  settings: 'Settings…',
  sidebar: 'Fold or Unfold the Sidebar',
  palette: 'Command Palette',
  nextTab: 'Next Tab',
  previousTab: 'Previous Tab',
  shortcuts: 'Keyboard Shortcuts',
} as const;
export type MenuWords = Readonly<Record<keyof typeof ENGLISH_MENU_WORDS, string>>;

/** Menu items that the platform implements, named as in the desktop shell. */
export type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'minimize'
  | 'front'
  | 'close';

export type MenuEntry =
  | { readonly kind: 'separator' }
  | { readonly kind: 'role'; readonly role: MenuRole; readonly label?: string; readonly accelerator?: string }
  /** Asks the window in front for a command of its registry. */
  | { readonly kind: 'command'; readonly command: string; readonly label: string; readonly accelerator: string }
  /** Opens another window. */
  | { readonly kind: 'newWindow'; readonly label: string; readonly accelerator: string };

export interface Menu {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

const separator: MenuEntry = { kind: 'separator' };
const role = (name: MenuRole, more: { readonly label?: string; readonly accelerator?: string } = {}): MenuEntry => ({
  kind: 'role',
  role: name,
  ...more,
});
const command = (id: string, label: string, accelerator: string): MenuEntry => ({
  kind: 'command',
  command: id,
  label,
  accelerator,
});

/**
 * The menus of the desktop shell. Their accelerators are the keys that the window has for the same commands: a key goes to the window first,
 * and what the window takes the menu does not get.
 */
export function desktopMenus(isMac: boolean, words: MenuWords): readonly Menu[] {
  const settings = command('application.settings', words.settings, 'CmdOrCtrl+,');
  return [
    ...(isMac
      ? [
          {
            label: 'Tabularium',
            entries: [
              role('about'),
              separator,
              settings,
              separator,
              role('services'),
              separator,
              role('hide'),
              role('hideOthers'),
              role('unhide'),
              separator,
              role('quit'),
            ],
          },
        ]
      : []),
    {
      label: words.file,
      entries: [
        { kind: 'newWindow', label: words.newWindow, accelerator: 'CmdOrCtrl+Alt+N' },
        command('connection.new', words.newConnection, 'CmdOrCtrl+N'),
        separator,
        command('connection.switch', words.switchConnection, 'CmdOrCtrl+Shift+O'),
        command('connection.newWindow', words.openInNewWindow, 'CmdOrCtrl+Shift+N'),
        command('connection.list', words.allConnections, 'CmdOrCtrl+Shift+L'),
        separator,
        command('tabs.close', words.closeTab, 'CmdOrCtrl+W'),
        command('tabs.reopen', words.reopenTab, 'CmdOrCtrl+Shift+T'),
        role('close', { label: words.closeWindow, accelerator: 'CmdOrCtrl+Shift+W' }),
        ...(isMac ? [] : [separator, settings, separator, role('quit')]),
      ],
    },
    {
      label: words.edit,
      entries: [role('undo'), role('redo'), separator, role('cut'), role('copy'), role('paste'), role('selectAll')],
    },
    {
      label: words.view,
      entries: [
        command('application.palette', words.palette, 'CmdOrCtrl+K'),
        command('sidebar.toggle', words.sidebar, 'CmdOrCtrl+B'),
        separator,
        role('resetZoom'),
        role('zoomIn'),
        role('zoomOut'),
        separator,
        role('togglefullscreen'),
      ],
    },
    {
      label: words.window,
      entries: [
        role('minimize'),
        separator,
        command('tabs.next', words.nextTab, 'Ctrl+Tab'),
        command('tabs.previous', words.previousTab, 'Ctrl+Shift+Tab'),
        ...(isMac ? [separator, role('front')] : []),
      ],
    },
    {
      label: words.help,
      entries: [command('application.shortcuts', words.shortcuts, 'CmdOrCtrl+/'), ...(isMac ? [] : [separator, role('about')])],
    },
  ];
}
