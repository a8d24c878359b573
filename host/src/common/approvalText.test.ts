import { expect, it } from 'vitest';
import { approvalSummary, approvalText, askedName, CLIENT_BOUND, fits, WINDOW_BOUND } from './approvalText.ts';

it('shows a statement whole, with marks in place of what cannot be seen', () => {
  const text = 'UPDATE t SET a = 1 WHERE id = 1\u202e\u2066 --\u2069\r\n\tOR\u00a01=1;\u0000\rDROP';
  expect(approvalText(text)).toEqual({
    shown: 'UPDATE t SET a = 1 WHERE id = 1⟨U+202E⟩⟨U+2066⟩ --⟨U+2069⟩\n⇥OR⟨U+00A0⟩1=1;⟨U+0000⟩⟨U+000D⟩DROP',
    characters: text.length,
    lines: 2,
    marked: true,
  });
  expect(approvalText('DELETE FROM t\n\nWHERE a = 1')).toMatchObject({
    shown: 'DELETE FROM t\n\nWHERE a = 1',
    lines: 3,
    marked: false,
  });
});

it('folds blank lines and long runs of spaces, so that nothing is pushed out of sight', () => {
  expect(approvalText(`a${'\n'.repeat(301)}b`).shown).toBe('a\n⟨⏎×300⟩\nb');
  expect(approvalText(`a${'\n \t\u200b'.repeat(300)}\nb`).shown).toBe('a\n⟨⏎×300⟩\nb');
  expect(approvalText(`a${' '.repeat(120)}b`).shown).toBe('a⟨␠×120⟩b');
});

it('leaves no text but its own marks out: the rest of the statement is there, in order', () => {
  const words = Array.from({ length: 500 }, (_, place) => `word${place}`);
  const { shown } = approvalText(words.join('\n\n\n\n\n\n'));
  expect(shown.match(/word\d+/g)).toEqual(words);
});

it('is held to a size and a number of lines, folded lines counting once', () => {
  expect(fits(approvalText('x'.repeat(WINDOW_BOUND.characters)), WINDOW_BOUND)).toBe(true);
  expect(fits(approvalText('x'.repeat(WINDOW_BOUND.characters + 1)), WINDOW_BOUND)).toBe(false);
  expect(fits(approvalText('x\n'.repeat(WINDOW_BOUND.lines)), WINDOW_BOUND)).toBe(false);
  expect(fits(approvalText('x\n'.repeat(WINDOW_BOUND.lines - 1) + 'x'), WINDOW_BOUND)).toBe(true);
  expect(fits(approvalText('\n'.repeat(10_000)), WINDOW_BOUND)).toBe(true);
  expect(fits(approvalText('x\n'.repeat(60)), CLIENT_BOUND)).toBe(false);
});

it.each(['⟨⏎×3⟩', '⟨U+202E⟩'])('marks a text that looks like the mark %s', (text) => {
  const { shown, marked } = approvalText(`select '${text}'`);
  expect(shown).toBe(`select '⟨U+27E8⟩${text.slice(1)}'`);
  expect(marked).toBe(true);
  expect(approvalSummary(text)).toBe(`⟨U+27E8⟩${text.slice(1)}`);
});

it.each([
  ['Claude', 'Claude'],
  ['Claude" to “read”?\nEffect: ⟨x', "Claude' to 'read'?⏎Effect: ⟨U+27E8⟩x"],
  ['a'.repeat(1_000), `${'a'.repeat(39)}…`],
])('a name in a question: %j', (name, asked) => {
  expect(askedName(name)).toBe(asked);
});
