import type { StatementEffect } from '@tabularium/sdk';
import { createHash } from 'node:crypto';
import type { ApprovalText } from '../../../common/approvalText.ts';
import type { ExternalClient } from '../access/externalClient.ts';

/** The question to a person: one change, exactly as it will be made. */
export interface ApprovalQuestion {
  readonly principal: Pick<ExternalClient, 'id' | 'tokenId' | 'kind' | 'name'>;
  /** The client's own name; untrusted. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  /** `target`: where it led when the question was made, see `connectionTarget`. */
  readonly connection: { readonly id: string; readonly name: string; readonly target: string };
  readonly tool: string;
  readonly effect: StatementEffect;
  /** A few words, such as `Insert into products`. */
  readonly summary: string;
  /** The exact statement or requests, whole. */
  readonly text: string;
  /** The same as a person sees it. */
  readonly shown: ApprovalText;
  /** Of everything that the answer depends on: another argument, or another plan, makes another question. See {@link questionDigest}. */
  readonly digest: string;
  /** Of what the client asked for alone, see {@link callDigest}. */
  readonly callDigest: string;
}

interface CallParts {
  readonly principalId: string;
  readonly tool: string;
  readonly connectionId: string;
  /** Where the connection leads, see `connectionTarget`: an approval for one server is none for another. */
  readonly target: string;
  readonly args: unknown;
}

/** One text for exactly one call of one client. The change that it makes is another one where the database has changed. */
export function callDigest(parts: CallParts): string {
  return createHash('sha256').update(canonical(parts)).digest('base64url');
}

/**
 * One text for exactly one change: its client, tool, arguments and connection, the text that a person is shown, and the plan that is executed. The order of the arguments' names does not count. What runs is compared with it once more right before it runs.
 */
export function questionDigest(
  parts: CallParts & {
    readonly effect: StatementEffect;
    readonly summary: string;
    readonly text: string;
    /** The plan of the tool: the statement, or the rows with their keys and values. */
    readonly plan: unknown;
  },
): string {
  return createHash('sha256').update(canonical(parts)).digest('base64url');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
