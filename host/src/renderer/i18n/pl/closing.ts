import type { PartialStrings } from '../partialStrings.ts';
import { formatList } from '../format.ts';
import { formatMessage } from '../formatMessage.ts';

/** The question of the desktop shell before it closes a window in which something is unsaved. */
export const closingWords: PartialStrings['closing'] = {
  title: 'Zamknąć okno z niezapisanymi zmianami?',
  titleOfTransactions: (count) =>
    formatMessage(
      '{count, plural, one {Zamknąć okno i wycofać otwartą transakcję?} few {Zamknąć okno i wycofać # otwarte transakcje?} many {Zamknąć okno i wycofać # otwartych transakcji?} other {Zamknąć okno i wycofać # transakcji?}}',
      { count },
    ),
  transaction: (tab, connection) =>
    `Transakcja karty konsoli „${tab}” w „${connection}” zostanie wycofana. Jej zmiany przepadną.`,
  moreTransactions: (count) =>
    formatMessage(
      '{count, plural, one {# kolejna transakcja zostanie wycofana.} few {# kolejne transakcje zostaną wycofane.} many {# kolejnych transakcji zostanie wycofanych.} other {# transakcji zostanie wycofane.}}',
      { count },
    ),
  typed: 'Wpisany tekst, który nie jest przygotowany do zapisu, przepadnie.',
  typedIn: (tabs) => `Tekst wpisany w ${formatList(tabs)}, który nie jest przygotowany do zapisu, przepadnie.`,
  writing: (file) => `Plik ${file} nie jest jeszcze kompletny.`,
  staged: 'Przygotowane zmiany zostają i będą tu znowu po otwarciu okna. Przed zapisem nic nie jest wysyłane.',
  keepOpen: 'Zostaw otwarte',
  close: 'Zamknij',
  closeAndRollBack: 'Zamknij i wycofaj',
};
