import type { Strings } from '../en/index.ts';
import { formatBytes, formatMoment } from '../format.ts';

export const backups: Strings['backups'] = {
  section: 'Daten',
  title: 'Sicherungen',
  help: 'Verbindungen, Einstellungen, Verlauf und vorgemerkte Änderungen werden täglich gesichert. Passwörter und Schlüssel bleiben im sicheren Speicher und sind in keiner Sicherung.',
  create: 'Jetzt sichern',
  created: (size) => `Gesichert (${size}).`,
  none: 'Es gibt noch keine Sicherung. Die erste entsteht beim Beenden von Tabularium.',
  list: 'Liste der Sicherungen',
  date: 'Datum',
  kind: 'Anlass',
  size: 'Größe',
  action: 'Aktion',
  kinds: {
    daily: 'Täglich',
    manual: 'Von Hand',
    migration: 'Vor einem Update',
    replaced: 'Durch Wiederherstellung ersetzt',
    damaged: 'Beschädigt, durch Wiederherstellung ersetzt',
  },
  when: (iso) => formatMoment(iso),
  bytes: (bytes) => formatBytes(bytes),
  restore: 'Wiederherstellen…',
  restoreOf: (when) => `Sicherung vom ${when} wiederherstellen`,
  confirmTitle: 'Diese Sicherung wiederherstellen?',
  confirmText: (when) =>
    `Beim nächsten Start kehrt Tabularium zum Stand vom ${when} zurück. Verbindungen, Einstellungen, Verlauf und vorgemerkte Änderungen aus der Zeit danach sind dann nicht mehr in der Anwendung.`,
  confirmStored:
    'Die jetzige Datenbank wird bei den Sicherungen aufbewahrt. So lässt sich die Wiederherstellung rückgängig machen.',
  confirm: 'Beim nächsten Start wiederherstellen',
  pending: (name) => `${name} wird beim nächsten Start wiederhergestellt. Tabularium beenden und neu starten.`,
  cancelRestore: 'Nicht wiederherstellen',
  failed: 'Die Sicherung wurde nicht wiederhergestellt',
  folder: 'Ordner',
  listFailed: 'Die Sicherungen können nicht aufgelistet werden.',
  actionFailed: 'Das hat nicht geklappt.',
};
