import type { PartialStrings } from '../partialStrings.ts';

export const start: PartialStrings['start'] = {
  title: 'Połączenia',
  newConnection: 'Nowe połączenie',
  open: 'Otwórz',
  edit: 'Edytuj…',
  remove: 'Usuń…',
};
