import type { FormField, Manifest } from '@tabularium/sdk/manifest';
import type { ConnectionAccess } from '../../common/access.ts';
import type { ConnectionInput, FormSecretInput, SavedConnection, SettingsValues } from '../../common/connection.ts';
import { destinationProblems } from '../../common/destinationProblems.ts';
import { furtherProblems } from '../../common/furtherDestinations.ts';
import { isTunnelField } from '../../common/tunnelFields.ts';
import { tunnelProblems } from '../../common/tunnelProblems.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { englishOf } from '../../common/hostSentences.ts';
import { sentenceInWindowLanguage } from '../api/inWindowLanguage.ts';
import { strings } from '../i18n/index.ts';
import { connectionFields } from './connectionFields.ts';
import { providerIn, signInCredentialOf } from './signInCredentialOf.ts';
import type { ConnectionColor } from '../ui/theme.ts';

export type Pane = FormField['pane'] | 'through';

/** Where a secret is to be kept. */
export type SecretPlace = 'store' | 'session' | 'environment';

/** A person's entry for a secret field. Value and variable name both stay while the place is changed to and fro. */
export type SecretDraft =
  | { readonly mode: 'keep' }
  | { readonly mode: 'remove' }
  /** The person has signed in at a provider: the host holds the sign-in until the form is saved. */
  | {
      readonly mode: 'signedIn';
      readonly ticket: string;
      /** Where the person signed in, see `providerIn`. */
      readonly provider: string;
      readonly keepIn: 'store' | 'session';
      readonly account?: string | undefined;
      readonly until?: number | undefined;
    }
  | { readonly mode: 'set'; readonly place: SecretPlace; readonly value: string; readonly variable: string };

/** The form as entered, valid or not: numbers as typed, so that nothing typed is lost. */
export interface FormDraft {
  readonly name: string;
  readonly color: ConnectionColor;
  /** Empty: in none. */
  readonly group: string;
  readonly settings: Readonly<Record<string, string | boolean>>;
  readonly secrets: Readonly<Record<string, SecretDraft>>;
  readonly access: ConnectionAccess;
}

/** Faults by field id; the connection's own name under {@link NAME_FIELD}. */
export type FormProblems = Readonly<Record<string, string>>;

/** Not a possible field id, so it cannot be mistaken for one. */
export const NAME_FIELD = '$name';

const PANE_ORDER: readonly Pane[] = ['general', 'through', 'ssl', 'options', 'advanced'];
const MAX_NAME = 120;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,120}$/;

/** The panes that have something to show. General has the name, Advanced the access settings. */
export function panesOf(manifest: Manifest): readonly Pane[] {
  const used = new Set<Pane>(connectionFields(manifest).map(paneOfField));
  return PANE_ORDER.filter((pane) => pane === 'general' || pane === 'advanced' || used.has(pane));
}

function defaultValue(field: FormField): string | boolean {
  switch (field.type) {
    case 'toggle':
      return field.default;
    case 'number':
      return field.default === undefined ? '' : String(field.default);
    case 'select':
      return field.default ?? (field.required ? (field.options[0]?.value ?? '') : '');
    case 'text':
      return field.default ?? '';
    case 'file':
    case 'secret':
      return '';
  }
}

function savedValue(field: FormField, settings: SettingsValues): string | boolean {
  const value = settings[field.id];
  if (field.type === 'toggle') return value === true;
  return value === undefined ? '' : String(value);
}

/** The form of a new connection, or of a saved one. */
export function draftFor(manifest: Manifest, saved: SavedConnection | undefined, storeIsAvailable: boolean): FormDraft {
  const settings: Record<string, string | boolean> = {};
  const secrets: Record<string, SecretDraft> = {};
  for (const field of connectionFields(manifest)) {
    if (field.type === 'secret') {
      const isSaved = saved?.secrets[field.id] !== undefined;
      secrets[field.id] = isSaved ? { mode: 'keep' } : emptySecret(storeIsAvailable);
    } else {
      // A field that came with a newer driver is not among the saved settings: it starts with its default. So does a switch, which the driver takes for its default.
      const isKnown =
        saved !== undefined &&
        (field.id in saved.settings || (field.type !== 'select' && field.type !== 'toggle' && !isTunnelField(field.id)));
      settings[field.id] = isKnown ? savedValue(field, saved.settings) : defaultValue(field);
    }
  }
  return {
    name: saved?.name ?? '',
    color: saved?.color ?? 'gray',
    group: saved?.group ?? '',
    settings,
    secrets,
    access: saved?.access ?? { externalClients: 'readOnly', aiPolicy: 'askEachTime' },
  };
}

export function emptySecret(storeIsAvailable: boolean): SecretDraft {
  return { mode: 'set', place: storeIsAvailable ? 'store' : 'session', value: '', variable: '' };
}

/** Whether a field is on the form now. */
export function isFieldVisible(field: FormField, manifest: Manifest, draft: FormDraft): boolean {
  const condition = field.visibleWhen;
  if (condition === undefined) return true;
  const other = connectionFields(manifest).find((candidate) => candidate.id === condition.field);
  if (other === undefined || other.id === field.id || !isFieldVisible(other, manifest, draft)) return false;
  const value = draft.settings[condition.field];
  return condition.values.some((wanted) => String(wanted) === String(value));
}

function numberProblem(field: FormField & { type: 'number' }, text: string): string | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return strings.form.notANumber;
  if (field.integer && !Number.isInteger(value)) return strings.form.notAnInteger;
  if (field.min !== undefined && value < field.min) return strings.form.tooSmall(field.min);
  if (field.max !== undefined && value > field.max) return strings.form.tooLarge(field.max);
  return undefined;
}

