import { isSignIn } from '@tabularium/sdk/manifest';
import type { FormField, Manifest } from '@tabularium/sdk/manifest';
import type { FormSecretInput, SecretReference, SettingsValues, StoredInput } from '../../common/connection.ts';
import type { ChangedSecret, SecretQuestion, SecretReach } from '../../common/secretQuestion.ts';
import { HostError } from '../../common/errors.ts';
import { formFieldsOf } from '../../common/formFields.ts';
import { isSameReach, reachDigest, reachText } from '../credentials/secretReach.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import { secretVariable } from '../credentials/environmentSecureStore.ts';
import { accountOf } from './enteredSecrets.ts';
import type { SecretBinding } from './secretBindings.ts';
import type { OriginQuestion } from './confirmedOrigins.ts';
import { confirmationCode } from './secretConfirmation.ts';

// Comparisons and texts of ConnectionSecrets, without any state.

/** A secret field with a value somewhere, and what is known of its destination. */
export interface HeldSecret {
  readonly field: HeldSecretField;
  readonly from: SecretReference;
  /** Undefined for a driver that no secret is ever used for. */
  readonly now: SecretReach | undefined;
  readonly bound: SecretBinding | undefined;
  readonly publisherName: string;
  /** It is a refresh token: only the data directory that got it may spend it. */
  readonly isSignIn: boolean;
}

/** The binding of a secret when it is stored; undefined: to nothing, so that a person is asked before its first use. */
export type BindTo = (field: string) => { readonly reach: SecretReach; readonly publisherName: string } | undefined;

export type HeldSecretField = Extract<FormField, { readonly type: 'secret' }>;

/** @param isFromEnvironment - the secure store is the environment, where nothing can be entered */
export function missing(
  connection: string,
  field: string,
  label: string,
  reference: SecretReference | FormSecretInput | undefined,
  isFromEnvironment: boolean,
): HostError {
  const isOurs = isFromEnvironment && reference?.kind === 'store';
  const why = isOurs ? VARIABLE_MISSING : whyMissing(reference);
  const advice = isOurs ? adviceForOurs(field) : reference?.kind === 'environment' ? NAMED_ELSEWHERE : `Enter the ${label}.`;
  return new HostError('SECRET_MISSING', `The ${label} of "${connection}" is missing${why}.`, { details: { field, advice } });
}

/** Without its name: clients outside read this, too. The window and the command show it beside the field. */
const VARIABLE_MISSING = ": its environment variable isn't set for the host";

const NAMED_ELSEWHERE =
  'Set the variable that "tabularium connections list --json" names for the connection, and start the host again.';

function adviceForOurs(field: string): string {
  const variable = secretVariable(accountOf('ID', field));
  return `Set the variable ${variable}, with the id that "tabularium connections list" shows in the place of ID (in capital letters, - as _), and start the host again.`;
}

function whyMissing(reference: SecretReference | FormSecretInput | undefined): string {
  switch (reference?.kind) {
    case undefined:
    case 'remove':
    case 'signedIn':
      return '';
    case 'store':
      return ': it is no longer in the secure store';
    case 'session':
      return ': it was stored only until Tabularium stopped';
    case 'environment':
      return VARIABLE_MISSING;
  }
}

export function secretFields(manifest: Manifest): readonly HeldSecretField[] {
  return formFieldsOf(manifest).filter((field) => field.type === 'secret');
}

export function referenceTo(input: Exclude<FormSecretInput, { readonly kind: 'remove' }>): SecretReference {
  if (input.kind === 'signedIn') return { kind: input.keepIn };
  return input.kind === 'environment' ? { kind: 'environment', variable: input.variable } : { kind: input.kind };
}

export function isSameReference(a: SecretReference, b: SecretReference): boolean {
  return a.kind === 'environment' ? b.kind === 'environment' && a.variable === b.variable : a.kind === b.kind;
}

/** Whether what was read is what was approved: an entry of the secure store carries the digest of its reach. */
export function isSealedFor(
  bound: SecretBinding,
  found: { readonly digest?: string } | undefined,
  from: SecretReference,
): boolean {
  if (from.kind !== 'store' || found === undefined) return true;
  return found.digest === undefined ? !bound.sealed : found.digest === reachDigest(bound.reach);
}

