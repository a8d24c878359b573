import { formatCount, formatTime } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';
import type { PartialStrings } from '../partialStrings.ts';

const SESSIONS = '{all, plural, one {# sesja} few {# sesje} many {# sesji} other {# sesji}}';

/** Sesje i polecenia na serwerze. */
export const activityWords: PartialStrings['activity'] = {
  title: 'Aktywność',
  views: 'Widok',
  now: 'Teraz',
  slow: 'Wolne polecenia',
  filter: 'Filtruj sesje',
  showIdle: 'Pokaż bezczynne',
  refresh: 'Odświeżanie',
  count: (shown, all) =>
    shown === all ? formatMessage(SESSIONS, { all }) : `${formatCount(shown)} z ${formatMessage(SESSIONS, { all })}`,
  lastRefresh: (iso) => `Stan z ${formatTime(iso)}`,
  list: 'Sesje',
  columns: {
    number: 'Proces',
    state: 'Stan',
    user: 'Użytkownik',
    client: 'Klient',
    database: 'Baza danych',
    statement: 'Polecenie',
    duration: 'Czas trwania',
    blockedBy: 'Blokuje ją',
  },
  states: {
    running: 'Działa',
    waiting: 'Czeka',
    idle: 'Bezczynna',
    inTransaction: 'W transakcji',
    failedTransaction: 'Transakcja nieudana',
    hidden: 'Niewidoczna',
  },
  parts: { days: 'd', hours: 'h', minutes: 'min', seconds: 's' },
  background: 'Proces serwera',
  own: 'To połączenie',
  noNumber: 'Sesja',
  isCut: 'Serwer ma tylko początek tego polecenia.',
  noStatement: 'Brak polecenia',
  lastStatement: 'Ostatnie polecenie',
  blocks: (count) =>
    formatMessage('{count, plural, one {blokuje # inną} few {blokuje # inne} many {blokuje # innych} other {blokuje # innej}}', {
      count,
    }),
  showBlocker: (number) => `Pokaż ${number}, który ją blokuje`,
  details: (number) => `Szczegóły: ${number}`,
  isGone: 'Już jej nie ma',
  closeDetails: 'Zamknij szczegóły',
  facts: {
    application: 'Aplikacja',
    address: 'Adres',
    activity: 'Według serwera',
    lock: 'Czeka na',
    transaction: 'Transakcja otwarta',
    session: 'Połączona',
  },
  copyStatement: 'Kopiuj polecenie',
  ways: { cancel: 'Anuluj polecenie…', terminate: 'Zakończ sesję…' },
  waysOf: (way, number) => (way === 'cancel' ? `Anuluj polecenie procesu ${number}…` : `Zakończ sesję ${number}…`),
  cancelNothing: 'Żadne polecenie tej sesji nie działa.',
  confirmTitles: {
    cancel: (number) => `Anulować polecenie procesu ${number}?`,
    terminate: (number) => `Zakończyć sesję ${number}?`,
  },
  confirmTexts: {
    cancel: 'Serwer przerwie to polecenie i wycofa jego zmiany. Sesja pozostanie połączona.',
    terminate: 'Serwer rozłączy tego klienta i wycofa jego otwartą transakcję. Tego nie można cofnąć.',
  },
  confirmOwn: 'Należy do tego połączenia Tabularium.',
  confirmBackground: 'To praca samego serwera, którą może zacząć ponownie.',
  keep: 'Zostaw',
  confirm: { cancel: 'Anuluj polecenie', terminate: 'Zakończ sesję' },
  endFailed: { cancel: 'Polecenie nie zostało anulowane', terminate: 'Sesja nie została zakończona' },
  ended: {
    cancel: (number) => `Anulowano polecenie procesu ${number}`,
    terminate: (number) => `Zakończono sesję ${number}`,
  },
  gone: {
    cancel: (number) => `Polecenie procesu ${number} już się zakończyło. Niczego nie anulowano.`,
    terminate: (number) => `Sesja ${number} już się zakończyła. Niczego nie zakończono.`,
  },
  asked: (number) => `${number} ma się zakończyć i jeszcze tego nie zrobił. Lista pokaże, kiedy to nastąpi.`,
  listFailed: 'Nie udało się odczytać sesji',
  staleText: (iso) => `Te sesje są z ${formatTime(iso)}.`,
  leftOut: (count) =>
    formatMessage(
      '{count, plural, one {Nie pokazano # sesji.} few {Nie pokazano # sesji.} many {Nie pokazano # sesji.} other {Nie pokazano # sesji.}}',
      { count },
    ),
  emptyTitle: 'Nic nie działa',
  emptyText: 'Żadna inna sesja nie jest połączona z tym serwerem.',
  onlyIdle: (count) =>
    formatMessage(
      '{count, plural, one {Ukryto # bezczynną sesję.} few {Ukryto # bezczynne sesje.} many {Ukryto # bezczynnych sesji.} other {Ukryto # bezczynnej sesji.}}',
      { count },
    ),
  noMatch: (text) => `Nic nie pasuje do „${text}”.`,
  clearFilter: 'Wyczyść filtr',
  slowColumns: {
    statement: 'Polecenie',
    calls: 'Wywołania',
    total: 'Łącznie',
    mean: 'Średnio',
    max: 'Najdłużej',
    rows: 'Wiersze',
    user: 'Użytkownik',
    database: 'Baza danych',
  },
  slowFailed: 'Nie udało się odczytać wolnych poleceń',
  slowMissing: 'Brak statystyk poleceń',
  slowEmpty: 'Nie zapisano żadnego polecenia',
  slowEmptyText: 'Serwer nie zapisał jeszcze żadnego polecenia.',
  commands: {
    refresh: 'Odśwież aktywność',
    pause: 'Wstrzymaj lub wznów aktywność',
    cancel: 'Anuluj wybrane polecenie…',
    terminate: 'Zakończ wybraną sesję…',
    idle: 'Pokaż lub ukryj bezczynne sesje',
  },
  notSelected: 'Najpierw wybierz sesję.',
};
