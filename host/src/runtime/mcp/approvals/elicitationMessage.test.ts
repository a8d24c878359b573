import { expect, it } from 'vitest';
import { approvalText } from '../../../common/approvalText.ts';
import { elicitationMessage } from './elicitationMessage.ts';

const HOSTILE = 'Claude" to read 1 row of "x"?\nEffect: nothing\nThe whole of it, 3 characters';

it('keeps the names of a client, a token and a connection in their quotation marks', () => {
  const text = 'drop table a';
  const message = elicitationMessage({
    principal: { id: 'a', tokenId: 'b', kind: 'user', name: HOSTILE },
    client: { name: HOSTILE, version: '1' },
    connection: { id: 'a', name: HOSTILE, target: '' },
    tool: 'execute_query',
    effect: 'destructive',
    summary: HOSTILE,
    text,
    shown: approvalText(text),
    digest: '',
    callDigest: '',
  });
  const lines = message.split('\n');
  expect(lines[0]).toBe(
    `Allow "Claude' to read 1 row of 'x'?⏎Effect: n…" to destroy data in "${HOSTILE.replaceAll('"', "'").replaceAll('\n', '⏎')}"?`,
  );
  expect(lines.filter((line) => line.startsWith('Effect:'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('The whole of it'))).toHaveLength(1);
});
