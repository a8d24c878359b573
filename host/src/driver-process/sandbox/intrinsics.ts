// Functions of the language as they are before a driver's code runs. A driver can replace every method of a prototype; the sandbox decides by
// these copies alone.

type Method<Self, Values extends readonly unknown[], Result> = (self: Self, ...values: Values) => Result;

/** A method of a prototype as a function that looks nothing up when it is called: replacing the method, `call` or `apply` changes nothing. */
function methodOf<Self, Values extends readonly unknown[], Result>(
  prototype: object,
  name: string,
): Method<Self, Values, Result> {
  const method = Reflect.get(prototype, name) as object;
  return Function.prototype.call.bind(method as never) as Method<Self, Values, Result>;
}

/** `URL` as it is before a driver replaces the global. */
export const OwnURL = URL;
/** `Error` as it is before a driver replaces the global. */
export const OwnError = Error;
export const { defineProperty, getOwnPropertyDescriptor, create, freeze } = Object;
export const { ownKeys, deleteProperty } = Reflect;
const getPrototypeOf = Object.getPrototypeOf as (object: object) => object | null;

export const startsWith = methodOf<string, [string], boolean>(String.prototype, 'startsWith');
export const endsWith = methodOf<string, [string], boolean>(String.prototype, 'endsWith');
export const sliceFrom = methodOf<string, [number], string>(String.prototype, 'slice');
const hasOwn = methodOf<object, [PropertyKey], boolean>(Object.prototype, 'hasOwnProperty');
const href = methodOf<URL, [], string>(Object.getOwnPropertyDescriptor(URL.prototype, 'href') ?? {}, 'get');

export function hrefOf(url: URL): string {
  return href(url);
}

/** A value that a prototype cannot pretend: undefined unless the object has it itself. */
export function ownString(object: object, key: string): string | undefined {
  const value: unknown = getOwnPropertyDescriptor(object, key)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Defines a value that stays: no assignment and no second definition changes it. */
export function fix(object: object, key: PropertyKey, value: unknown): void {
  defineProperty(object, key, { value, writable: false, configurable: false, enumerable: false });
}

/** Gives an object every method that it inherits as its own, fixed: a method that a driver replaces on a prototype then never receives this object. */
export function fixMethods(object: object): void {
  for (let level = getPrototypeOf(object); level !== null; level = getPrototypeOf(level)) {
    for (const key of ownKeys(level)) {
      if (key === 'constructor' || hasOwn(object, key)) continue;
      const value: unknown = getOwnPropertyDescriptor(level, key)?.value;
      if (typeof value === 'function') fix(object, key, value);
    }
  }
}
