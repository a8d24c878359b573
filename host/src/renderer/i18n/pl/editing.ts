import { formatMessage } from '../formatMessage.ts';
import type { PartialStrings } from '../partialStrings.ts';

const changes = (count: number): string =>
  formatMessage('{count, plural, one {# zmiana} few {# zmiany} many {# zmian} other {# zmiany}}', { count });

export const editingWords: PartialStrings['editing'] = {
  discardTitle: (count, table) =>
    formatMessage('Odrzucić {count, plural, one {# zmianę} few {# zmiany} many {# zmian} other {# zmiany}} w „{table}”?', {
      count,
      table,
    }),
  discarded: (count, table) => `Odrzucono w ${table}: ${changes(count)}`,
  discardText: 'Na serwerze nic się nie zmieni. „Cofnij” przywraca zmiany.',
  waiting: (count) =>
    formatMessage(
      '{count, plural, one {# krok czeka} few {# kroki czekają} many {# kroków czeka} other {# kroku czeka}} na Tabularium',
      {
        count,
      },
    ),
  discardConfirm: (count) =>
    formatMessage('Odrzuć {count, plural, one {# zmianę} few {# zmiany} many {# zmian} other {# zmiany}}', { count }),
  keep: 'Zachowaj zmiany',
  saved: (count, table) => `Zapisano w ${table}: ${changes(count)}`,
  moreCells: (count) =>
    formatMessage('i jeszcze {count, plural, one {# pole} few {# pola} many {# pól} other {# pola}}', { count }),
  reviewTitle: (table) => `Zmiany w ${table}`,
  reviewOrder: 'Te zapytania zostaną wysłane w tej kolejności.',
  cantSave: (reason) => `Te zmiany pozostają przygotowane i nie można ich teraz zapisać. ${reason}`,
  sendingAll: 'Te zapytania są właśnie wysyłane w tej kolejności, jako jedna transakcja.',
  madeNone: 'Wszystkie są jedną transakcją: ponieważ jedna zmiana się nie powiodła, nie wykonano żadnej.',
  notSavedStays: 'Niezapisane zmiany pozostają tu przygotowane, także po awarii.',
  heldEach: (held) =>
    formatMessage(
      '{held, plural, one {# zmiany nie można tak zapisać: jest oznaczona poniżej i pozostaje przygotowana.} few {# zmian nie można tak zapisać: są oznaczone poniżej i pozostają przygotowane.} many {# zmian nie można tak zapisać: są oznaczone poniżej i pozostają przygotowane.} other {# zmiany nie można tak zapisać: są oznaczone poniżej i pozostają przygotowane.}}',
      { held },
    ),
  leftOutAll: (left: number, rest: number): string =>
    formatMessage(
      '{left, plural, one {# zmiana mogła już zostać zapisana i jest pominięta: zdecyduj poniżej.} few {# zmiany mogły już zostać zapisane i są pominięte: zdecyduj poniżej.} many {# zmian mogło już zostać zapisanych i jest pominiętych: zdecyduj poniżej.} other {# zmiany mogło już zostać zapisane i jest pominięte: zdecyduj poniżej.}} {rest, plural, =0 {} one {Wszystkie zmiany są jedną transakcją, więc pozostała czeka na to.} few {Wszystkie zmiany są jedną transakcją, więc pozostałe # czekają na to.} many {Wszystkie zmiany są jedną transakcją, więc pozostałe # czekają na to.} other {Wszystkie zmiany są jedną transakcją, więc pozostałe # czekają na to.}}',
      { left, rest },
    ).trimEnd(),
  goToFirst: 'Przejdź do pierwszej',
  showInTable: 'Pokaż w tabeli',
  emptyFault: 'Nie zmieniono: wartość tego typu nigdy nie jest pusta.',
  clearHint: (key) => `Aby nie było wartości, wybierz „Set to null” w menu komórki (${key}).`,
  cells: { reason: 'Nie zapisano, ponieważ' },
  ofColumn: (column, reason) => `„${column}”: ${reason}`,
  save: (count) =>
    formatMessage('Zapisz {count, plural, one {# zmianę} few {# zmiany} many {# zmian} other {# zmiany}}', { count }),
};
