import { URL_SCHEME } from './startUrl.ts';

export const DESKTOP_ENTRY_NAME = 'tabularium-url-handler.desktop';
export const SCHEME_TYPE = `x-scheme-handler/${URL_SCHEME}`;

/** The program of the entry. */
export interface UrlHandler {
  /** The Node that runs the launcher: a desktop session has not the PATH of a shell. */
  readonly node: string;
  readonly launcher: string;
  /** Used where the opener passes on no `TABULARIUM_HOME`. */
  readonly home: string;
}

/** The desktop entry by which the platform finds the application for an address of its scheme. */
export function desktopEntry({ node, launcher, home }: UrlHandler): string {
  const command = [node, launcher].map(execWord);
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Tabularium',
    'Comment=Starts Tabularium for the clients of its MCP server',
    `Exec=${command.join(' ')} ${execArguments(home)}`,
    'Terminal=false',
    'NoDisplay=true',
    'StartupNotify=false',
    `MimeType=${SCHEME_TYPE};`,
    '',
  ].join('\n');
}

/** The end of the entry's Exec line: what the program is to do, and for which data directory. */
export function execArguments(home: string): string {
  return `open-url --home ${execWord(home)} %u`;
}

/**
 * A word of an Exec line. Left bare where that is possible: xdg-open before 1.2 splits at blanks and has no quotes.
 *
 * @throws Error for control characters, which an entry cannot hold
 */
function execWord(word: string): string {
  if (/\p{Cc}/u.test(word)) throw new Error(`A desktop entry cannot name ${JSON.stringify(word)}.`);
  const percent = word.replaceAll('%', '%%');
  if (/^[\w./:=+@,%-]+$/.test(percent)) return percent;
  // Escaped once as an argument, and once more as a value of the file.
  const argument = percent.replaceAll(/["`$\\]/g, (character) => `\\${character}`);
  return `"${argument.replaceAll('\\', '\\\\')}"`;
}
