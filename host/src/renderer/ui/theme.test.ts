import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { de } from '../i18n/de/index.ts';
import { speakWords, strings } from '../i18n/index.ts';
import { connectionColors, dark, light, theme } from './theme.ts';

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

describe('the first frame', () => {
  it('has the colours of the window', () => {
    const css = readFileSync(join(import.meta.dirname, '../styles/first-frame.css'), 'utf8');
    const grounds = [...css.matchAll(/background: (#[0-9a-f]+)/g)].map(([, color]) => color);
    expect(grounds).toEqual([light.chrome, dark.chrome, dark.chrome]);
  });
});

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('the %s theme', (scheme, palette) => {
  const grounds = ['chrome', 'surface', 'raised', 'hover'] as const;
  const texts = ['text', 'muted', 'accent', 'amber', 'red', 'green', 'violet'] as const;
  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))('%s on %s can be read', (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ['text', 'accentSoft'],
    ['muted', 'accentSoft'],
    ['violet', 'accentSoft'],
    ['amber', 'amberSoft'],
    ['text', 'amberSoft'],
    ['text', 'redSoft'],
    ['muted', 'redSoft'],
    ['red', 'redSoft'],
  ] as const)('%s on %s can be read', (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(Object.entries(connectionColors))('the mark %s can be seen', (_name, colors) => {
    expect(contrast(colors[scheme], palette.chrome)).toBeGreaterThanOrEqual(3);
    expect(contrast(colors[scheme], palette.surface)).toBeGreaterThanOrEqual(3);
  });
});

it('labels the button of a password input in the language of the window', () => {
  const propsOf = theme.components?.['PasswordInput']?.defaultProps as () => object;
  expect(propsOf()).toMatchObject({ visibilityToggleButtonProps: { 'aria-label': strings.form.secret.show } });
  speakWords(de);
  expect(propsOf()).toMatchObject({ visibilityToggleButtonProps: { 'aria-label': de.form.secret.show } });
});