function secretProblem(field: FormField, secret: SecretDraft | undefined): string | undefined {
  const missing = field.required ? strings.form.required(field.label) : undefined;
  if (secret === undefined || secret.mode === 'remove') return missing;
  if (secret.mode === 'keep' || secret.mode === 'signedIn') return undefined;
  if (secret.place !== 'environment') return secret.value === '' ? missing : undefined;
  if (secret.variable === '') return missing;
  return VARIABLE.test(secret.variable) ? undefined : strings.form.secret.variableInvalid;
}

function fieldProblem(field: FormField, draft: FormDraft): string | undefined {
  if (field.type === 'secret') return secretProblem(field, draft.secrets[field.id]);
  const value = draft.settings[field.id];
  if (field.type === 'toggle' || typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text === '') return field.required ? strings.form.required(field.label) : undefined;
  if (field.type === 'number') return numberProblem(field, text);
  if (field.type === 'text' && text.length > field.maxLength) return strings.form.tooLong(field.maxLength);
  return undefined;
}

/** The faults to correct before the connection can be saved or tested. Fields that are not shown are not judged. */
export function validate(manifest: Manifest, draft: FormDraft): FormProblems {
  const problems: Record<string, string> = {};
  const name = draft.name.trim();
  if (name === '') problems[NAME_FIELD] = strings.form.nameRequired;
  else if (name.length > MAX_NAME) problems[NAME_FIELD] = strings.form.nameTooLong;
  for (const field of connectionFields(manifest)) {
    if (!isFieldVisible(field, manifest, draft)) continue;
    const problem = fieldProblem(field, draft);
    if (problem !== undefined) problems[field.id] = problem;
  }
  const server = serverPermissionOf(manifest);
  const addresses =
    server === undefined ? [] : destinationProblems(server, manifest, toConnectionInput(manifest, draft).settings);
  const onTheWay = tunnelProblems(manifest, toConnectionInput(manifest, draft).settings);
  const further = furtherProblems(manifest, toConnectionInput(manifest, draft).settings);
  for (const { field, sentence } of [...addresses, ...further, ...onTheWay])
    problems[field] ??= sentenceInWindowLanguage(sentence) ?? englishOf(sentence);
  const signedIn = signInCredentialOf(manifest, toConnectionInput(manifest, draft).settings)?.field;
  if (signedIn !== undefined && isElsewhere(manifest, draft, signedIn)) problems[signedIn] ??= strings.signIn.otherProvider;
  return problems;
}

/** Whether the form has named another provider since the person signed in. */
export function isElsewhere(manifest: Manifest, draft: FormDraft, field: string): boolean {
  const secret = draft.secrets[field];
  return secret?.mode === 'signedIn' && secret.provider !== providerIn(manifest, toConnectionInput(manifest, draft).settings);
}

/** The pane that shows a field. */
export function paneOf(manifest: Manifest, fieldId: string): Pane {
  const field = connectionFields(manifest).find((candidate) => candidate.id === fieldId);
  return field === undefined ? 'general' : paneOfField(field);
}

/** The fields of the way to the server have a pane of their own, which no driver can put a field on. */
export function paneOfField({ id, pane }: FormField): Pane {
  return isTunnelField(id) ? 'through' : pane;
}

function secretInput(secret: SecretDraft): FormSecretInput | undefined {
  if (secret.mode === 'signedIn') return { kind: 'signedIn', ticket: secret.ticket, keepIn: secret.keepIn };
  if (secret.mode === 'keep') return undefined;
  if (secret.mode === 'remove') return { kind: 'remove' };
  if (secret.place === 'environment') {
    return secret.variable === '' ? undefined : { kind: 'environment', variable: secret.variable };
  }
  return secret.value === '' ? undefined : { kind: secret.place, value: secret.value };
}

/** The form as the host takes it. Fields that are not shown keep what was entered for them, so that nothing is lost by a detour. */
export function toConnectionInput(manifest: Manifest, draft: FormDraft): ConnectionInput {
  const settings: Record<string, string | number | boolean> = {};
  const secrets: Record<string, FormSecretInput> = {};
  for (const field of connectionFields(manifest)) {
    if (field.type === 'secret') {
      const input = secretInput(draft.secrets[field.id] ?? { mode: 'keep' });
      if (input !== undefined) secrets[field.id] = input;
      continue;
    }
    const value = draft.settings[field.id];
    if (value === undefined || fieldProblem(field, draft) !== undefined) continue;
    // A direct connection is saved as one of a driver without other ways: nothing of it is changed by the form.
    if (isTunnelField(field.id) && value === defaultValue(field)) continue;
    if (typeof value === 'boolean') settings[field.id] = value;
    else if (value.trim() !== '') settings[field.id] = field.type === 'number' ? Number(value) : value.trim();
  }
  return {
    name: draft.name.trim(),
    driver: manifest.id,
    settings,
    secrets,
    access: draft.access,
    color: draft.color,
    ...(draft.group.trim() === '' ? {} : { group: draft.group.trim() }),
  };
}

/** Fields that share a line: a number is beside the text before it, as a port beside its host. */
export function fieldLines(fields: readonly FormField[]): readonly (readonly FormField[])[] {
  const lines: FormField[][] = [];
  for (const field of fields) {
    const line = lines.at(-1);
    if (field.type === 'number' && line?.length === 1 && line[0]?.type === 'text') line.push(field);
    else lines.push([field]);
  }
  return lines;
}
