import { z } from 'zod';

/** Begins every entry that this version writes into the secure store. */
const MARK = 'tabularium-secret-1:';
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** An entry of the secure store: the secret, and the digest of the reach that it was approved for (absent in older entries). */
export interface SecretEnvelope {
  readonly value: string;
  readonly digest?: string;
}

/** The entry to store. The digest is beside the value, where a changed database cannot reach it. */
export function sealEnvelope(value: string, digest: string): string {
  return `${MARK}${digest}:${value}`;
}

/** Reads an entry; one without a mark was stored by an older version and is the value itself. */
export function openEnvelope(entry: string): SecretEnvelope {
  if (!entry.startsWith(MARK)) return { value: entry };
  const digest = digestSchema.safeParse(entry.slice(MARK.length, MARK.length + 64));
  if (!digest.success || entry[MARK.length + 64] !== ':') return { value: entry };
  return { value: entry.slice(MARK.length + 65), digest: digest.data };
}
