import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SampleConnection } from './sample.ts';
import { FILE_GUIDE } from './sampleGuides.ts';

const FIRST = ['Ada', 'Bruno', 'Carla', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas'];
const LAST = ['Almeida', "O'Brien", 'Castellanos', 'Dvořák', 'Eriksen', 'Farkas', 'Günther', 'Haddad'];
const NOUNS = [
  'Harbour',
  'Orchard',
  'Lantern',
  'Archive',
  'Meridian',
  'Thicket',
  'Ledger',
  'Compass',
  'Window',
  'Estuary',
  'Attic',
  'Quarry',
];
const KINDS = ['The Last', 'A Small', 'Beyond the', 'Letters from the', 'Under the', 'Notes on a', 'The Glass'];
const SHELVES = ['fiction', 'history', 'science', 'travel', null];
const BOOKS = 1_200;
const ORDERS = 6_000;

/** The same numbers at every start, so that a sample is the same for everybody. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Makes the sample database where there is none yet: a small bookshop of three related tables, a view, and a table with awkward names. What
 * somebody changed in it stays.
 *
 * @returns the file
 */
export async function sampleDatabase(folder: string): Promise<string> {
  const file = join(folder, 'Sample Bookshop.sqlite');
  if ((await stat(file).catch(() => undefined)) !== undefined) return file;
  // Whole or not at all: a start that is interrupted leaves no half of it behind.
  const part = `${file}.part`;
  await rm(part, { force: true });
  const database = new DatabaseSync(part);
  try {
    fill(database);
  } finally {
    database.close();
  }
  await rename(part, file);
  return file;
}

/** The connection to a sample database. */
export function databaseConnection(file: string): SampleConnection {
  return {
    name: 'Sample database (SQLite)',
    driver: 'sqlite',
    settings: { file },
    secrets: {},
    color: 'orange',
    guide: FILE_GUIDE,
  };
}

function fill(database: DatabaseSync): void {
  const random = numbers(1_986);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  database.exec(`
    BEGIN;
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, website TEXT);
    CREATE TABLE books (
      id INTEGER PRIMARY KEY,
      author_id INTEGER NOT NULL REFERENCES authors (id),
      title TEXT NOT NULL,
      isbn BIGINT UNIQUE,
      price DECIMAL(8, 2) CHECK (price >= 0),
      shelf TEXT,
      in_print BOOLEAN NOT NULL DEFAULT 1,
      published DATE,
      details JSON,
      price_with_tax REAL GENERATED ALWAYS AS (round(price * 1.07, 2)) VIRTUAL
    );
    CREATE INDEX books_author ON books (author_id);
    CREATE INDEX books_shelf_title ON books (shelf, title);
    CREATE TABLE orders (
      number TEXT NOT NULL,
      line INTEGER NOT NULL,
      book_id INTEGER NOT NULL REFERENCES books (id),
      copies INTEGER NOT NULL DEFAULT 1,
      ordered_at TIMESTAMP,
      note TEXT,
      PRIMARY KEY (number, line)
    ) WITHOUT ROWID;
    CREATE TABLE "Price List 2027 (draft)" ("Title / Edition" TEXT, "new price, €" REAL, "select" TEXT, "ends with ""quotes""" TEXT);
    CREATE VIEW bestsellers AS
      SELECT b.title, a.name AS author, sum(o.copies) AS copies, round(sum(o.copies * b.price), 2) AS revenue
      FROM orders o JOIN books b ON b.id = o.book_id JOIN authors a ON a.id = b.author_id
      GROUP BY b.id ORDER BY copies DESC;
  `);
  const author = database.prepare('INSERT INTO authors (name, born, website) VALUES (?, ?, ?)');
  for (const first of FIRST) {
    for (const last of LAST.slice(0, 6)) {
      author.run(
        `${first} ${last}`,
        random() < 0.2 ? null : 1920 + Math.floor(random() * 80),
        random() < 0.5 ? null : `https://example.org/${first.toLowerCase()}`,
      );
    }
  }
  const authors = FIRST.length * 6;
  const book = database.prepare(
    'INSERT INTO books (author_id, title, isbn, price, shelf, in_print, published, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (let number = 1; number <= BOOKS; number += 1) {
    const year = 1950 + Math.floor(random() * 76);
    book.run(
      1 + Math.floor(random() * authors),
      `${pick(KINDS)} ${pick(NOUNS)}${number % 5 === 0 ? `, Volume ${1 + (number % 4)}` : ''}`,
      BigInt(9_780_000_000_000 + number * 7_919),
      Math.round(400 + random() * 4_500) / 100,
      pick(SHELVES),
      random() < 0.85 ? 1 : 0,
      random() < 0.1 ? null : `${year}-${String(1 + Math.floor(random() * 12)).padStart(2, '0')}-01`,
      random() < 0.6
        ? null
        : JSON.stringify({ pages: 80 + Math.floor(random() * 700), languages: [pick(['en', 'de', 'tr', 'pt'])] }),
    );
  }
  const order = database.prepare(
    'INSERT INTO orders (number, line, book_id, copies, ordered_at, note) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let line = 1;
  let ordered = 1;
  for (let count = 0; count < ORDERS; count += 1) {
    const day = new Date(Date.UTC(2025, 0, 1) + ordered * 4_200_000).toISOString().slice(0, 19).replace('T', ' ');
    order.run(
      `B-${String(ordered).padStart(5, '0')}`,
      line,
      1 + Math.floor(random() ** 2 * BOOKS),
      1 + Math.floor(random() * 4),
      day,
      random() < 0.05 ? 'Gift, please wrap' : random() < 0.05 ? '' : null,
    );
    if (random() < 0.6) {
      ordered += 1;
      line = 1;
    } else line += 1;
  }
  const draft = database.prepare('INSERT INTO "Price List 2027 (draft)" VALUES (?, ?, ?, ?)');
  for (const noun of NOUNS)
    draft.run(`The ${noun} / 2nd`, Math.round(900 + random() * 3_000) / 100, random() < 0.5 ? 'yes' : null, `“${noun}”`);
  database.exec('COMMIT');
}
