import { writeSync } from 'node:fs';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { AllowedName } from './allowedNames.ts';

const STDERR = 2;
const write = writeSync;

/** A stream that gives what is written to a function, at once. */
function sink(take: (chunk: Uint8Array) => void): Writable {
  return new Writable({
    decodeStrings: true,
    write: (chunk: Uint8Array, _encoding, done) => {
      take(chunk);
      done();
    },
  });
}

/** A driver's standard output, which has no reader, and its standard error, which is its log. */
export function driverOutput(): { readonly stdout: Writable; readonly stderr: Writable } {
  return {
    stdout: sink(() => undefined),
    stderr: sink((chunk) => {
      try {
        write(STDERR, chunk);
      } catch {
        // A log that takes nothing now is not worth failing the driver's call for.
      }
    }),
  };
}

/** A console over these streams, with the methods that stay. Node's own would give away the streams of the process. */
export function driverConsole(
  output: { readonly stdout: Writable; readonly stderr: Writable },
  allowed: readonly AllowedName[],
): object {
  const console = new Console({ ...output, colorMode: false });
  return Object.fromEntries(
    allowed.flatMap(({ name }) => {
      const method: unknown = Reflect.get(console, name);
      return typeof method === 'function' ? [[name, method]] : [];
    }),
  );
}
