/** A path as it is typed in the shell of the platform: quoted where it has to be, and never taken for an option. */
export function shellWord(path: string, platform: NodeJS.Platform = process.platform): string {
  const word = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word;
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
