import { formatMessage } from '../formatMessage.ts';
import type { PartialStrings } from '../partialStrings.ts';

const cells = (count: number): string =>
  formatMessage('{count, plural, one {# komórka} few {# komórki} many {# komórek} other {# komórki}}', { count });
const rows = (count: number): string =>
  formatMessage('{count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}', { count });
const columns = (count: number): string =>
  formatMessage('{count, plural, one {# kolumna} few {# kolumny} many {# kolumn} other {# kolumny}}', { count });

export const selectionWords: PartialStrings['selection'] = {
  selectAll: 'Zaznacz wszystkie wiersze i kolumny',
  newRow: 'Nowy wiersz',
  cells,
  shape: (rowCount, columnCount) => `${rows(rowCount)} × ${columns(columnCount)}`,
  sum: (value) => `Suma ${value}`,
  average: (value) => `Średnia ${value}`,
  partly: (count) => `Wczytane (${cells(count)}):`,
  selectedAll: (count) =>
    formatMessage(
      '{count, plural, one {Zaznaczono # wiersz} few {Zaznaczono # wiersze} many {Zaznaczono # wierszy} other {Zaznaczono # wiersza}} tabeli',
      { count },
    ),
  copied: (rowCount, columnCount) => `Skopiowano: ${rows(rowCount)} × ${columns(columnCount)}`,
  deleteRows: (count) =>
    formatMessage('Usuń {count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}', { count }),
  duplicateRows: (count) =>
    formatMessage('Powiel {count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}', { count }),
  readingRows: (count) =>
    formatMessage('Odczyt: {count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}', { count }),
};

export const columnWords: PartialStrings['columns'] = {
  open: 'Kolumny…',
  title: 'Kolumny',
  search: 'Znajdź kolumnę',
  noMatch: 'Żadna kolumna nie pasuje.',
  showAll: 'Pokaż wszystkie',
  sortAscending: 'Sortuj rosnąco',
  sortDescending: 'Sortuj malejąco',
  clearSort: 'Usuń sortowanie',
  hide: 'Ukryj kolumnę',
};
