/** The same as the host's, which a test holds them to: the entry that a host writes for its user replaces the one of the package. */
const URL_HANDLER_ENTRY = 'tabularium-url-handler.desktop';
const SCHEME_TYPE = 'x-scheme-handler/tabularium';

/**
 * The desktop entries of a package, by file name: one for the menu, and one for the addresses of our scheme, which starts the host without a window.
 * The programs are found on the PATH, so that the entries fit every prefix.
 */
export const DESKTOP_ENTRIES: ReadonlyMap<string, string> = new Map([
  [
    'tabularium.desktop',
    entry({
      Name: 'Tabularium',
      GenericName: 'Database Client',
      'GenericName[de]': 'Datenbank-Client',
      Comment: 'Browse, search and edit databases',
      'Comment[de]': 'Datenbanken durchsehen, durchsuchen und bearbeiten',
      Exec: 'tabularium open --start',
      TryExec: 'tabularium',
      Icon: 'tabularium',
      Terminal: 'false',
      StartupNotify: 'false',
      Categories: 'Development;Database;',
      Keywords: 'database;SQL;search;MCP;',
    }),
  ],
  [
    URL_HANDLER_ENTRY,
    entry({
      Name: 'Tabularium',
      Comment: 'Starts Tabularium for the clients of its MCP server',
      Exec: 'tabularium open-url %u',
      Icon: 'tabularium',
      Terminal: 'false',
      NoDisplay: 'true',
      StartupNotify: 'false',
      MimeType: `${SCHEME_TYPE};`,
    }),
  ],
]);

function entry(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Type: 'Application', Version: '1.5', ...values }).map(([key, value]) => `${key}=${value}`);
  return ['[Desktop Entry]', ...lines, ''].join('\n');
}
