import { expect, it } from 'vitest';
import { closeQuestionSchema } from '../../common/desktop.ts';
import { closeQuestion } from './unsaved.ts';
import type { Unsaved } from './unsaved.ts';

const transaction = (tab: string): Unsaved => ({ is: 'transaction', tab, connection: 'Shop' });

it('says of a transaction that it is rolled back, with its tab and connection', () => {
  expect(closeQuestion([transaction('Stock take')])).toEqual({
    message: 'Close the window and roll back the open transaction?',
    detail: 'The transaction of the console tab “Stock take” in “Shop” is rolled back. Its changes are lost.',
    keepOpen: 'Keep Open',
    close: 'Close and Roll Back',
  });
});

it('says that staged changes stay, and of nothing else that it does', () => {
  const staged = closeQuestion([{ is: 'staged' }, { is: 'staged' }]);
  expect(staged.detail).toBe(
    'Staged changes stay, and are here again when you open the window. Nothing is sent before you save.',
  );
  expect(staged.close).toBe('Close');
  const all = closeQuestion([
    { is: 'staged' },
    { is: 'typed', tab: 'products' },
    { is: 'typed', tab: 'products' },
    transaction('Stock take'),
    { is: 'writing', file: 'products.csv' },
  ]);
  expect(all.detail.split('\n')).toEqual([
    expect.stringContaining('is rolled back'),
    "Text that you typed in products and that isn't staged is lost.",
    "The file products.csv isn't complete yet.",
    staged.detail,
  ]);
});

it('counts what would not fit, and stays a question that the shell accepts', () => {
  const many = closeQuestion([
    ...Array.from({ length: 9 }, (_, place) => transaction(`${place} ${'x'.repeat(400)}`)),
    ...Array.from({ length: 9 }, (_, place): Unsaved => ({ is: 'typed', tab: `table ${place}` })),
  ]);
  expect(many.message).toBe('Close the window and roll back 9 open transactions?');
  expect(closeQuestionSchema.safeParse(many).success).toBe(true);
  const few = closeQuestion(Array.from({ length: 7 }, (_, place) => transaction(`Tab ${place}`)));
  expect(few.detail.split('\n').at(-1)).toBe('2 more transactions are rolled back.');
});

it('shows characters of names that can’t be seen', () => {
  expect(closeQuestion([transaction('gone\u202etxt')]).detail).toContain('⟨U+202E⟩');
});
