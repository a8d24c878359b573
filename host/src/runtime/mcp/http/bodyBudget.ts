/** Bytes of bodies that are held at the same time. */
export interface BodyBudgetLimits {
  readonly heldBodyBytes: number;
  readonly heldBodyBytesPerPrincipal: number;
}

/** The bytes that one request holds. */
export interface BodyShare {
  /** Takes more bytes. @returns false when they do not fit; nothing is taken then */
  take(bytes: number): boolean;
  /** Call it when the request is over. */
  release(): void;
}

/** Counts the bytes of the bodies that requests hold, in all and for each principal: 64 requests of 16 MB would take a gigabyte. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  readonly #byPrincipal = new Map<string, number>();
  #all = 0;

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits;
  }

  open(principalId: string): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        const own = (this.#byPrincipal.get(principalId) ?? 0) + bytes;
        if (own > this.#limits.heldBodyBytesPerPrincipal || this.#all + bytes > this.#limits.heldBodyBytes) return false;
        this.#byPrincipal.set(principalId, own);
        this.#all += bytes;
        taken += bytes;
        return true;
      },
      release: () => {
        const own = (this.#byPrincipal.get(principalId) ?? 0) - taken;
        if (own > 0) this.#byPrincipal.set(principalId, own);
        else this.#byPrincipal.delete(principalId);
        this.#all -= taken;
        taken = 0;
      },
    };
  }
}