/** A form with a value that leads nowhere binds nothing; using it says what is wrong with it. */
export function reachOrNothing(driver: SendingDriver, settings: SettingsValues, field: string): SecretReach | undefined {
  try {
    return secretReach(driver, settings, field);
  } catch {
    return undefined;
  }
}

export function reachIn(side: SecretReach): SecretReach {
  const { driver, publisher, origins, verification, authorityFile, sentAs, grants, through, further } = side;
  return {
    ...{ driver, publisher, origins, verification, authorityFile, sentAs, grants },
    ...(through === undefined ? {} : { through }),
    ...(further === undefined ? {} : { further }),
  };
}

function sideOf({ reach, publisherName, from }: SecretBinding): ChangedSecret['now'] {
  return { ...reach, publisherName, from };
}

export function changeOf(
  { field, from, now, publisherName }: HeldSecret,
  bound: SecretBinding | undefined,
): readonly ChangedSecret[] {
  if (now === undefined) return [];
  const before = bound === undefined ? {} : { before: sideOf(bound) };
  return [{ field: field.id, label: field.label, ...before, now: { ...now, publisherName, from } }];
}

export function questionOf(
  connection: { readonly id?: string; readonly name: string },
  { manifest, version }: SendingDriver,
  changes: readonly ChangedSecret[],
  origins: OriginQuestion = { newOrigins: [], newFiles: [], isDistrusted: false },
): SecretQuestion {
  return {
    ...(connection.id === undefined ? {} : { connectionId: connection.id }),
    connection: connection.name,
    driver: { title: manifest.title, ...(version === undefined ? {} : { version }) },
    changes: [...changes],
    ...(origins.newOrigins.length === 0 ? {} : { newOrigins: [...origins.newOrigins] }),
    ...(origins.newFiles.length === 0 ? {} : { newFiles: [...origins.newFiles] }),
    ...(origins.isDistrusted ? { isDistrusted: true } : {}),
    code: confirmationCode(connection.id ?? connection.name, changes, origins),
  };
}

/** Whether a destination differs from the approved one by nothing but what the person changes in the form. */
export function isOwnEdit(
  bound: SecretBinding | undefined,
  driver: SendingDriver,
  saved: SettingsValues,
  field: string,
  now: SecretReach,
): boolean {
  if (bound === undefined || isSameReach(bound.reach, now)) return true;
  const before = reachOrNothing(driver, saved, field);
  return before !== undefined && isSameReach(bound.reach, before);
}

/** Whether a secret that is kept goes where it was approved to go, or where it would go without this change of the form, too. */
export function staysAsItIs(
  bound: SecretBinding | undefined,
  driver: SendingDriver,
  saved: SettingsValues,
  field: string,
  now: SecretReach,
): boolean {
  if (bound !== undefined && isSameReach(bound.reach, now)) return true;
  const before = reachOrNothing(driver, saved, field);
  return before !== undefined && reachText(before) === reachText(now);
}

/** A destination that a person is asked about, beside the one that was approved. */
export function changedSecret(
  bound: SecretBinding | undefined,
  driver: SendingDriver,
  field: string,
  from: SecretReference,
  now: SecretReach,
): ChangedSecret {
  const found = secretFields(driver.manifest).find(({ id }) => id === field);
  return {
    field,
    label: found?.label ?? field,
    ...(bound === undefined ? {} : { before: sideOf(bound) }),
    now: { ...now, publisherName: driver.publisher?.name ?? '', from },
  };
}

/** The binding of a new connection's secrets: a person has entered them beside their destination. */
export function bindNew(input: StoredInput, driver: SendingDriver): BindTo {
  return (field) => {
    const reach = reachOrNothing(driver, input.settings, field);
    return reach === undefined ? undefined : { reach, publisherName: driver.publisher?.name ?? '' };
  };
}

/** Whether a field is that of a sign-in, whichever way to sign in the form has chosen. */
export function isRefreshToken({ permissions }: Manifest, field: string): boolean {
  return permissions.http?.credentials.some((credential) => isSignIn(credential) && credential.field === field) === true;
}
