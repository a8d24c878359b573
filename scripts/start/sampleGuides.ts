import type { SampleGuide } from '../../host/src/common/sampleGuide.ts';

// The line above each sample connection: its contents, and views to try first.

/** Of the sample server. */
export const CLUSTER_GUIDE: SampleGuide = {
  about: {
    en: 'A made-up shop on a search server of this computer: many products, articles with a tuned search, and collections with awkward names.',
    de: 'Ein erfundener Laden auf einem Suchserver dieses Computers: viele Produkte, Artikel mit abgestimmter Suche und Collections mit sperrigen Namen.',
    pl: 'Zmyślony sklep na serwerze wyszukiwania tego komputera: wiele produktów, artykuły z dostrojonym wyszukiwaniem i kolekcje o kłopotliwych nazwach.',
  },
  tries: [
    {
      label: { en: 'Edit a product', de: 'Ein Produkt bearbeiten', pl: 'Edytuj produkt' },
      opens: { is: 'table', table: { namespace: [], name: 'products' }, view: 'data' },
    },
    {
      label: { en: 'Search the articles', de: 'Die Artikel durchsuchen', pl: 'Przeszukaj artykuły' },
      opens: { is: 'table', table: { namespace: [], name: 'articles' }, view: 'rankedSearch' },
    },
    {
      label: { en: 'Measure their search', de: 'Ihre Suche messen', pl: 'Zmierz ich wyszukiwanie' },
      opens: { is: 'table', table: { namespace: [], name: 'articles' }, view: 'relevance' },
    },
  ],
};

/** Of the SQLite file. */
export const FILE_GUIDE: SampleGuide = {
  about: {
    en: 'A made-up bookshop in a file of this computer: books, their authors, orders, and a view of the bestsellers.',
    de: 'Ein erfundener Buchladen in einer Datei dieses Computers: Bücher, ihre Autoren, Bestellungen und eine Sicht der Bestseller.',
    pl: 'Zmyślona księgarnia w pliku tego komputera: książki, ich autorzy, zamówienia i widok bestsellerów.',
  },
  tries: [
    {
      label: { en: 'Edit the price of a book', de: 'Den Preis eines Buchs ändern', pl: 'Zmień cenę książki' },
      opens: { is: 'table', table: { namespace: [], name: 'books' }, view: 'data' },
    },
    {
      label: {
        en: 'See how orders refer to books',
        de: 'Wie Bestellungen auf Bücher verweisen',
        pl: 'Zobacz strukturę zamówień',
      },
      opens: { is: 'table', table: { namespace: [], name: 'orders' }, view: 'structure' },
    },
    {
      label: { en: 'Write SQL in the console', de: 'SQL in der Konsole schreiben', pl: 'Pisz SQL w konsoli' },
      opens: { is: 'tool', tool: 'console' },
    },
  ],
};

/** Of the PostgreSQL server. */
export const POSTGRES_GUIDE: SampleGuide = {
  about: {
    en: 'A made-up bookshop on a PostgreSQL server of this computer: customers and orders in the schema shop, the stock in warehouse.',
    de: 'Ein erfundener Buchladen auf einem PostgreSQL-Server dieses Computers: Kunden und Bestellungen im Schema shop, das Lager in warehouse.',
    pl: 'Zmyślona księgarnia na serwerze PostgreSQL tego komputera: klienci i zamówienia w schemacie shop, magazyn w warehouse.',
  },
  tries: [
    {
      label: { en: 'Edit the price of a book', de: 'Den Preis eines Buchs ändern', pl: 'Zmień cenę książki' },
      opens: { is: 'table', table: { namespace: ['shop'], name: 'books' }, view: 'data' },
    },
    {
      label: { en: 'Write SQL in the console', de: 'SQL in der Konsole schreiben', pl: 'Pisz SQL w konsoli' },
      opens: { is: 'tool', tool: 'console' },
    },
    {
      label: { en: 'See what the server is doing', de: 'Ansehen, was der Server tut', pl: 'Zobacz, co robi serwer' },
      opens: { is: 'tool', tool: 'activity' },
    },
  ],
};
