import type { z } from 'zod';
import { isSignIn } from './manifestCredentials.ts';
import type { HttpPermission } from './manifestPermissions.ts';
import { publicAddress } from './publicAddress.ts';

/** The parts of a manifest that its further origins depend on. */
interface ManifestParts {
  readonly connection: { readonly fields: readonly { readonly id: string; readonly default?: unknown }[] };
  readonly permissions: { readonly http?: HttpPermission | undefined };
}

/**
 * Refuses further origins that a person could not decide about: a fixed address that isn't a public one, a host that the driver fills in, and a
 * sign-in that isn't the first origin's.
 */
export function checkFurtherOrigins({ connection, permissions: { http } }: ManifestParts, context: z.core.$RefinementCtx): void {
  http?.furtherOrigins.forEach(({ origin, tls, credentials }, index) => {
    const refuse = (path: readonly (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path: ['permissions', 'http', 'furtherOrigins', index, ...path], message });
    if (typeof origin === 'string') {
      const { problem } = publicAddress(origin);
      if (problem !== undefined) refuse(['origin'], problem);
      if (tls !== undefined)
        refuse(
          ['tls'],
          'The certificate and host name of a fixed address are always checked, with the authorities of the computer. Remove "tls".',
        );
    } else {
      const { field } = origin.host;
      const found = connection.fields.find(({ id }) => id === field);
      // A later version could change a default, and requests would go where no person has sent them.
      if (field !== http.origin.host.field && found?.default !== undefined)
        refuse(
          ['origin', 'host'],
          `A person enters where a further origin is, so the form field "${field}" can't have a default. Remove its "default", or write a fixed address in "origin".`,
        );
    }
    credentials.forEach((credential, place) => {
      if (!isSignIn(credential)) return;
      const { when: _when, ...sought } = credential;
      const isShared = http.credentials.some(({ when: _other, ...known }) => JSON.stringify(known) === JSON.stringify(sought));
      if (!isShared)
        refuse(
          ['credentials', place],
          'A form has one sign-in, so a further origin can only use the one of the first origin. Repeat it here with the same members, or use another scheme.',
        );
    });
  });
}
