import { describe, expect, it } from 'vitest';
import { runLines } from './runConsoleStatement.ts';

async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

const all = async (...texts: readonly (string | Uint8Array)[]) => Array.fromAsync(runLines(chunks(...texts)));

describe('runLines', () => {
  it('takes lines as they come, wherever they are cut', async () => {
    const text =
      '{"type":"rowsBegin","columns":[]}\n{"type":"rows","rows":[["é\\n"]]}\n{"type":"done","truncated":false,"milliseconds":1}';
    const bytes = new TextEncoder().encode(text);
    const whole = await all(text);
    expect(whole.map(({ type }) => type)).toEqual(['rowsBegin', 'rows', 'done']);
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await all(...single)).toEqual(whole);
  });

  it.each(['{"type":', '[]', '{"kind":"done"}\n', 'null\n'])('refuses %j', async (text) => {
    await expect(all(text)).rejects.toThrow(SyntaxError);
  });
});
