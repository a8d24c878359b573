import type { SecretsChoice } from './secretPlace.ts';
import { EnvironmentSecureStore } from './environmentSecureStore.ts';
import { FileSecureStore } from './fileSecureStore.ts';
import { OsSecureStore } from './osSecureStore.ts';
import { readSecretKey } from './secretKey.ts';
import type { SecureStore } from './secureStore.ts';

/** The store of a place that an administrator chose. Nothing is read before the first use. */
export function openSecureStore(
  place: SecretsChoice,
  options: { readonly homeFolder: string; readonly env: Readonly<Record<string, string | undefined>> },
): SecureStore {
  switch (place.place) {
    case 'keyring':
      return new OsSecureStore();
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
