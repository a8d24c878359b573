import { describe, expect, it } from 'vitest';
import { headerText, noValueText, placeholderOf } from './presetText.ts';

describe('the value of a new row', () => {
  it('is the default, or says how the database writes it', () => {
    expect(placeholderOf({})).toBeUndefined();
    expect(placeholderOf({ default: 'now()' })).toBe('now()');
    expect(placeholderOf({ generated: { kind: 'virtual', expression: 'a + 1' } })).toBe('Computed when read: a + 1');
  });

  it('is taken by a column unless the database writes it itself', () => {
    expect(noValueText({})).toBeUndefined();
    expect(noValueText({ generated: { kind: 'identityByDefault' } })).toBeUndefined();
    expect(noValueText({ generated: { kind: 'identityAlways' } })).toBe(
      'Numbered by the database, always. A new row takes no value here.',
    );
  });

  it('is in the header with the comment, where it leads and the note, cut where they are long', () => {
    expect(headerText({})).toBeUndefined();
    expect(headerText({ comment: 'c'.repeat(400), default: '7', refersTo: 'shops', note: 'Key.' })).toBe(
      `${'c'.repeat(300)}…\nDefault 7\nRefers to shops\nKey.`,
    );
  });
});
