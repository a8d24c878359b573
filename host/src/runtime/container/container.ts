import 'reflect-metadata';
import { container as root, instanceCachingFactory } from 'tsyringe';
import type { DependencyContainer, InjectionToken } from 'tsyringe';
import { named } from './inject.ts';
import type { AllProvided, Class, Dependency, Derived, Inject } from './inject.ts';

/** A class that states its dependencies. */
export type Injectable = (abstract new (...input: never[]) => object) & { readonly inject: unknown };

/** By order or by name. */
type Stated = readonly Dependency<unknown>[] | Readonly<Record<string, Dependency<unknown>>>;

/** The class, where what it states fits its constructor. */
type Fitting<C extends Injectable> = C & { readonly inject: Inject<C> };

/**
 * The services of one runtime: each is registered once, made when it is first asked for, and kept. The container ends what it made, in the
 * reverse order: so whatever a service was given is there until the service has ended.
 */
export class Container implements AsyncDisposable {
  readonly #services: DependencyContainer = root.createChildContainer();
  readonly #made = new AsyncDisposableStack();
  /** The services that are being made, from the outermost to the innermost. */
  readonly #making: InjectionToken<unknown>[] = [];
  readonly #singletons = new Set<InjectionToken<unknown>>();

  /** Registers classes, each under its own name. */
  add<Classes extends readonly Injectable[]>(...services: { readonly [Key in keyof Classes]: Fitting<Classes[Key]> }): this {
    for (const service of services) this.#register(service, () => this.#construct(service));
    return this;
  }

  /** Registers what is given for a token or a class: another service, or what is made of services. */
  bind<T>(name: Exclude<Dependency<T>, Derived<T>>, provided: Class<T> | Derived<T>): this {
    this.#register(name, () => this.get<T>(provided));
    return this;
  }

  /** Registers something that exists already, and that somebody else ends. */
  value<T>(name: Exclude<Dependency<T>, Derived<T>>, value: T): this {
    this.#services.register(keyOf(name), { useValue: value });
    return this;
  }

  /**
   * Replaces a registered service, as tests do. The caller ends the replacement.
   *
   * @throws Error for a service that is not registered, and for one that was made already: somebody may hold it
   */
  override<T>(name: Exclude<Dependency<T>, Derived<T>>, value: T): this {
    if (!this.#services.isRegistered(keyOf(name)))
      throw new Error(`${nameOf(name)} is not registered, so nothing can replace it.`);
    if (this.#singletons.has(keyOf(name)))
      throw new Error(`${nameOf(name)} was made already. Replace it before it is first asked for.`);
    return this.value(name, value);
  }

  /**
   * The one instance.
   *
   * @throws Error for what is not registered, and for services that need each other, naming the way that leads there
   */
  get<T>(dependency: Dependency<T>): T {
    if (isDerived(dependency)) return dependency.derive((part) => this.get(part));
    const key = keyOf(dependency);
    if (this.#making.includes(key)) {
      const circle = [...this.#making.slice(this.#making.indexOf(key)), key].map(nameOf).join(' → ');
      throw new Error(`These services need each other: ${circle}. Let one of them ask later(…) for the other.`);
    }
    if (!this.#services.isRegistered(key)) {
      const way = [...this.#making, key].map(nameOf).join(' → ');
      throw new Error(`${nameOf(key)} is not registered (asked for by ${way}). Register it in the composition.`);
    }
    return this.#services.resolve(key);
  }

  /** Some services by the names that the caller gives them. */
  all<Services extends Readonly<Record<string, Dependency<unknown>>>>(services: Services): AllProvided<Services> {
    return this.get(named(services));
  }

  /** Ends every service that was made, the last one first, each awaited. One that fails keeps none of the others from it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#made[Symbol.asyncDispose]();
  }

  #register(name: Exclude<Dependency<unknown>, Derived<unknown>>, make: () => unknown): void {
    const key = keyOf(name);
    const makeOnce = (): unknown => {
      this.#making.push(key);
      try {
        const made = make();
        this.#singletons.add(key);
        return made;
      } finally {
        this.#making.pop();
      }
    };
    this.#services.register(key, { useFactory: instanceCachingFactory(makeOnce) });
  }

  #construct(service: Injectable): object {
    // The dependencies of the class were checked against its constructor when it was registered.
    const { inject } = service as unknown as { readonly inject: Stated };
    const input = isList(inject) ? inject.map((part) => this.get(part)) : [this.all(inject)];
    return this.#own(Reflect.construct(service, input) as object);
  }

  #own<T extends object>(made: T): T {
    if (Symbol.asyncDispose in made || Symbol.dispose in made) this.#made.use(made as T & (AsyncDisposable | Disposable));
    return made;
  }
}

function isList(inject: Stated): inject is readonly Dependency<unknown>[] {
  return Array.isArray(inject);
}

function isDerived<T>(dependency: Dependency<T>): dependency is Derived<T> {
  return typeof dependency === 'object';
}

function keyOf<T>(name: Exclude<Dependency<T>, Derived<T>>): InjectionToken<T> {
  // A class with a constructor that takes something is a name like any other here: only the container calls it.
  return name as InjectionToken<T>;
}

function nameOf(name: unknown): string {
  return typeof name === 'symbol' ? (name.description ?? 'a token without a name') : (name as { readonly name: string }).name;
}
