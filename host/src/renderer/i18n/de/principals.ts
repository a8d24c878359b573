import { formatDate } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { Strings } from '../en/index.ts';

/** Users & Roles. What the database calls them stands as its driver gives it. */
export const principals: Strings['principals'] = {
  title: 'Benutzer & Rollen',
  search: (term) => `${term.other} durchsuchen`,
  add: (term) => `${term.one} hinzufügen…`,
  refresh: 'Liste aktualisieren',
  list: (term) => term.other,
  count: (count, term) => formatMessage('{count, plural, one {# {one}} other {# {other}}}', { count, ...term }),
  columns: { label: 'Name', reach: 'Erreicht', actions: 'Darf', facts: 'Details', expires: 'Läuft ab' },
  serverWide: 'Serverweit',
  serverWideTitle: 'Erreicht alles auf diesem Server.',
  never: 'Nie',
  expired: (iso) => `Abgelaufen: ${formatDate(iso)}`,
  expiresAt: (iso) => formatDate(iso),
  moreActions: (count) => `+${count}`,
  editLabel: (name) => `${name} bearbeiten`,
  remove: 'Löschen',
  removeLabel: (name) => `${name} löschen…`,
  removeTitle: (name) => `„${name}“ löschen?`,
  removeText: (name, reach) =>
    `Wer „${name}“ (${reach}) benutzt, wird von da an abgewiesen. Das lässt sich nicht rückgängig machen.`,
  typeName: (name) => `Zur Bestätigung ${name} eingeben`,
  removeFailed: (name) => `„${name}“ wurde nicht gelöscht`,
  commands: {
    add: (term) => `${term.one} hinzufügen…`,
    refresh: (term) => `${term.other}: Liste aktualisieren`,
  },
  removeConfirm: (name) => `${name} löschen`,
  listFailed: (term) => `${term.other} können nicht aufgelistet werden`,
  infoFailed: 'Wer diese Datenbank benutzen darf, konnte nicht gelesen werden',
  emptyTitle: (term) => `Noch keine ${term.other}`,
  emptyText: (term) => `${term.other} sagen, was wer erreichen und tun darf. Den ersten Eintrag hinzufügen.`,
  noMatch: (text) => `Kein Treffer für „${text}“.`,
  clearSearch: 'Suche löschen',
  addTitle: (term) => `${term.one} hinzufügen`,
  addConfirm: (term) => `${term.one} hinzufügen`,
  addFailed: (term) => `${term.one} wurde nicht hinzugefügt`,
  formFailed: 'Das Formular konnte nicht gelesen werden',
  required: (label) => `${label} eingeben.`,
  badTime: 'Datum und Uhrzeit eingeben.',
  typedHelp: 'Auswählen, oder einen Wert eingeben und die Eingabetaste drücken.',
  secretTitle: (name) => `„${name}“ wurde hinzugefügt`,
  secretText:
    'Dies wird nur einmal angezeigt und nirgends aufbewahrt. Jetzt kopieren und bei den anderen Zugangsdaten aufbewahren.',
  savedIt: 'Ist aufbewahrt',
  done: 'Fertig',
  added: (name) => `„${name}“ hinzugefügt`,
  removed: (name) => `„${name}“ gelöscht`,
};
