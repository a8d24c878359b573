import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapedJson, hiddenCharacter, visibleText } from './visibleText.ts';
import type { VisibleTextMode } from './visibleText.ts';

const MODES: readonly VisibleTextMode[] = ['name', 'text', 'statement', 'data'];

/** Written by code so that this file holds none of them. */
const ranges: readonly (readonly [name: string, first: number, last: number])[] = [
  ['C0 controls', 0x00, 0x08],
  ['C0 controls after the carriage return', 0x0b, 0x1f],
  ['delete and C1 controls', 0x7f, 0x9f],
  ['soft hyphen', 0xad, 0xad],
  ['combining grapheme joiner', 0x34f, 0x34f],
  ['Arabic letter mark', 0x61c, 0x61c],
  ['Hangul fillers', 0x115f, 0x1160],
  ['Khmer inherent vowels', 0x17b4, 0x17b5],
  ['zero width and direction marks', 0x200b, 0x200f],
  ['line and paragraph separator', 0x2028, 0x2029],
  ['bidi embeddings and overrides', 0x202a, 0x202e],
  ['invisible operators and isolates', 0x2060, 0x206f],
  ['blank Braille pattern', 0x2800, 0x2800],
  ['Hangul filler', 0x3164, 0x3164],
  ['lone surrogates', 0xd800, 0xdfff],
  ['noncharacters', 0xfdd0, 0xfdef],
  ['variation selectors', 0xfe00, 0xfe0f],
  ['byte order mark', 0xfeff, 0xfeff],
  ['halfwidth Hangul filler', 0xffa0, 0xffa0],
  ['annotations', 0xfff9, 0xfffb],
  ['musical format controls', 0x1d173, 0x1d17a],
  ['tags', 0xe0000, 0xe007f],
  ['variation selectors supplement', 0xe0100, 0xe01ef],
];

