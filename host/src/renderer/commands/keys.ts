import { strings } from '../i18n/index.ts';

const MODIFIERS = ['mod', 'Ctrl', 'Alt', 'Shift'] as const;
type Modifier = (typeof MODIFIERS)[number];

interface Chord {
  readonly modifiers: ReadonlySet<Modifier>;
  readonly key: string;
}

const SYMBOLS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };
const MAC_MODIFIERS: Readonly<Record<Modifier, string>> = { mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };

function parse(keys: string): Chord {
  // The last part is the key, which may itself be a plus sign.
  const parts = keys.split(/\+(?=.)/);
  const key = parts.at(-1) ?? keys;
  return { modifiers: new Set(MODIFIERS.filter((name) => parts.slice(0, -1).includes(name))), key };
}

/** The properties of a keyboard event that a chord needs. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Whether these keys were pressed. A sign other than a letter is compared as it is written, wherever its keyboard has it: on many of them it needs
 * Shift. With Alt a Mac writes other letters, so there the key's place counts; elsewhere Ctrl and Alt together are how many keyboards write letters,
 * so there it does not.
 */
export function isPressed(keys: string, event: KeyPress, isMac: boolean): boolean {
  const { modifiers, key } = parse(keys);
  const ctrl = modifiers.has('Ctrl') || (modifiers.has('mod') && !isMac);
  const meta = modifiers.has('mod') && isMac;
  if (event.ctrlKey !== ctrl || event.metaKey !== meta || event.altKey !== modifiers.has('Alt')) return false;
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key);
  if (!isSign && event.shiftKey !== modifiers.has('Shift')) return false;
  if (event.key.toLowerCase() === key.toLowerCase() || (key === 'Space' && event.key === ' ')) return true;
  return isMac && modifiers.has('Alt') && key.length === 1 && event.code === `Key${key.toUpperCase()}`;
}

/** The names of the keys of a chord, in the order in which they are pressed. */
export function keyNames(keys: string, isMac: boolean): readonly string[] {
  const { modifiers, key } = parse(keys);
  const words = strings.commands.keys;
  const modifierWords: Readonly<Record<Modifier, string>> = isMac
    ? MAC_MODIFIERS
    : { mod: words.ctrl, Ctrl: words.ctrl, Alt: words.alt, Shift: words.shift };
  return [
    ...MODIFIERS.filter((name) => modifiers.has(name)).map((name) => modifierWords[name]),
    SYMBOLS[key] ?? words.named[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  ];
}

/** `Ctrl+K`, on a Mac `⌘K`. */
export function keysText(keys: string, isMac: boolean): string {
  return keyNames(keys, isMac).join(isMac ? '' : '+');
}

/** As `aria-keyshortcuts` has it. */
export function ariaKeys(keys: readonly string[], isMac: boolean): string {
  return keys.map((chord) => chord.replace('mod', isMac ? 'Meta' : 'Control').replace('Ctrl', 'Control')).join(' ');
}

/** Whether this is a Mac, where ⌘ does what Ctrl does elsewhere. */
export function onMac(): boolean {
  return typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);
}
