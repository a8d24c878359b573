import { homeIdentity } from '../storage/homeIdentity.ts';
import type { SecretsChoice } from './secretPlace.ts';
import { EnvironmentSecureStore } from './environmentSecureStore.ts';
import { FileSecureStore } from './fileSecureStore.ts';
import { HomeKeyring } from './homeKeyring.ts';
import { OsSecureStore } from './osSecureStore.ts';
import { readSecretKey } from './secretKey.ts';
import type { SecureStore } from './secureStore.ts';
import { SplitSecureStore } from './splitSecureStore.ts';

/** The entries of a data directory in the keyring of the operating system, whatever place was chosen. */
export function openKeyring(homeFolder: string): SecureStore {
  const keyring = new OsSecureStore();
  // The other keyrings have no limit that a token meets.
  const whole = process.platform === 'win32' ? new SplitSecureStore(keyring) : keyring;
  return new HomeKeyring(whole, () => homeIdentity(homeFolder));
}

/** The store of a place that an administrator chose. Nothing is read before the first use. */
export function openSecureStore(
  place: SecretsChoice,
  options: { readonly homeFolder: string; readonly env: Readonly<Record<string, string | undefined>> },
): SecureStore {
  switch (place.place) {
    case 'keyring':
      return openKeyring(options.homeFolder);
    case 'environment':
      return new EnvironmentSecureStore(options.env);
    case 'file':
      return new FileSecureStore({
        homeFolder: options.homeFolder,
        file: place.file,
        key: () => readSecretKey({ source: place.key, ...options }),
      });
  }
}
