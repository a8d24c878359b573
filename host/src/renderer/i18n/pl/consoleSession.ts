import { formatList } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { PartialStrings } from '../partialStrings.ts';

/** Sessions of the console's tabs. */
export const consoleSessionWords: PartialStrings['consoleSession'] = {
  region: 'Sesja tej karty',
  notBegun: 'Sesja zaczyna się od pierwszego zapytania.',
  starting: 'Sesja się zaczyna…',
  startFailed: 'Nie można rozpocząć sesji',
  place: 'Miejsce',
  inNamespace: (name) => `w ${name}`,
  asRole: (name) => `jako ${name}`,
  transaction: { none: 'Brak transakcji', open: 'Transakcja otwarta', failed: 'Transakcja nieudana' },
  uncommitted: (count) =>
    formatMessage(
      '{count, plural, one {# zapytanie niezatwierdzone} few {# zapytania niezatwierdzone} many {# zapytań niezatwierdzonych} other {# zapytania niezatwierdzonego}}',
      { count },
    ),
  failedAdvice: 'Wycofaj ją, aby kontynuować.',
  transactionEnded: { commit: 'Transakcja została zatwierdzona.', rollBack: 'Transakcja została wycofana.' },
  commit: 'Zatwierdź',
  commitTitle: 'Zapisuje zmiany transakcji',
  rollBack: 'Wycofaj',
  rollBackTitle: 'Odrzuca zmiany transakcji',
  committed: (connection) => `Transakcja w „${connection}” jest zatwierdzona`,
  rolledBack: (connection) => `Transakcja w „${connection}” jest wycofana`,
  end: 'Zakończ sesję',
  endOf: (tab) => `Zakończ sesję karty ${tab}`,
  rollBackAndEnd: 'Wycofaj i zakończ',
  rollBackAndEndOf: (tab) => `Wycofaj transakcję karty ${tab} i zakończ jej sesję`,
  isEnding: 'Transakcja jest właśnie kończona.',
  limitTitle: (limit) =>
    formatMessage(
      '{limit, plural, one {Otwarta jest # sesja, więcej} few {Otwarte są # sesje, więcej} many {Otwartych jest # sesji, więcej} other {Otwarte są # sesji, więcej}} być nie może',
      { limit },
    ),
  limitText: (tab, connection, limit) =>
    formatMessage(
      'Karta „{tab}” potrzebuje własnej sesji, a połączenie „{connection}” może ich mieć {limit, plural, one {#} few {#} many {#} other {#}}. Aby kontynuować, zakończ sesję, której już nie potrzebujesz.',
      { tab, connection, limit },
    ),
  limitList: 'Karty z sesją',
  limitUnseen: (count) =>
    formatMessage(
      '{count, plural, one {# sesja jest otwarta tam, gdzie to okno jej nie widzi, na przykład w innej przeglądarce. Zamknij tam jej konsolę.} few {# sesje są otwarte tam, gdzie to okno ich nie widzi, na przykład w innej przeglądarce. Zamknij tam ich konsole.} many {# sesji jest otwartych tam, gdzie to okno ich nie widzi, na przykład w innej przeglądarce. Zamknij tam ich konsole.} other {# sesji jest otwartych tam, gdzie to okno ich nie widzi. Zamknij tam ich konsole.}}',
      { count },
    ),
  limitSilent: (tab) => `Okno karty „${tab}” nie zakończyło swojej sesji. Zamknij tam tę kartę albo zakończ inną sesję.`,
  limitKeep: 'Zostaw wszystkie',
  start: 'Rozpocznij nową sesję',
  ended: {
    closed: 'Sesja została zamknięta.',
    idle: 'Sesja została zamknięta, bo przez godzinę nie uruchomiono w niej zapytania.',
    lost: 'Sesja została utracona: zakończył ją serwer lub sterownik.',
  },
  lostTransaction: 'Jej transakcja została wycofana.',
  lostUnknown: 'Trwała zmiana i nie wiadomo, czy została zapisana: sprawdź dane, zanim ją powtórzysz.',
  reloaded:
    'Transakcja, która była otwarta na tej karcie, gdy jej okno zostało wczytane ponownie lub zamknięte, została wycofana.',
  reloadedUnknown:
    'Gdy okno zostało wczytane ponownie lub zamknięte, na tej karcie trwała zmiana i nie wiadomo, czy została zapisana: sprawdź dane, zanim ją powtórzysz.',
  lostSettings: 'Jej ustawienia i tabele tymczasowe przepadły.',
  endedTitle: 'Sesja tej karty się skończyła',
  endedAdvice: 'Rozpocznij nową sesję, zanim uruchomisz zapytania: mogą zależeć od tego, co przepadło.',
  tabHasTransaction: 'Transakcja otwarta',
  closeTitle: (count) =>
    formatMessage(
      '{count, plural, one {Wycofać otwartą transakcję?} few {Wycofać # otwarte transakcje?} many {Wycofać # otwartych transakcji?} other {Wycofać # transakcji?}}',
      { count },
    ),
  closeText: (count, connection) =>
    formatMessage(
      '{count, plural, one {Transakcja w „{connection}” nie jest zatwierdzona. Zamknięcie ją wycofa, a te zmiany przepadną:} few {# transakcje w „{connection}” nie są zatwierdzone. Zamknięcie je wycofa, a te zmiany przepadną:} many {# transakcji w „{connection}” nie jest zatwierdzonych. Zamknięcie je wycofa, a te zmiany przepadną:} other {# transakcji w „{connection}” nie jest zatwierdzonych. Zamknięcie je wycofa, a te zmiany przepadną:}}',
      { count, connection },
    ),
  endText: (count, connections) =>
    formatMessage(
      '{count, plural, one {Transakcja w {connections} nie jest zatwierdzona. To kończy jej sesję: transakcja zostanie wycofana, a te zmiany przepadną:} few {# transakcje w {connections} nie są zatwierdzone. To kończy ich sesje: transakcje zostaną wycofane, a te zmiany przepadną:} many {# transakcji w {connections} nie jest zatwierdzonych. To kończy ich sesje: transakcje zostaną wycofane, a te zmiany przepadną:} other {# transakcji w {connections} nie jest zatwierdzonych. To kończy ich sesje: transakcje zostaną wycofane, a te zmiany przepadną:}}',
      { count, connections: formatList(connections.map((name) => `„${name}”`)) },
    ),
  rollBackAndGoOn: 'Wycofaj i kontynuuj',
  inConnection: (name) => `w „${name}”`,
  inOtherWindow: 'w innym oknie',
  nothingChanged: 'Żadne jej zapytanie nie zmieniło danych.',
  changesOf: (title) => `Zapytania transakcji w ${title}`,
  keepOpen: 'Zostaw otwartą',
  closeAndRollBack: 'Zamknij i wycofaj',
  notices: 'Komunikaty serwera',
  severities: { debug: 'Debug', info: 'Info', notice: 'Uwaga', warning: 'Ostrzeżenie' },
  noticesLeftOut: (count) =>
    formatMessage(
      '{count, plural, one {Nie pokazano # wcześniejszego komunikatu} few {Nie pokazano # wcześniejszych komunikatów} many {Nie pokazano # wcześniejszych komunikatów} other {Nie pokazano # komunikatu}}',
      { count },
    ),
  notCounted: 'Wiersze nie są liczone, bo liczenie nie widziałoby tego, co widzi ta sesja.',
  parametersOf: 'Zapytanie, do którego należą',
  parametersTitle: 'Wartości parametrów',
  parametersText: 'Są wysyłane obok zapytania, każda w postaci tekstowej swojego typu.',
  isNull: (name) => `${name} to NULL`,
  placeGone: (gone: string): string =>
    `„${gone}” już nie ma: usunięto tę bazę, zmieniono jej nazwę albo nie można jej już otworzyć.`,
  placeGoneAdvice: (next: string): string =>
    `Następna sesja zacznie się w „${next}”. Rozpocznij ją, jeśli tam mają trafić zapytania.`,
};
