import type { PartialStrings } from '../partialStrings.ts';

export const settings: PartialStrings['settings'] = {
  title: 'Ustawienia',
  sections: 'Sekcje',
  appearance: 'Wygląd',
  drivers: 'Sterowniki',
  about: 'Informacje',
  theme: 'Motyw',
  themes: { system: 'Systemowy', light: 'Jasny', dark: 'Ciemny' },
  density: 'Gęstość',
  densities: { comfortable: 'Wygodna', compact: 'Zwarta' },
  language: 'Język',
  languageHelp:
    'Język tego okna. Przetłumaczono część tekstów, pozostałe są po angielsku. Zmiana działa po ponownym wczytaniu okna.',
  version: 'Wersja',
  newer: 'Nowsza wersja',
  lookForNewer: 'Szukaj nowszych wersji',
};
