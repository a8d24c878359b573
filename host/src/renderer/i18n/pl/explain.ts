import { formatCount } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { PartialStrings } from '../partialStrings.ts';

/** Plans in the console. */
export const explainWords: PartialStrings['explain'] = {
  explain: 'Plan',
  explainTitle: 'Pokazuje plan zapytania przy kursorze; nic nie jest uruchamiane (F9)',
  measure: 'Uruchom i zmierz',
  waiting: 'Oczekiwanie na plan.',
  failed: 'Nie ma planu',
  columns: {
    step: 'Krok',
    estimated: 'Wiersze, szacunek',
    actual: 'Wiersze, pomiar',
    loops: 'Powtórzenia',
    time: 'Czas',
    cost: 'Koszt',
  },
  more: (factor) => `${formatCount(factor)}× więcej niż szacowano`,
  fewer: (factor) => `${formatCount(factor)}× mniej niż szacowano`,
  leftOut: (count) =>
    formatMessage(
      '{count, plural, one {Pominięto # krok} few {Pominięto # kroki} many {Pominięto # kroków} other {Pominięto # kroku}}; tekst ma wszystkie.',
      { count },
    ),
  copy: 'Kopiuj plan',
  close: 'Zamknij plan',
};
