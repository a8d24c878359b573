import type { ApiContext } from '../../runtime/api/context.ts';

/** A service without its private parts, and of its public ones those that a test needs. */
type Fake<Service> = {
  readonly [Name in keyof Service]?: Service[Name] extends (...input: never[]) => unknown ? Service[Name] : Fake<Service[Name]>;
};

/** The services of the procedures, in part: with the signatures of the services themselves. */
export type FakeContext = { readonly [Name in keyof ApiContext]?: Fake<ApiContext[Name]> };

/** Stands for the services of a runtime. A procedure whose service is not among the parts fails when it is called. */
export function fakeContext(parts: FakeContext): ApiContext {
  return parts as ApiContext;
}
