/** The parts of the window, in the order in which the palette and the list of shortcuts name them. */
export const COMMAND_GROUPS = [
  'connection',
  'tabs',
  'table',
  'grid',
  'editing',
  'filter',
  'console',
  'view',
  'application',
] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** One entry of the keyboard map. Keys are written `mod+Shift+K`; `mod` is Ctrl, on a Mac ⌘. */
export interface KeyEntry {
  readonly group: CommandGroup;
  readonly keys: readonly string[];
  /** In the desktop shell instead: keys that a browser keeps for itself. */
  readonly desktopKeys?: readonly string[];
  /** The part handles the keys itself where it has the focus; they are listed here, and only the part dispatches them. */
  readonly byPart?: true;
}

/**
 * Every key of the window, in one place, so that no two parts take the same one. A browser keeps Ctrl+N, T, W, Tab, 1–9 and Page Up/Down for
 * itself whatever a page does; a test holds that the browser transport uses none of them.
 */
const ENTRIES = {
  'application.palette': { group: 'application', keys: ['mod+K'] },
  'application.shortcuts': { group: 'application', keys: ['?', 'mod+/'] },
  'application.settings': { group: 'application', keys: ['mod+,'] },
  'connection.new': { group: 'connection', keys: ['mod+Alt+N'], desktopKeys: ['mod+N'] },
  'connection.switch': { group: 'connection', keys: ['mod+Shift+O'] },
  'connection.list': { group: 'connection', keys: ['mod+Shift+L'] },
  'connection.newWindow': { group: 'connection', keys: ['mod+Alt+O'], desktopKeys: ['mod+Shift+N'] },
  'connection.find': { group: 'connection', keys: ['mod+Alt+F'] },
  'tabs.next': { group: 'tabs', keys: ['Alt+PageDown'], desktopKeys: ['Ctrl+Tab', 'Alt+PageDown'] },
  'tabs.previous': { group: 'tabs', keys: ['Alt+PageUp'], desktopKeys: ['Ctrl+Shift+Tab', 'Alt+PageUp'] },
  'tabs.close': { group: 'tabs', keys: ['Alt+W'], desktopKeys: ['mod+W', 'Alt+W'] },
  'tabs.reopen': { group: 'tabs', keys: ['Alt+Shift+W'], desktopKeys: ['mod+Shift+T', 'Alt+Shift+W'] },
  'tabs.along': { group: 'tabs', keys: ['ArrowLeft', 'ArrowRight', 'Home', 'End'], byPart: true },
  'tabs.move': { group: 'tabs', keys: ['Alt+Shift+ArrowLeft', 'Alt+Shift+ArrowRight'], byPart: true },
  'tabs.menu': { group: 'tabs', keys: ['Shift+F10', 'ContextMenu'], byPart: true },
  'sidebar.find': { group: 'view', keys: ['/'] },
  'sidebar.toggle': { group: 'view', keys: ['mod+B'] },
  'sidebar.along': { group: 'view', keys: ['ArrowUp', 'ArrowDown', 'Home', 'End'], byPart: true },
  'sidebar.menu': { group: 'view', keys: ['Shift+F10', 'ContextMenu'], byPart: true },
  'view.focusNext': { group: 'view', keys: ['F6'] },
  'view.focusPrevious': { group: 'view', keys: ['Shift+F6'] },
  'grid.move': { group: 'grid', keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], byPart: true },
  'grid.edge': { group: 'grid', keys: ['mod+ArrowUp', 'mod+ArrowDown', 'mod+ArrowLeft', 'mod+ArrowRight'], byPart: true },
  'grid.lineEnds': { group: 'grid', keys: ['Home', 'End'], byPart: true },
  'grid.corners': { group: 'grid', keys: ['mod+Home', 'mod+End'], byPart: true },
  'grid.screen': { group: 'grid', keys: ['PageUp', 'PageDown'], byPart: true },
  'grid.extend': {
    group: 'grid',
    keys: ['Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowRight'],
    byPart: true,
  },
  'grid.along': { group: 'grid', keys: ['Tab', 'Shift+Tab'], byPart: true },
  'grid.selectAll': { group: 'grid', keys: ['mod+A'], byPart: true },
  'grid.selectRow': { group: 'grid', keys: ['Shift+Space'], byPart: true },
  'grid.selectColumn': { group: 'grid', keys: ['Ctrl+Space'], byPart: true },
  'grid.paste': { group: 'grid', keys: ['mod+V'], byPart: true },
  'grid.find': { group: 'grid', keys: ['mod+F'], byPart: true },
  'grid.goTo': { group: 'grid', keys: ['mod+G'], byPart: true },
  'grid.copy': { group: 'grid', keys: ['mod+C'], byPart: true },
  'grid.cellMenu': { group: 'grid', keys: ['Shift+F10', 'ContextMenu'], byPart: true },
  'grid.follow': { group: 'grid', keys: ['Alt+Enter'], byPart: true },
  'grid.referring': { group: 'grid', keys: ['Alt+Shift+Enter'], byPart: true },
  'grid.rowPanel': { group: 'grid', keys: ['mod+I'], byPart: true },
  'grid.sort': { group: 'grid', keys: ['Enter', 'Shift+Enter'], byPart: true },
  'grid.columnWidth': { group: 'grid', keys: ['Alt+ArrowLeft', 'Alt+ArrowRight'], byPart: true },
  'grid.moveColumn': { group: 'grid', keys: ['Alt+Shift+ArrowLeft', 'Alt+Shift+ArrowRight'], byPart: true },
  'grid.columnMenu': { group: 'grid', keys: ['Alt+ArrowDown'], byPart: true },
  'editing.edit': { group: 'editing', keys: ['Enter', 'F2'], byPart: true },
  'editing.delete': { group: 'editing', keys: ['Delete'], byPart: true },
  'editing.undo': { group: 'editing', keys: ['mod+Z'], byPart: true },
  'editing.redo': { group: 'editing', keys: ['mod+Shift+Z'], byPart: true },
  'editing.review': { group: 'editing', keys: ['mod+S'], byPart: true },
  'filter.show': { group: 'filter', keys: ['mod+Shift+F'], byPart: true },
  'filter.apply': { group: 'filter', keys: ['Enter'], byPart: true },
  'console.run': { group: 'console', keys: ['mod+Enter'], byPart: true },
  'console.runAll': { group: 'console', keys: ['mod+Shift+Enter'], byPart: true },
  'console.explain': { group: 'console', keys: ['F9'] },
  'console.save': { group: 'console', keys: ['mod+S'], byPart: true },
  'console.view': { group: 'console', keys: ['F8'] },
  'console.find': { group: 'console', keys: ['mod+F'], byPart: true },
  'console.complete': { group: 'console', keys: ['Ctrl+Space'], byPart: true },
} satisfies Record<string, KeyEntry>;

/** Keys with a name of their own, which is in `strings.commands.keyNames`. */
export type KeyId = keyof typeof ENTRIES;
export const KEY_MAP: Readonly<Record<KeyId, KeyEntry>> = ENTRIES;

export function isKeyId(id: string): id is KeyId {
  return Object.hasOwn(ENTRIES, id);
}

/** The keys of an entry in the transport that shows the window. */
export function keysOf(id: KeyId, inDesktop: boolean): readonly string[] {
  const entry = KEY_MAP[id];
  return (inDesktop ? entry.desktopKeys : undefined) ?? entry.keys;
}
