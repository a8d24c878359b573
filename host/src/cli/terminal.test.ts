import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Interruption } from './interruption.ts';
import { confirm, canAskPerson, readSecrets } from './terminal.ts';

const signal = new AbortController().signal;

/** A terminal at which somebody types. */
function typing() {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return { terminal: { stdin, stdout, stderr }, raw, shown: () => shown };
}

describe('secrets at a terminal', () => {
  it('are typed unseen, one after the other, and can be corrected', async () => {
    const { terminal, raw, shown } = typing();
    const values = readSecrets(terminal, ['Key', 'PIN'], signal);
    terminal.stdin.write('hunterx\u007f2\r');
    await expect.poll(shown).toContain('PIN: ');
    terminal.stdin.write('1234\n');
    expect(await values).toEqual(['hunter2', '1234']);
    expect(raw).toEqual([true, false]);
    expect(shown()).not.toContain('hunter');
  });

  it('are given up by Control-C, and the terminal is left as it was', async () => {
    const { terminal, raw } = typing();
    const values = readSecrets(terminal, ['Key'], signal);
    terminal.stdin.write('hunter\u0003');
    await expect(values).rejects.toBeInstanceOf(Interruption);
    expect(raw).toEqual([true, false]);
  });

  it('are not empty', async () => {
    const { terminal } = typing();
    const values = readSecrets(terminal, ['Key'], signal);
    terminal.stdin.write('\r');
    await expect(values).rejects.toThrow('holds no Key');
  });
});

describe('a question', () => {
  it.each([
    ['y\n', true],
    ['YES\n', true],
    ['\n', false],
    ['yeah\n', false],
    ['n\n', false],
  ])('answered with %j is %s', async (typed, agreed) => {
    const { terminal } = typing();
    const answer = confirm(terminal, 'Run it?', signal);
    terminal.stdin.write(typed);
    expect(await answer).toBe(agreed);
  });

  it('is given up by Control-C', async () => {
    const { terminal } = typing();
    const answer = confirm(terminal, 'Run it?', signal);
    terminal.stdin.write('y\u0003');
    await expect(answer).rejects.toBeInstanceOf(Interruption);
  });

  it('is answered with no when the input ends', async () => {
    const { terminal } = typing();
    const answer = confirm(terminal, 'Run it?', signal);
    terminal.stdin.end();
    expect(await answer).toBe(false);
  });

  it('is asked of people only', () => {
    const { terminal } = typing();
    expect(canAskPerson(terminal)).toBe(true);
    expect(canAskPerson({ ...terminal, stdin: new PassThrough() })).toBe(false);
  });
});
