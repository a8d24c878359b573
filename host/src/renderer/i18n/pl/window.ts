import type { PartialStrings } from '../partialStrings.ts';

export const common: PartialStrings['common'] = {
  cancel: 'Anuluj',
  close: 'Zamknij',
  retry: 'Spróbuj ponownie',
  clear: 'Wyczyść',
  back: 'Wstecz',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  details: 'Szczegóły',
  none: 'Brak',
};
