import { FALLBACK_NAME, isDynamic, isObjectType } from './field.ts';
import type { Field, FieldType } from './field.ts';

/**
 * The fields of a collection, in the order it lists them. A field that was declared as a pattern, as `auto` or as `string*`
 * only says how to learn: it stays in the list, holds no values, and what it learned is listed once more with its real type.
 */
export class SchemaFields {
  #listed: Field[] = [];
  #dynamic: readonly Field[] = [];
  #fallback: Field | undefined;
  #hasUnstored = false;
  /** The fields that hold values, by name: what filters, sorts and checks of documents look at. */
  readonly settled = new Map<string, Field>();

  constructor(fields: Iterable<Field>) {
    for (const field of fields) this.add(field);
  }

  get listed(): readonly Field[] {
    return this.#listed;
  }

  /** Those that say how to learn, the fallback apart. */
  get dynamic(): readonly Field[] {
    return this.#dynamic;
  }

  /** The type that `.*` gives to undeclared fields. */
  get fallbackType(): FieldType | undefined {
    return this.#fallback?.type;
  }

  get learns(): boolean {
    return this.#fallback !== undefined || this.#dynamic.length > 0;
  }

  /** Whether some field is indexed without being stored. */
  get hasUnstored(): boolean {
    return this.#hasUnstored;
  }

  has(name: string): boolean {
    return this.#listed.some((field) => field.name === name);
  }

  add(field: Field): void {
    this.#listed.push(field);
    this.#hasUnstored ||= !field.store;
    if (field.name === FALLBACK_NAME) this.#fallback = field;
    else if (isDynamic(field)) this.#dynamic = [...this.#dynamic, field];
    else this.settled.set(field.name, field);
  }

  /** Takes every field of that name away, and with an object its leaves; returns the names that held values. */
  drop(name: string): string[] {
    const settled = this.settled.get(name);
    const hasLeaves = settled !== undefined && isObjectType(settled.type);
    const goes = (field: Field): boolean => field.name === name || (hasLeaves && field.name.startsWith(`${name}.`));
    const gone = this.#listed.filter(goes).map((field) => field.name);
    this.#listed = this.#listed.filter((field) => !goes(field));
    this.#dynamic = this.#dynamic.filter((field) => !goes(field));
    if (name === FALLBACK_NAME) this.#fallback = undefined;
    return gone.filter((held) => this.settled.delete(held));
  }
}
