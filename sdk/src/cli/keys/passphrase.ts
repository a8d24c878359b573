import { CliError } from '../cliError.ts';
import { isInteractive, readFirstLine, readUnseen } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

/**
 * The shortest passphrase of a new key. OpenSSL derives the key of a PKCS#8 file with 2048 rounds of PBKDF2, which slows a guesser down
 * little: the length has to.
 */
const SHORTEST_PASSPHRASE = 12;

/** How a passphrase comes in. It is never an argument: every user of the machine can read those. */
export interface PassphraseOptions {
  /** The name of an environment variable. */
  readonly env: string | undefined;
  readonly stdin: boolean;
}

/** @throws CliError `PASSPHRASE_MISSING` */
export async function readPassphrase(
  terminal: Terminal,
  variables: NodeJS.ProcessEnv,
  options: PassphraseOptions,
  question: string,
): Promise<string> {
  const given = await passphraseOf(terminal, variables, options, question);
  if (given !== '') return given;
  throw new CliError('PASSPHRASE_MISSING', 'The passphrase is empty.', 'Give the passphrase of the key.');
}

/** As {@link readPassphrase}, for a new key: asked for twice, and of some length. */
export async function readNewPassphrase(
  terminal: Terminal,
  variables: NodeJS.ProcessEnv,
  options: PassphraseOptions,
): Promise<string> {
  const passphrase = await passphraseOf(terminal, variables, options, 'Passphrase for the new key (typed unseen): ');
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw new CliError(
      'PASSPHRASE_MISSING',
      `The passphrase has ${passphrase.length} characters; a new one needs at least ${SHORTEST_PASSPHRASE}.`,
      'Choose a longer one, because a copy of the file allows unlimited guesses.',
    );
  }
  if (options.env === undefined && !options.stdin && (await readUnseen(terminal, 'Once more: ')) !== passphrase) {
    throw new CliError('PASSPHRASE_MISSING', 'The two passphrases differ. No key was made.', 'Try again.');
  }
  return passphrase;
}

async function passphraseOf(
  terminal: Terminal,
  variables: NodeJS.ProcessEnv,
  { env, stdin }: PassphraseOptions,
  question: string,
): Promise<string> {
  if (env !== undefined) {
    const value = variables[env];
    if (value !== undefined && value !== '') return value;
    throw new CliError('PASSPHRASE_MISSING', `The environment variable ${env} is empty or not set.`, 'Set it, and try again.');
  }
  if (stdin) return readFirstLine(terminal);
  if (!isInteractive(terminal)) {
    throw new CliError(
      'PASSPHRASE_MISSING',
      'The key needs a passphrase, and there is no terminal to ask for it.',
      'Name an environment variable that holds it (--passphrase-env NAME), or send it to standard input (--passphrase-stdin).',
    );
  }
  const typed = await readUnseen(terminal, question);
  if (typed === undefined) throw new CliError('CANCELLED', 'No passphrase was given.', 'Nothing was changed.');
  return typed;
}
