import { describe, expect, it } from 'vitest';
import { Container } from './container.ts';
import { from, later, token } from './inject.ts';
import type { Inject, Token } from './inject.ts';

const NAME = token<string>('NAME');
const ENDED = token<string[]>('ENDED');

class Store implements Disposable {
  static readonly inject: Inject<typeof Store> = [NAME, ENDED];
  readonly name: string;
  readonly #ended: string[];
  constructor(name: string, ended: string[]) {
    this.name = name;
    this.#ended = ended;
  }
  [Symbol.dispose](): void {
    this.#ended.push('store');
  }
}

class Reader implements AsyncDisposable {
  static readonly inject: Inject<typeof Reader> = {
    store: Store,
    ended: ENDED,
    loud: from([NAME], (name) => () => name.toUpperCase()),
  };
  readonly parts: { readonly store: Pick<Store, 'name'>; readonly ended: string[]; readonly loud: () => string };
  constructor(parts: {
    readonly store: Pick<Store, 'name'>;
    readonly ended: string[];
    readonly loud: () => string;
    readonly now?: () => number;
  }) {
    this.parts = parts;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve();
    this.parts.ended.push('reader');
  }
}

function composed(): { readonly container: Container; readonly ended: string[] } {
  const ended: string[] = [];
  const container = new Container().value(NAME, 'one').value(ENDED, ended).add(Reader, Store);
  return { container, ended };
}

describe('the container', () => {
  it('makes a service once, of what it states, by order or by name', () => {
    const { container } = composed();
    const reader = container.get(Reader);
    expect(container.get(Reader)).toBe(reader);
    expect(reader.parts.store).toBe(container.get(Store));
    expect(container.get(Store).name).toBe('one');
    expect(reader.parts.loud()).toBe('ONE');
    expect(container.all({ read: Reader, called: NAME })).toEqual({ read: reader, called: 'one' });
  });

  it('gives another service, or what is made of services, for a token', () => {
    const NAMED: Token<{ readonly name: string }> = token('NAMED');
    const LENGTH = token<number>('LENGTH');
    const { container } = composed();
    container.bind(NAMED, Store).bind(
      LENGTH,
      from([NAMED], ({ name }) => name.length),
    );
    expect(container.get(NAMED)).toBe(container.get(Store));
    expect(container.get(LENGTH)).toBe(3);
  });

  it('ends what it made in the reverse order, each awaited, and only once', async () => {
    const { container, ended } = composed();
    container.get(Reader);
    await container[Symbol.asyncDispose]();
    await container[Symbol.asyncDispose]();
    expect(ended).toEqual(['reader', 'store']);
  });

  it('ends the others when one fails, and says so', async () => {
    class Failing {
      static readonly inject: Inject<typeof Failing> = [Store];
      constructor(_store: Store) {}
      [Symbol.dispose](): void {
        throw new Error('stuck');
      }
    }
    const { container, ended } = composed();
    container.add(Failing).get(Failing);
    await expect(container[Symbol.asyncDispose]()).rejects.toThrow('stuck');
    expect(ended).toEqual(['store']);
  });

  it('creates and closes only requested services', async () => {
    const { container, ended } = composed();
    await container[Symbol.asyncDispose]();
    expect(ended).toEqual([]);
  });

  it('takes something else in the place of a service, and does not end it', async () => {
    const { container, ended } = composed();
    const other = new Store('other', ended);
    expect(container.override(Store, other).get(Reader).parts.store).toBe(other);
    await container[Symbol.asyncDispose]();
    expect(ended).toEqual(['reader']);
  });

  it('refuses to replace what is not there, and what somebody may hold', () => {
    const { container } = composed();
    expect(() => container.override(token<string>('NOWHERE'), 'x')).toThrow('NOWHERE is not registered');
    container.get(Reader);
    expect(() => container.override(Store, new Store('x', []))).toThrow('Store was made already');
  });

  it('names a service that is not registered, and the way to it', () => {
    const container = new Container().value(NAME, 'one').value(ENDED, []).add(Reader);
    expect(() => container.get(Reader)).toThrow('Store is not registered (asked for by Reader → Store)');
  });

  it('reports services that need each other, and continues after the failure', () => {
    const OTHER = token<object>('OTHER');
    class One {
      static readonly inject: Inject<typeof One> = [OTHER];
      constructor(_other: object) {}
    }
    const { container } = composed();
    container.add(One).bind(OTHER, One);
    expect(() => container.get(One)).toThrow('These services need each other: One → OTHER → One');
    expect(container.get(Store).name).toBe('one');
  });

  it('lets one of two services ask later for the other', () => {
    class Ring {
      static readonly inject: Inject<typeof Ring> = [later(token('never asked'))];
      readonly self: () => unknown;
      constructor(self: () => unknown) {
        this.self = self;
      }
    }
    class Circle {
      static readonly inject: Inject<typeof Circle> = [later(Ring), Ring];
      readonly ring: () => Ring;
      constructor(ring: () => Ring, _now: Ring) {
        this.ring = ring;
      }
    }
    const { container } = composed();
    container.add(Circle, Ring);
    expect(container.get(Circle).ring()).toBe(container.get(Ring));
    expect(() => container.get(Ring).self()).toThrow('never asked is not registered');
  });

  it('does not compile where a class states what its constructor does not take', () => {
    class Wrong {
      // @ts-expect-error the constructor takes a number
      static readonly inject: Inject<typeof Wrong> = [NAME];
      readonly count: number;
      constructor(count: number) {
        this.count = count;
      }
    }
    class Missing {
      // @ts-expect-error `name` is missing
      static readonly inject: Inject<typeof Missing> = { store: Store };
      readonly parts: object;
      constructor(parts: { readonly store: Store; readonly name: string }) {
        this.parts = parts;
      }
    }
    class Unchecked {
      static readonly inject = [ENDED] as const;
      readonly name: string;
      constructor(name: string) {
        this.name = name;
      }
    }
    const { container } = composed();
    // @ts-expect-error it states a list where the constructor takes a text
    container.add(Unchecked);
    expect([Wrong, Missing]).toHaveLength(2);
  });
});
