import { describe, expect, it } from 'vitest';
import { checkSettings } from './formValues.ts';
import { englishOf } from './hostSentences.ts';
import { plainManifest } from './plainManifest.test-helper.ts';

const manifest = plainManifest({
  connection: {
    fields: [
      { id: 'user', label: 'User', type: 'text', required: true, maxLength: 100 },
      { id: 'key', label: 'Key file', type: 'file', readBy: 'host' },
    ],
  },
  reading: { maxSorts: 0 },
});

const problemsOf = (user: string, key: string): readonly (readonly [string, string])[] =>
  checkSettings(manifest, { user, key }, new Set()).map(({ field, sentence }) => [field, englishOf(sentence)]);

describe('a text of one line', () => {
  const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, place) => 0x7f + place)];

  it.each(controls.map((code) => [`U+${code.toString(16).toUpperCase().padStart(4, '0')}`, String.fromCodePoint(code)]))(
    'has no control character %s, which is named',
    (name, character) => {
      const sentence = (label: string): string =>
        `${label} has the control character ${name}, such as a line break. Leave it out.`;
      expect(problemsOf(`a${character}b`, `/a${character}`)).toEqual([
        ['user', sentence('User')],
        ['key', sentence('Key file')],
      ]);
    },
  );

  it('may be of any script, with marks and signs', () => {
    expect(problemsOf('Zoë \u{1F469}\u200D\u{1F680} علي', 'C:\\Schlüssel\\ä b.pem')).toEqual([]);
  });
});
