import { formatMilliseconds } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** Connecting MCP clients. */
export const connect: Strings['connect'] = {
  section: 'Verbinden',
  client: 'Client',
  entry: 'Was in seine Konfiguration gehört',
  entryOf: (client) => `Eintrag für ${client}`,
  file: (file) => `Meist in ${file}`,
  run: 'Dies einmal in einem Terminal ausführen.',
  signsIn:
    'Unter „Server“ die „Anmeldung mit OAuth“ einschalten. Der Client öffnet Ihren Browser, geantwortet wird in diesem Fenster.',
  token: 'Unter „Anmeldung“ ein Token anlegen und anstelle von <ACCESS_TOKEN> einsetzen.',
  write: 'Eintragen lassen…',
  writeTitle: (file) => `${file} ändern`,
  writeHelp: 'Die jetzige Datei bleibt daneben erhalten.',
  there: 'Der Eintrag ist schon da.',
  confirm: 'Schreiben',
  diff: 'Was sich ändert',
  written: 'Geschrieben. Den Client neu starten.',
  backup: (file) => `Die bisherige Datei: ${file}`,
  notWritten: 'Nichts wurde geschrieben',
  check: 'Prüfen',
  checkHelp: 'Startet die Bridge wie ein Client und zeigt die Tools, die sie erhält.',
  checkOk: (milliseconds, count) =>
    formatMessage('Die Bridge antwortet in {milliseconds} mit {count, plural, one {# Tool} other {# Tools}}.', {
      milliseconds: formatMilliseconds(milliseconds),
      count,
    }),
  tools: 'Tools',
  checkFailed: (layer) => `Die Bridge kommt nicht durch (${layer})`,
  layers: {
    handshake: 'Handshake-Datei',
    launch: 'Start',
    proof: 'Nachweis',
    transport: 'Übertragung',
    server: 'MCP-Server',
    policy: 'Richtlinie',
  },
};
