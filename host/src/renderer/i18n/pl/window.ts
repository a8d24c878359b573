import type { PartialStrings } from '../partialStrings.ts';

export const common: PartialStrings['common'] = {
  cancel: 'Anuluj',
  close: 'Zamknij',
  retry: 'Spróbuj ponownie',
  back: 'Wstecz',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  details: 'Szczegóły',
  none: 'Brak',
};
