import type { Strings } from '../en/index.ts';
import { formatList } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The question of the desktop shell before it closes a window in which something is unsaved. */
export const closing: Strings['closing'] = {
  title: 'Fenster mit ungespeicherten Änderungen schließen?',
  titleOfTransactions: (count) =>
    formatMessage(
      '{count, plural, one {Fenster schließen und die offene Transaktion zurückrollen?} other {Fenster schließen und # offene Transaktionen zurückrollen?}}',
      { count },
    ),
  transaction: (tab, connection) =>
    `Die Transaktion des Konsolen-Tabs „${tab}“ in „${connection}“ wird zurückgerollt. Ihre Änderungen gehen verloren.`,
  transactionInProgress: (tab, connection) =>
    `Im Konsolen-Tab „${tab}“ in „${connection}“ läuft eine Anfrage oder ein Festschreiben: ob die Änderungen gespeichert sind, ist dann nicht bekannt.`,
  moreTransactions: (count) =>
    formatMessage(
      '{count, plural, one {# weitere Transaktion wird zurückgerollt.} other {# weitere Transaktionen werden zurückgerollt.}}',
      { count },
    ),
  typed: 'Eingegebener Text, der nicht vorgemerkt ist, geht verloren.',
  typedIn: (tabs) => `Eingegebener Text in ${formatList(tabs)}, der nicht vorgemerkt ist, geht verloren.`,
  writing: (file) => `Die Datei ${file} ist noch nicht vollständig.`,
  staged:
    'Vorgemerkte Änderungen bleiben und sind beim nächsten Öffnen des Fensters wieder da. Vor dem Speichern wird nichts gesendet.',
  keepOpen: 'Offen lassen',
  close: 'Schließen',
  closeAndRollBack: 'Schließen und zurückrollen',
};
