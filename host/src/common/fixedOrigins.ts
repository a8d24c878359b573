import { CONSENT_GRANTS, publicAddress } from '@tabularium/sdk/manifest';
import type { ConsentGrant, FurtherOrigin, OriginGrant, Permissions } from '@tabularium/sdk/manifest';
import { z } from 'zod';

/** A further origin whose address the manifest fixes. */
export interface FixedOrigin extends Pick<FurtherOrigin, 'label' | 'reason'> {
  readonly origin: OriginGrant;
}

/** The further origins with fixed addresses, in the order of the manifest. A person is asked about each address. */
export function fixedOriginsOf({ http }: Pick<Permissions, 'http'>): readonly FixedOrigin[] {
  return (http?.furtherOrigins ?? []).flatMap(({ origin, label, reason }) =>
    isOriginGrant(origin) ? [{ origin, label, reason }] : [],
  );
}

const originGrantSchema = z
  .string()
  .max(300)
  .regex(/^https:/)
  .refine(
    (text) => publicAddress(text).problem === undefined,
    'Use an origin, such as https://api.example.com.',
  ) as unknown as z.ZodType<OriginGrant>;

/** Something that a person is asked about: by its name, or the fixed address itself. */
export const consentGrantSchema: z.ZodType<ConsentGrant> = z.union([z.enum(CONSENT_GRANTS), originGrantSchema]);

/** Whether a grant, or another text, is a fixed address. */
export function isOriginGrant(grant: unknown): grant is OriginGrant {
  return typeof grant === 'string' && grant.startsWith('https://');
}
