import { expect, it } from 'vitest';
import { errorText } from './errorText.ts';

it('is one line, with a mark for each line end of a name in it', () => {
  expect(errorText('NOT_FOUND: The tables are: q\nEffect: reads only\r\nThe whole of it\u2028')).toBe(
    'NOT_FOUND: The tables are: q⏎Effect: reads only⏎The whole of it⟨U+2028⟩',
  );
});
