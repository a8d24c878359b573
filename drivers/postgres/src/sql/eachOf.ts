/**
 * The rows of a catalogue that belong to the rows before. OFFSET 0 holds the server to looking each up by its index: it takes what is reached for far more than it is, and would read whole
 * catalogues, which takes a hundred times as long in a database of some thousand tables.
 *
 * @param condition - with the columns of the catalogue, which have the name of it
 */
export const eachOf = (catalogue: string, name: string, condition: string): string =>
  `CROSS JOIN LATERAL (SELECT * FROM pg_catalog.${catalogue} ${name} WHERE ${condition} OFFSET 0) ${name}`;
