import type { z } from 'zod';

/** Major and minor of a contract. */
export type ContractVersion = readonly [major: number, minor: number];

/** The parts of a manifest that an older contract doesn't have. */
interface ManifestParts {
  readonly sdk: string;
  readonly platforms?: unknown;
  readonly permissions: { readonly http?: { readonly furtherOrigins: readonly unknown[] } | undefined };
}

/** The lowest version of a range, which comes first in every range; undefined for a text that begins otherwise. */
export function lowestContract(range: string): ContractVersion | undefined {
  const [, major, minor = '0'] = /^(?:[\^~]|>=)?\s*(\d{1,6})(?:\.(\d{1,6}))?/.exec(range.trim()) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

/** Refuses members of contract 1.1 in a manifest whose range begins before: a host of that contract couldn't read it. */
export function checkContractRange({ sdk, platforms, permissions }: ManifestParts, context: z.core.$RefinementCtx): void {
  const [major = 1, minor = 1] = lowestContract(sdk) ?? [];
  if (major > 1 || (major === 1 && minor >= 1)) return;
  const refuse = (member: string): void =>
    context.addIssue({
      code: 'custom',
      path: ['sdk'],
      message: `"${member}" is new in contract 1.1, and the range begins before. Write "^1.1", or remove the member.`,
    });
  if (platforms !== undefined) refuse('platforms');
  if ((permissions.http?.furtherOrigins.length ?? 0) > 0) refuse('permissions.http.furtherOrigins');
}
