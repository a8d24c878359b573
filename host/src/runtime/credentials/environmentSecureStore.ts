import { HostError } from '../../common/errors.ts';
import { englishOf, hostSentence } from '../../common/hostSentences.ts';
import type { SecureStore, SecureStoreState } from './secureStore.ts';

const PREFIX = 'TABULARIUM_SECRET_';

/** The variable of an entry: its account in capital letters, with `_` for everything but letters and digits. */
export function secretVariable(account: string): string {
  return `${PREFIX}${account.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/** Secrets in variables of the host's environment, where its administrator chose that. Nothing is ever saved. */
export class EnvironmentSecureStore implements SecureStore {
  readonly isReadOnly = true;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  async state(): Promise<SecureStoreState> {
    const sentence = hostSentence('secretsFromEnvironment');
    return { available: false, name: 'environment variables', reason: englishOf(sentence), sentence, isReadOnly: true };
  }

  async get(account: string): Promise<string | undefined> {
    const value = this.#env[secretVariable(account)];
    return value === '' ? undefined : value;
  }

  async set(account: string): Promise<void> {
    throw new HostError('SECURE_STORE_UNAVAILABLE', hostSentence('secretsFromEnvironment'), {
      details: {
        advice: `Start the host with the variable ${secretVariable(account)}, or name one of yours: the option of "tabularium connections add" that ends in -env.`,
      },
    });
  }

  /** There is nothing of ours to forget: the variable belongs to the administrator. */
  async delete(): Promise<void> {}
}
