import { setTimeout as delay } from 'node:timers/promises';
import type { SoakWorld } from './soakWorld.ts';

/** One kind of work of a soak, which is repeated until its end. */
export interface Actor {
  readonly name: string;
  /** Milliseconds between two steps. */
  readonly every: number;
  /** Does one piece of work. @throws when it did not succeed */
  step(world: SoakWorld): Promise<void>;
  close?(): Promise<void>;
}

/** How often an actor's steps succeeded. */
export interface Tally {
  readonly name: string;
  readonly done: number;
  /** Steps that failed while the server was away, or just after a driver was killed: a clear failure is right there. */
  readonly disturbed: number;
  /** Steps that failed without a reason of that kind. */
  readonly failed: number;
  /** The first reasons of failures. */
  readonly reasons: readonly string[];
}

const SHOWN_REASONS = 5;

/** Repeats the steps of an actor until the world ends. */
export async function runActor(actor: Actor, world: SoakWorld): Promise<Tally> {
  const tally = { name: actor.name, done: 0, disturbed: 0, failed: 0, reasons: [] as string[] };
  while (!world.signal.aborted) {
    const began = performance.now();
    try {
      await actor.step(world);
      tally.done += 1;
    } catch (error) {
      if (world.signal.aborted) break;
      if (world.wasDisturbedSince(began)) tally.disturbed += 1;
      else {
        tally.failed += 1;
        if (tally.reasons.length < SHOWN_REASONS) tally.reasons.push(reasonOf(error));
      }
    }
    await delay(actor.every, undefined, { signal: world.signal }).catch(() => undefined);
  }
  await actor.close?.().catch(() => undefined);
  return tally;
}

function reasonOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .replaceAll(/\s+/g, ' ')
    .slice(0, 400);
}
