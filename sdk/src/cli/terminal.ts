import type { ReadStream } from 'node:tty';

/** Where a command reads and writes. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

const INTERRUPT = '\u0003';
const END = '\u0004';
const BACKSPACES = new Set(['\u0008', '\u007f']);

/** Whether a person can be asked. */
export function isInteractive({ stdin }: Terminal): boolean {
  return stdin.isTTY === true && typeof stdin.setRawMode === 'function';
}

/**
 * Reads a line that is typed unseen.
 *
 * @returns undefined when it was broken off
 */
export async function readUnseen(terminal: Terminal, question: string): Promise<string | undefined> {
  const { stdin, stderr } = terminal;
  stderr.write(question);
  stdin.setRawMode?.(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    return await new Promise<string | undefined>((resolve) => {
      const onData = (text: string): void => {
        for (const character of text) {
          if (character === '\r' || character === '\n') return finish(typed);
          if (character === INTERRUPT || character === END) return finish(undefined);
          typed = BACKSPACES.has(character) ? typed.slice(0, -1) : typed + character;
        }
      };
      const finish = (answer: string | undefined): void => {
        stdin.off('data', onData);
        resolve(answer);
      };
      stdin.on('data', onData);
      stdin.resume();
    });
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** The first line of what comes from standard input. */
export async function readFirstLine({ stdin }: Terminal): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return (text.split('\n')[0] ?? '').replace(/\r$/, '');
}
