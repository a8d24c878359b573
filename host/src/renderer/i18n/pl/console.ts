import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { PartialStrings } from '../partialStrings.ts';

const rows = (count: number): string =>
  formatMessage('{count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}', { count });

export const consoleWords: PartialStrings['console'] = {
  title: 'Konsola',
  editor: 'Zapytania',
  run: 'Uruchom',
  runAll: 'Uruchom wszystkie',
  stop: 'Zatrzymaj',
  results: 'Wyniki',
  history: 'Historia',
  saved: 'Zapisane',
  resultsEmptyTitle: 'Brak wyników',
  states: {
    waiting: 'Czeka',
    running: 'Działa',
    ok: 'Gotowe',
    failed: 'Błąd',
    stopped: 'Zatrzymane',
    skipped: 'Nie uruchomiono',
  },
  faultPlace: (line, column) => `Wiersz ${formatCount(line)}, kolumna ${formatCount(column)}`,
  faultPlaceOfRequest: (line, column) => `Wiersz ${formatCount(line)}, kolumna ${formatCount(column)} zapytania`,
  goToFault: 'Przejdź do miejsca',
  views: { rows: 'Wiersze', tree: 'Drzewo', text: 'Tekst' },
  rows,
  rowLimit: (count) =>
    formatMessage('{count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}}', { count }),
  affected: (count) =>
    formatMessage(
      '{count, plural, one {Zmieniono # wiersz} few {Zmieniono # wiersze} many {Zmieniono # wierszy} other {Zmieniono # wiersza}}',
      { count },
    ),
  copiedRows: (count) =>
    formatMessage(
      '{count, plural, one {Skopiowano # wiersz} few {Skopiowano # wiersze} many {Skopiowano # wierszy} other {Skopiowano # wiersza}}',
      { count },
    ),
  exportTruncated: (count) =>
    formatMessage('Tylko {count, plural, one {# wiersz} few {# wiersze} many {# wierszy} other {# wiersza}} z tego okna', {
      count,
    }),
  ranWell: (count) =>
    formatMessage('{count, plural, one {# gotowe} few {# gotowe} many {# gotowych} other {# gotowego}}', { count }),
  ranBadly: (count) => formatMessage('{count, plural, one {# błąd} few {# błędy} many {# błędów} other {# błędu}}', { count }),
  ranStopped: (count) =>
    formatMessage('{count, plural, one {# zatrzymane} few {# zatrzymane} many {# zatrzymanych} other {# zatrzymanego}}', {
      count,
    }),
  ranNot: (count) =>
    formatMessage(
      '{count, plural, one {# nieuruchomione} few {# nieuruchomione} many {# nieuruchomionych} other {# nieuruchomionego}}',
      { count },
    ),
  ranNotYet: (count) => formatMessage('{count, plural, one {# czeka} few {# czekają} many {# czeka} other {# czeka}}', { count }),
  confirmTitle: (count) =>
    formatMessage(
      '{count, plural, one {Uruchomić to zapytanie?} few {Uruchomić te # zapytania?} many {Uruchomić te # zapytań?} other {Uruchomić # zapytania?}}',
      { count },
    ),
  confirmRun: (count) =>
    formatMessage('{count, plural, one {Uruchom} few {Uruchom wszystkie #} many {Uruchom wszystkie #} other {Uruchom #}}', {
      count,
    }),
  statementPlace: (place, count) => `${formatCount(place)} z ${formatCount(count)}`,
};
