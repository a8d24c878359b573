import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// To derive a key takes half a second of processor time on purpose, and a test opens one file many times: the same passphrase and salt give the same key.

type Scrypt = (
  passphrase: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  bytes: number,
  options: crypto.ScryptOptions,
  done: (error: Error | null, derived: Buffer) => void,
) => void;

const derive: Scrypt = crypto.scrypt;
const derivedKeys = new Map<string, Buffer>();

const deriveOnce: Scrypt = (passphrase, salt, bytes, options, done) => {
  const input = JSON.stringify([
    ...[passphrase, salt].map((part) => Buffer.from(part as Uint8Array).toString('hex')),
    bytes,
    options,
  ]);
  const derived = derivedKeys.get(input);
  if (derived !== undefined) {
    setImmediate(done, null, Buffer.from(derived));
    return;
  }
  derive(passphrase, salt, bytes, options, (error, key) => {
    if (error === null) derivedKeys.set(input, Buffer.from(key));
    done(error, key);
  });
};

/** In this process, lets `scrypt` derive each key once. */
export function deriveKeysOnce(): void {
  Object.assign(crypto, { scrypt: deriveOnce });
  syncBuiltinESMExports();
}
