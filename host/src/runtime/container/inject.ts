/** Names what the container gives by its interface; a class names itself. */
export type Token<T> = symbol & { readonly [PROVIDES]: T };
declare const PROVIDES: unique symbol;

/** @param name - for the sentences of errors */
export function token<T>(name: string): Token<T> {
  // The type is for the compiler alone: the value of a token is checked where it is registered.
  return Symbol(name) as Token<T>;
}

/** Whatever makes a `T`, with whatever it takes. */
export type Class<T> = abstract new (...input: never[]) => T;

/** Made of other things at the moment when it is needed; see {@link from} and {@link later}. */
export interface Derived<T> {
  readonly derive: (get: <Part>(dependency: Dependency<Part>) => Part) => T;
}

/** The possible arguments of a constructor. */
export type Dependency<T> = Token<T> | Class<T> | Derived<T>;

/** The container's value for a dependency. */
export type Provided<D> = D extends Token<infer T> ? T : D extends Class<infer T> ? T : D extends Derived<infer T> ? T : never;

/** The container's values for some dependencies. */
export type AllProvided<Ds> = { readonly [Key in keyof Ds]: Provided<Ds[Key]> };

/**
 * The dependencies of a class, stated beside its constructor and checked against it: a dependency for each parameter, in their order, or for each property where the
 * one parameter is an object. An optional one may be left out.
 *
 * @example
 * static readonly inject: Inject<typeof Metrics> = [Sessions, ConnectionStore];
 */
export type Inject<C extends abstract new (...input: never[]) => unknown> =
  ConstructorParameters<C> extends infer Parameters
    ? { readonly [Key in keyof Parameters]: Dependency<Parameters[Key]> } | NamedOf<Parameters>
    : never;

type NamedOf<Parameters> = Parameters extends readonly [(infer Parts extends object)?]
  ? { readonly [Name in keyof Parts]: Dependency<Parts[Name]> }
  : never;

/** Makes the argument of a constructor from the container's services, such as one setting of many, or a function that calls a service. */
export function from<const Parts extends readonly Dependency<unknown>[], T>(
  parts: Parts,
  make: (...provided: AllProvided<Parts>) => T,
): Derived<T> {
  return {
    // One for one, which the compiler does not follow through a map.
    derive: (get) => make(...(parts.map((part) => get(part)) as unknown as AllProvided<Parts>)),
  };
}

/** Gives one of several parameters, which is an object, what each of its properties is. */
export function named<const Parts extends Readonly<Record<string, Dependency<unknown>>>>(
  parts: Parts,
): Derived<AllProvided<Parts>> {
  return {
    derive: (get) =>
      // The names go with the parts, which the compiler does not follow through a list of entries.
      Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, get(part)])) as AllProvided<Parts>,
  };
}

/** Asks for a service at its first use: for two that need each other, of which one is whole without the other. */
export function later<T>(dependency: Dependency<T>): Derived<() => T> {
  return { derive: (get) => () => get(dependency) };
}
