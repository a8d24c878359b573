import { describe, expect, it } from 'vitest';
import { COMMAND_GROUPS, KEY_MAP, keysOf } from '../../common/keyMap.ts';
import type { KeyId } from '../../common/keyMap.ts';
import { ariaKeys, isPressed, keysText } from './keys.ts';
import type { KeyPress } from './keys.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});
const ids = Object.keys(KEY_MAP) as KeyId[];

describe('isPressed', () => {
  it('takes Ctrl for mod, and ⌘ on a Mac', () => {
    expect(isPressed('mod+K', press('k', { ctrlKey: true }), false)).toBe(true);
    expect(isPressed('mod+K', press('k', { ctrlKey: true }), true)).toBe(false);
    expect(isPressed('mod+K', press('k', { metaKey: true }), true)).toBe(true);
    expect(isPressed('mod+K', press('k'), false)).toBe(false);
    expect(isPressed('mod+K', press('K', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
  });

  it('finds a sign wherever the keyboard has it', () => {
    expect(isPressed('?', press('?', { shiftKey: true }), false)).toBe(true);
    expect(isPressed('mod+/', press('/', { ctrlKey: true, shiftKey: true }), false)).toBe(true);
  });

  it('finds a letter by its place where Alt writes another one', () => {
    expect(isPressed('Alt+W', press('∑', { altKey: true, code: 'KeyW' }), true)).toBe(true);
    expect(isPressed('Alt+W', press('w', { code: 'KeyW' }), true)).toBe(false);
    // AltGr+O on a Polish keyboard.
    expect(isPressed('mod+Alt+O', press('ó', { ctrlKey: true, altKey: true, code: 'KeyO' }), false)).toBe(false);
  });
});

describe('what keys are called', () => {
  it('show the labels of the keyboard', () => {
    expect(keysText('mod+Shift+Z', false)).toBe('Ctrl+Shift+Z');
    expect(keysText('mod+Shift+Z', true)).toBe('⌘⇧Z');
    expect(keysText('Alt+ArrowLeft', false)).toBe('Alt+←');
    expect(keysText('Alt+PageDown', false)).toBe('Alt+Page Down');
    expect(ariaKeys(['mod+K'], false)).toBe('Control+K');
  });
});

describe('the keyboard map', () => {
  it('uses no key that a browser keeps for itself, outside the desktop shell', () => {
    const reserved = /^(?:mod|Ctrl)\+(?:Shift\+)?(?:[NTW]|Tab|PageUp|PageDown|[0-9])$/;
    expect(ids.flatMap((id) => keysOf(id, false)).filter((keys) => reserved.test(keys))).toEqual([]);
  });

  it.each([false, true])('gives the keys that the window dispatches to one command each (desktop: %s)', (inDesktop) => {
    const dispatched = ids.filter((id) => KEY_MAP[id].byPart === undefined).flatMap((id) => keysOf(id, inDesktop));
    expect(dispatched.filter((keys, place) => dispatched.indexOf(keys) !== place)).toEqual([]);
    const ofParts = ids.filter((id) => KEY_MAP[id].byPart === true).flatMap((id) => keysOf(id, inDesktop));
    expect(dispatched.filter((keys) => ofParts.includes(keys))).toEqual([]);
  });

  it('has no group that the palette does not know', () => {
    for (const id of ids) expect(COMMAND_GROUPS).toContain(KEY_MAP[id].group);
  });
});
