import { z } from 'zod';
import { identifier } from './manifestIdentifier.ts';

/** How form fields become the TLS of an origin or endpoint. */
export const tlsSchema = z.strictObject({
  /** Which mode the select field's values mean: encryption alone, the chain checked, or chain and host name checked. */
  mode: z.strictObject({
    field: identifier,
    encryptOnly: z.array(z.string()).default([]),
    verifyChain: z.array(z.string()).default([]),
    verifyIdentity: z.array(z.string()).default([]),
  }),
  /** A toggle that trusts any certificate, whatever the mode says. */
  skipVerification: identifier.optional(),
  certificateAuthorityFile: identifier.optional(),
  clientCertificateFile: identifier.optional(),
  clientKeyFile: identifier.optional(),
});
