import { DESKTOP_ENTRY_NAME, SCHEME_TYPE } from './desktopEntry.ts';

/**
 * A list of default applications (`mimeapps.list`) without our desktop entry for our scheme. All else stays to the letter, another handler of the scheme too.
 *
 * @see https://specifications.freedesktop.org/mime-apps-spec/latest/
 */
export function withoutUrlHandler(list: string): string {
  return list
    .split('\n')
    .flatMap((line) => {
      const [type = '', entries] = line.split('=', 2);
      if (type.trim() !== SCHEME_TYPE || entries === undefined) return [line];
      const all = entries.split(';').filter((entry) => entry.trim() !== '');
      const others = all.filter((entry) => entry.trim() !== DESKTOP_ENTRY_NAME);
      if (others.length === all.length) return [line];
      return others.length === 0 ? [] : [`${type}=${others.join(';')};`];
    })
    .join('\n');
}
