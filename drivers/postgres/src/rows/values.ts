import { literal } from '../names.ts';

/** The values of a statement, in the order of their `$1`. */
export class Values {
  readonly #list: (string | null)[] = [];

  /** Adds a value. @returns its place in the statement, with its type */
  add(value: string | null, cast: string): string {
    this.#list.push(value);
    return `$${this.#list.length}::${cast}`;
  }

  get list(): readonly (string | null)[] {
    return this.#list;
  }

  /** A text with the values written into it, for people; it can be run as it is. Names in double quotes and strings are left alone, and so are the types of lists and those with a modifier. */
  readable(sql: string): string {
    return sql.replaceAll(
      /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)(::(?:pg_catalog\.)?(?:text|varchar|bpchar|"char"|name|int[248]|numeric|bool|integer|bigint|smallint|boolean|character varying)(?![\w.[(]))?/g,
      (all, place: string | undefined) => {
        if (place === undefined) return all;
        const value = this.#list[Number(place) - 1] ?? null;
        const cast = all.slice(place.length + 1);
        const written =
          /numeric|int|smallint/.test(cast) && value !== null && /^-?\d+(?:\.\d+)?$/.test(value) ? value : literal(value);
        return cast === '' || /^::(?:pg_catalog\.)?(?:text|varchar|bpchar|int4|integer|numeric|character varying)$/.test(cast)
          ? written
          : `${written}${cast}`;
      },
    );
  }
}
