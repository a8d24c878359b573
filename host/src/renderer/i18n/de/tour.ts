import { formatCount } from '../format.ts';
import type { Strings } from '../en/index.ts';

/** The tour of the window, and what a sample connection says of itself. */
export const tourWords: Strings['tour'] = {
  label: 'Rundgang durch das Fenster',
  start: 'Rundgang starten',
  aliases: 'hilfe einführung erste schritte',
  offer: 'Neu hier? Ein kurzer Rundgang zeigt das Fenster.',
  decline: 'Nein, danke',
  skip: 'Rundgang überspringen',
  next: 'Weiter',
  done: 'Fertig',
  isShown: 'Der Rundgang läuft schon.',
  position: (at, of) => `Schritt ${formatCount(at)} von ${formatCount(of)}`,
  open: (name) => `„${name}“ öffnen`,
  notSaved: 'Die Antwort zum Rundgang konnte nicht gespeichert werden.',
  connections: {
    title: 'Verbindungen',
    sample: (name) =>
      `Jede Verbindung führt zu einer Datenbank. „${name}“ hat erfundene Daten zum Ausprobieren: Bearbeiten und Löschen schaden dort nicht.`,
    none: 'Jede Verbindung führt zu einer Datenbank. Hier entsteht die erste.',
    text: 'Jede Verbindung führt zu einer Datenbank. Oben links ist der Wechsel zwischen ihnen; jede behält ihre Tabs.',
    opening: (name) => `„${name}“ wird geöffnet. Der Rundgang geht mit den Zeilen weiter.`,
  },
  grid: {
    title: 'Zeilen und Änderungen',
    edits:
      'F2 oder ein Doppelklick bearbeitet eine Zelle. Eine Änderung ist nur vorgemerkt, bis sie geprüft und gespeichert wird.',
    reads:
      'Die Pfeiltasten gehen von Zelle zu Zelle, ein Klick auf eine Spalte sortiert nach ihr. Diese Verbindung ist schreibgeschützt.',
  },
  filter: {
    title: 'Filtern und suchen',
    text: 'Ein Filter zeigt die Zeilen, die seine Bedingungen erfüllen. Benannte Filter bleiben erhalten.',
    search:
      'Ein Filter zeigt die Zeilen, die seine Bedingungen erfüllen. „Suche“ unten ordnet sie so, wie die Nutzer des Servers sie sehen.',
  },
  console: {
    title: 'Konsole',
    text: 'Anfragen in der eigenen Sprache der Datenbank. Was ausgeführt wird, ist im Verlauf, und vor Anweisungen, die schreiben, kommt eine Frage.',
  },
  palette: {
    title: 'Alles beim Namen',
    text: (keys) =>
      `${keys} findet jede Tabelle, jeden Befehl und jede Einstellung mit ein paar Buchstaben. „Dokumentation“ öffnet das Handbuch, „Rundgang starten“ beginnt diesen Rundgang von vorn.`,
  },
  help: 'Hilfe',
  helpText: 'Der Rundgang zeigt die wichtigsten Bedienelemente dieses Fensters. Die Dokumentation braucht kein Netzwerk.',
  sample: {
    label: (name) => `Über ${name}`,
    tries: 'Zuerst ausprobieren:',
  },
};
