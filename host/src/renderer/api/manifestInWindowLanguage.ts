import { translatedManifest } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import { language } from '../i18n/language.ts';

/** An answer of the host with its manifest's texts in the language of the window, as far as the driver's author has translated them. */
export function manifestInWindowLanguage<T extends { readonly manifest: Manifest }>(answer: T): T {
  return { ...answer, manifest: translatedManifest(answer.manifest, language) };
}
