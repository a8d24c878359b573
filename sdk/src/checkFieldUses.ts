import type { z } from 'zod';
import type { HttpCredential } from './manifestCredentials.ts';
import { isSignIn } from './manifestCredentials.ts';
import type { Permissions } from './manifestPermissions.ts';
import type { tlsSchema } from './manifestTls.ts';

/** The parts of a manifest that say where values of its form go. */
interface ManifestParts {
  readonly connection: { readonly fields: readonly { readonly id: string; readonly type: string; readonly readBy?: unknown }[] };
  readonly permissions: Permissions;
}

type Refuse = (path: readonly (string | number)[], message: string) => void;

/** One use of a secret field by a credential. */
interface SecretUse {
  readonly field: string;
  /** Two uses of one field must have the same kind. */
  readonly kind: 'sent' | 'signs' | 'client' | 'signIn';
  readonly credential: HttpCredential;
  readonly path: readonly (string | number)[];
}

/** The way of a secret of each kind, after "it". */
const FATES: Readonly<Record<SecretUse['kind'], string>> = {
  sent: 'goes to the server as it is',
  signs: 'signs requests and goes nowhere',
  client: 'goes to the token server alone',
  signIn: 'is a refresh token, which goes to its provider alone',
};

/**
 * Refuses a manifest that leads a value of the form past what its other use promises: a refresh token, which no person types or sees, would go to the
 * driver's server as a header, and a key that the host alone reads would be in the driver's hands.
 */
export function checkFieldUses(manifest: ManifestParts, context: z.core.$RefinementCtx): void {
  const refuse: Refuse = (path, message) => context.addIssue({ code: 'custom', path: ['permissions', ...path], message });
  checkSecrets(manifest.permissions, refuse);
  checkFiles(manifest, refuse);
}

function checkSecrets({ http }: Permissions, refuse: Refuse): void {
  if (http === undefined) return;
  const uses = [
    ...http.credentials.flatMap((credential, index) => usesOf(credential, ['http', 'credentials', index])),
    ...http.furtherOrigins.flatMap(({ credentials }, origin) =>
      credentials.flatMap((credential, index) => usesOf(credential, ['http', 'furtherOrigins', origin, 'credentials', index])),
    ),
  ];
  uses.forEach((use, index) => {
    const other = uses.slice(0, index).find((before) => before.field === use.field && !agree(before, use));
    if (other === undefined) return;
    const why =
      other.kind === use.kind
        ? `Two credentials sign in at different providers with the secret "${use.field}", so the refresh token of one would go to the other.`
        : `By one credential the secret "${use.field}" ${FATES[other.kind]}, by another it ${FATES[use.kind]}.`;
    refuse(use.path, `${why} Give each a field of its own.`);
  });
}

function usesOf(credential: HttpCredential, path: SecretUse['path']): readonly SecretUse[] {
  const use = (field: string | undefined, kind: SecretUse['kind']): readonly SecretUse[] =>
    field === undefined ? [] : [{ field, kind, credential, path }];
  switch (credential.scheme) {
    case 'jwt':
      return use(credential.field, 'signs');
    case 'sigv4':
      return [...use(credential.field, 'signs'), ...use(credential.sessionToken, 'sent')];
    case 'oauth2':
      return credential.grant === 'signIn'
        ? [...use(credential.field, 'signIn'), ...use(credential.clientSecret, 'client')]
        : use(credential.field, 'client');
    default:
      return use(credential.field, 'sent');
  }
}

/** Whether nothing gets a secret by one use that it wouldn't get by the other. */
function agree(one: SecretUse, other: SecretUse): boolean {
  if (one.kind !== other.kind) return false;
  return one.kind !== 'signIn' || isSameSignIn(one.credential, other.credential) || exclude(one.credential, other.credential);
}

/** A further origin repeats the sign-in of the first. */
function isSameSignIn(one: HttpCredential, other: HttpCredential): boolean {
  const { when: _one, ...first } = one;
  const { when: _other, ...second } = other;
  return isSignIn(one) && JSON.stringify(first) === JSON.stringify(second);
}

/** Whether no form uses both. One that changes from one to the other asks the person to sign in again. */
function exclude({ when: one }: HttpCredential, { when: other }: HttpCredential): boolean {
  return one !== undefined && one.field === other?.field && !one.values.some((value) => other.values.includes(value));
}

function checkFiles({ connection, permissions }: ManifestParts, refuse: Refuse): void {
  const readerOf = (id: string | undefined): unknown =>
    connection.fields.find((field) => field.id === id && field.type === 'file')?.readBy;
  permissions.files.forEach(({ field }, index) => {
    if (readerOf(field) !== 'host') return;
    refuse(
      ['files', index, 'field'],
      `The form field "${field}" has "readBy": "host", so the driver can't get its file. Name a field with "readBy": "driver".`,
    );
  });
  const places: readonly (readonly [SecretUse['path'], z.output<typeof tlsSchema> | undefined])[] = [
    [['http', 'tls'], permissions.http?.tls],
    [['socket', 'tls'], permissions.socket?.tls],
    ...(permissions.http?.furtherOrigins ?? []).map(({ tls }, index) => [['http', 'furtherOrigins', index, 'tls'], tls] as const),
  ];
  for (const [path, tls] of places) {
    for (const part of ['certificateAuthorityFile', 'clientCertificateFile', 'clientKeyFile'] as const) {
      if (readerOf(tls?.[part]) !== 'driver') continue;
      refuse(
        [...path, part],
        `The form field "${tls?.[part] ?? ''}" has "readBy": "driver", and files of TLS are read by Tabularium alone. Write "readBy": "host".`,
      );
    }
  }
}
