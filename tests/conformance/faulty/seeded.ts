import { defineDriver } from '@tabularium/sdk';
import type { Cell, DriverDefinition, Page, Session } from '@tabularium/sdk';
import { decodeBatch, encodeBatch } from '@tabularium/sdk';
import type { ConformancePlan } from '@tabularium/sdk/testing';
import { orchardDriver } from './orchard/driver.ts';
import type { Fault, FullSession } from './orchard/driver.ts';
import { orchardPlan } from './orchard/plan.ts';
import type { World } from './orchard/world.ts';

/** A driver that is correct but for one fault, and the check that must find it. */
export interface Seeded {
  /** The fault, in the words of somebody who suffers from it. */
  readonly name: string;
  /** The area and the rule of the check. */
  readonly breaks: readonly [area: string, rule: string];
  /** The message that the check must give: it found this fault and not another. */
  readonly says: RegExp;
  readonly plan: ConformancePlan;
}

type Breaks = Seeded['breaks'];

/** A decision taken otherwise. */
export function decides(name: string, breaks: Breaks, says: RegExp, parts: NonNullable<Fault['parts']>): Seeded {
  return { name, breaks, says, plan: orchardPlan(orchardDriver({ parts })) };
}

/** A member of the session that is another one. */
export function acts(
  name: string,
  breaks: Breaks,
  says: RegExp,
  session: (session: FullSession, world: World) => Partial<Session>,
): Seeded {
  return { name, breaks, says, plan: orchardPlan(orchardDriver({ session })) };
}

/** Another way to open a session. */
export function connects(
  name: string,
  breaks: Breaks,
  says: RegExp,
  connect: (correct: DriverDefinition['connect']) => DriverDefinition['connect'],
): Seeded {
  const { id, connect: correct } = orchardDriver().definition;
  return { name, breaks, says, plan: orchardPlan(defineDriver({ id, connect: connect(correct) })) };
}

/** A fault beside the code: in the manifest, or in the author's plan for the kit. */
export function declares(name: string, breaks: Breaks, says: RegExp, changes: Partial<ConformancePlan>): Seeded {
  return { name, breaks, says, plan: { ...orchardPlan(orchardDriver()), ...changes } };
}

/** A page whose cells are others. */
export function withCells(page: Page, change: (cell: Cell, column: string, row: readonly Cell[]) => Cell): Page {
  const { columns, rows } = decodeBatch(page.batch);
  const changed = rows.map((row) => row.map((cell, index) => change(cell, columns[index]?.name ?? '', row)));
  return { ...page, batch: encodeBatch({ columns, rows: changed }) };
}

/** Events, each made into none, one or several. */
export async function* mapped<T>(events: AsyncIterable<T>, change: (event: T) => readonly T[]): AsyncGenerator<T> {
  for await (const event of events) yield* change(event);
}

/** A call without a way to cancel it. */
export const deaf = { signal: new AbortController().signal } as const;