describe('visibleText', () => {
  it.each(ranges)('marks %s in every mode', (_name, first, last) => {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      const mark = `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
      for (const mode of MODES) expect(visibleText(`a${character}b`, mode), `${mark} ${mode}`).toBe(`a${mark}b`);
      expect(hiddenCharacter(`a${character}`)).toBe(mark.slice(1, -1));
    }
  });

  it.each([
    ['plain text', 'naïve “quotes” 日本語 עברית العربية 10 000 €'],
    ['an Arabic number sign', '\u0600١٢'],
    ['private use', '\ue0b0'],
  ])('leaves %s as it is', (_name, text) => {
    for (const mode of MODES.filter((other) => other !== 'statement')) expect(visibleText(text, mode)).toBe(text);
    expect(hiddenCharacter(text)).toBeUndefined();
  });

  it.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a profession with a skin tone', '👩🏽‍💻'],
    ['a heart and a keycap', '❤️ 1️⃣'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian with a non-joiner', 'می\u200cخواهم'],
    ['Sinhala with a joiner', 'ශ්\u200dරී'],
    ['Devanagari with a joiner', 'क्\u200dष'],
    ['a Han variant', '葛\u{e0100}'],
  ])('keeps %s in data, and marks its joiners in a name', (_name, text) => {
    expect(visibleText(text, 'data')).toBe(text);
    expect(visibleText(text, 'name')).toContain('⟨U+');
  });

  it.each([
    ['between Latin letters', 'ad\u200dmin'],
    ['between a letter and an emoji', 'a\u200d👩'],
    ['twice between Arabic letters', 'م\u200c\u200cخ'],
    ['a selector after a letter', 'a\ufe0f'],
    ['a selector after a digit', '1\ufe0f'],
    ['tags without a flag', '👩\u{e0067}\u{e007f}'],
  ])('marks joiners and selectors in data where nothing needs them: %s', (_name, text) => {
    expect(visibleText(text, 'data')).toContain('⟨U+');
  });

  it('shows line ends and tabs as the mode says', () => {
    const text = 'a\r\nb\tc\rd';
    expect(visibleText(text, 'name')).toBe('a⏎b⇥c⟨U+000D⟩d');
    expect(visibleText(text, 'text')).toBe('a\nb\tc⟨U+000D⟩d');
    expect(visibleText(text, 'data')).toBe('a\nb\tc⟨U+000D⟩d');
    expect(visibleText(text, 'statement')).toBe('a\nb⇥c⟨U+000D⟩d');
  });

  it('shows other spaces in a statement', () => {
    expect(visibleText('a\u00a0b\u3000c d', 'statement')).toBe('a⟨U+00A0⟩b⟨U+3000⟩c d');
  });

  it('lets no terminal sequence through', () => {
    const attack = '\u001b]0;owned\u0007\u001b]52;c;YQ==\u001b\\\u009b2J\u001b[31m\u0008';
    expect(visibleText(attack, 'text')).toBe(
      '⟨U+001B⟩]0;owned⟨U+0007⟩⟨U+001B⟩]52;c;YQ==⟨U+001B⟩\\⟨U+009B⟩2J⟨U+001B⟩[31m⟨U+0008⟩',
    );
  });

  it.each(['Tiê\u0301ng Viê\u0323t', 'e\u0302\u0323\u0301', 'शान्ति', 'क़्षिं', 'น้ำที่', 'בְּרֵאשִׁ֖ית', 'مُحَمَّدٌ', 'မြွှာ', 'ཧཱུྃ'])(
    'leaves %s as it is written',
    (text) => {
      expect(visibleText(text)).toBe(text);
      expect(visibleText(text.normalize('NFD'), 'statement')).toBe(text.normalize('NFD'));
    },
  );

  it('folds runs and stacked accents into one mark with a count', () => {
    expect(visibleText('a' + '\u200b'.repeat(400) + 'b')).toBe('a⟨U+200B×400⟩b');
    expect(visibleText('\u200b'.repeat(3))).toBe('⟨U+200B⟩⟨U+200B⟩⟨U+200B⟩');
    expect(visibleText('z' + '\u0301'.repeat(100))).toBe('z' + '\u0301'.repeat(3) + '⟨U+0301×97⟩');
    expect(visibleText('a' + '\u0336'.repeat(8))).toBe('a' + '\u0336'.repeat(3) + '⟨U+0336×5⟩');
  });

  it('cuts before it looks, never inside a pair, and says how much is left out', () => {
    expect(visibleText('x'.repeat(600))).toBe(`${'x'.repeat(500)}…⟨+100⟩`);
    expect(visibleText('a👩👩', 'name', 2)).toBe('a…⟨+4⟩');
  });

  it('takes time in proportion to the bound, whatever is in the text', () => {
    const begin = process.threadCpuUsage();
    for (const unit of ['\u202e\u200b', '\u0301', '👩\u200d', 'a\u200d', '🏴\u{e0061}'])
      visibleText(unit.repeat(2_000_000), 'data', 100_000);
    const { user, system } = process.threadCpuUsage(begin);
    // In microseconds of this thread's own work: how busy the machine is does not count.
    expect(user + system).toBeLessThan(5_000_000);
  });

  it('leaves nothing hidden in any text, and changes nothing the second time', () => {
    const piece = fc.oneof(
      fc.constantFrom(...ranges.map(([, first]) => String.fromCodePoint(first)), '\n', '\t', '\r', 'a', ' ', 'م', '👩', '葛'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(...MODES), (pieces, mode) => {
        const shown = visibleText(pieces.join(''), mode);
        expect(visibleText(shown, mode)).toBe(shown);
        expect(hiddenCharacter(shown, mode)).toBeUndefined();
        expect(hiddenCharacter(pieces.join(''), mode) === undefined).toBe(shown === pieces.join(''));
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f]/);
      }),
    );
  });
});

describe('escapedJson', () => {
  it('keeps the value and leaves no hidden character', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        for (const indent of [undefined, 2]) {
          const json = escapedJson(JSON.stringify({ value, [text]: `${text}\u202e\u{e0001}\ud800` }, null, indent));
          expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, [text]: `${text}\u202e\u{e0001}\ud800` })));
          expect(hiddenCharacter(json, 'text')).toBeUndefined();
        }
      }),
    );
  });
});
