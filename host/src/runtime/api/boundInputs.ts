import { boundedSchema } from '@tabularium/sdk/protocol';
import type { AnyRouter } from '@trpc/server';
import { z } from 'zod';

/** The input schemas of every procedure of a router, by its path, such as `connections.open`. */
export function inputsOf(router: AnyRouter): ReadonlyMap<string, readonly z.ZodType[]> {
  const procedures = router._def.procedures as Readonly<
    Record<string, { readonly _def: { readonly inputs?: readonly unknown[] } }>
  >;
  return new Map(
    Object.entries(procedures).map(([path, { _def }]) => [
      path,
      (_def.inputs ?? []).filter((input) => input instanceof z.ZodType),
    ]),
  );
}

/** Lets every procedure refuse its input at the first faults. */
export function boundInputs(router: AnyRouter): void {
  for (const inputs of inputsOf(router).values()) for (const input of inputs) boundedSchema(input);
}
