import { formatCount } from '../format.ts';
import type { PartialStrings } from '../partialStrings.ts';

export const tourWords: PartialStrings['tour'] = {
  label: 'Prezentacja okna',
  start: 'Rozpocznij prezentację',
  aliases: 'pomoc wprowadzenie pierwsze kroki',
  offer: 'Pierwszy raz tutaj? Krótka prezentacja pokaże okno.',
  decline: 'Nie, dziękuję',
  skip: 'Pomiń prezentację',
  next: 'Dalej',
  done: 'Gotowe',
  isShown: 'Prezentacja już trwa.',
  position: (at, of) => `Krok ${formatCount(at)} z ${formatCount(of)}`,
  open: (name) => `Otwórz „${name}”`,
  notSaved: 'Nie udało się zapisać odpowiedzi na temat prezentacji.',
  connections: {
    title: 'Połączenia',
    sample: (name) =>
      `Każde połączenie prowadzi do jednej bazy danych. „${name}” ma zmyślone dane do prób: nic, co tam zrobisz, niczemu nie zaszkodzi.`,
    none: 'Każde połączenie prowadzi do jednej bazy danych. Tutaj utworzysz pierwsze.',
    text: 'Każde połączenie prowadzi do jednej bazy danych. Przełączasz je u góry po lewej; każde zachowuje swoje karty.',
    opening: (name) => `„${name}” się otwiera. Prezentacja przejdzie potem do wierszy.`,
  },
  grid: {
    title: 'Wiersze i zmiany',
    edits: 'F2 lub podwójne kliknięcie edytuje komórkę. Zmiana czeka, aż ją przejrzysz i zapiszesz.',
    reads:
      'Strzałki prowadzą od komórki do komórki, a kliknięcie kolumny sortuje według niej. To połączenie jest tylko do odczytu.',
  },
  filter: {
    title: 'Filtr i wyszukiwanie',
    text: 'Filtr pokazuje wiersze, które spełniają warunki. Nazwane filtry są zachowywane.',
    search:
      'Filtr pokazuje wiersze, które spełniają warunki. Widok wyszukiwania poniżej układa je tak, jak widzą je użytkownicy serwera.',
  },
  console: {
    title: 'Konsola',
    text: 'Zapytania we własnym języku bazy danych. To, co uruchomisz, jest w historii, a instrukcje, które zapisują, najpierw pytają.',
  },
  palette: {
    title: 'Wszystko po nazwie',
    text: (keys) =>
      `${keys} znajduje każdą tabelę, polecenie i ustawienie po kilku literach. Tam też zaczniesz tę prezentację od nowa.`,
  },
  help: 'Pomoc',
  helpText: 'Prezentacja pokazuje główne elementy tego okna. Dokumentacja działa bez sieci.',
  sample: {
    label: (name) => `O połączeniu ${name}`,
    tries: 'Wypróbuj najpierw:',
  },
};
