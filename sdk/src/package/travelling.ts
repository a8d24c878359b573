import { DRIVER_KEYWORD } from './packageJson.ts';

/** Fields that are useful in the source folder only. */
const SOURCE_ONLY = new Set(['$schema', 'devDependencies', 'scripts', 'files', 'private', 'workspaces', 'publishConfig']);

/**
 * The package.json that travels, made of the one in the source folder: without what only the source folder needs, with an entry, and with
 * the word that registries search by.
 *
 * @param source - the parsed file
 */
export function travellingPackageJson(source: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const json = Object.fromEntries(Object.entries(source).filter(([name]) => !SOURCE_ONLY.has(name)));
  const keywords: unknown[] = Array.isArray(source['keywords']) ? source['keywords'] : [];
  json['keywords'] = [...new Set([DRIVER_KEYWORD, ...keywords])];
  if (source['main'] === undefined && source['exports'] === undefined) json['exports'] = './dist/index.js';
  return json;
}
