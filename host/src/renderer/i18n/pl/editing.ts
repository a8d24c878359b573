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
  save: (count) =>
    formatMessage('Zapisz {count, plural, one {# zmianę} few {# zmiany} many {# zmian} other {# zmiany}}', { count }),
};
