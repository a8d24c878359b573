import { resolve } from 'node:path';
import type { FormField, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../common/connection.ts';
import { formFieldsOf } from '../common/formFields.ts';
import { defaultSettings } from '../common/formValues.ts';
import { TUNNEL } from '../common/tunnelFields.ts';
import { UsageError } from './usageError.ts';
import { typedWord } from '../common/typedWord.ts';

/** Where the value of a secret field comes from. It is never on the command line, where other users of the machine can read it. */
export type SecretSource =
  | { readonly field: string; readonly label: string; readonly from: 'environment'; readonly variable: string }
  | { readonly field: string; readonly label: string; readonly from: 'stdin'; readonly storage: 'store' | 'session' };

export interface FormValues {
  readonly settings: SettingsValues;
  readonly secrets: readonly SecretSource[];
}

/** One option that a field of the form gives rise to, as help shows it. */
export interface FormOption {
  readonly flags: string;
  readonly description: string;
}

interface Option {
  readonly name: string;
  readonly takesValue: boolean;
  readonly field: FormField;
  readonly kind: 'value' | 'on' | 'off' | 'environment' | 'stdin' | 'session';
}

/** `apiKey` and `api_key` become `api-key`, `skipTLSCheck` becomes `skip-tls-check`. */
export function optionName(fieldId: string): string {
  return fieldId
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/[_.]/g, '-')
    .toLowerCase();
}

/** Letter case, hyphens, underscores and spaces say nothing: `verify-ca` is `verifyCa`. */
function looseText(text: string): string {
  return text.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** The value that a text means, among those that there are. */
export function looseChoice<Value extends string>(text: string, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text) ?? values.find((value) => looseText(value) === looseText(text));
}

function optionsOf(manifest: Manifest): Map<string, Option> {
  const options = new Map<string, Option>();
  const add = (name: string, kind: Option['kind'], field: FormField): void => {
    const takesValue = kind === 'value' || kind === 'environment';
    if (!options.has(name)) options.set(name, { name, kind, takesValue, field });
  };
  for (const field of formFieldsOf(manifest)) {
    const name = optionName(field.id);
    if (field.type === 'secret') {
      add(`${name}-env`, 'environment', field);
      add(`${name}-stdin`, 'stdin', field);
      add(`${name}-session`, 'session', field);
    } else if (field.type === 'toggle') {
      add(name, 'on', field);
      add(`no-${name}`, 'off', field);
    } else add(name, 'value', field);
  }
  return options;
}

/** The options that {@link parseFormOptions} reads for a database type. */
export function describeFormOptions(manifest: Manifest): readonly FormOption[] {
  return [...optionsOf(manifest).values()]
    .filter(({ kind }) => kind !== 'off')
    .map(({ name, kind, field }) => {
      const required = field.required ? ' (required)' : '';
      switch (kind) {
        case 'environment':
          return {
            flags: `--${name} <variable>`,
            description: `${field.label}${required}: the environment variable that holds it`,
          };
        case 'stdin':
          return { flags: `--${name}`, description: `${field.label}: read from standard input, kept in the secure store` };
        case 'session':
          return {
            flags: `--${name}`,
            description: `${field.label}: read from standard input, kept until the running host stops`,
          };
        default:
          return { flags: flagsOf(name, field), description: `${field.label}${required}${choicesOf(field)}` };
      }
    });
}

function flagsOf(name: string, field: FormField): string {
  switch (field.type) {
    case 'toggle':
      return `--[no-]${name}`;
    case 'number':
      return `--${name} <number>`;
    case 'file':
      return `--${name} <path>`;
    default:
      return `--${name} <${field.type === 'select' ? 'choice' : 'text'}>`;
  }
}

function choicesOf(field: FormField): string {
  return field.type === 'select' ? `: ${field.options.map(({ value }) => value).join(', ')}` : '';
}

/**
 * Reads the options of a form from the command line: `--<field> value`, `--<field>=value`, `--[no-]<toggle>`, `--<secret>-env VARIABLE`,
 * `--<secret>-stdin`, `--<secret>-session`, and `--set field=value` for a field whose option something else has taken.
 *
 * @param words - what the command itself did not understand, in order
 * @param assignments - the values of `--set`
 * @throws UsageError
 */
export function parseFormOptions(
  manifest: Manifest,
  words: readonly string[],
  assignments: readonly string[],
  folder: string,
): FormValues {
  const options = optionsOf(manifest);
  const settings: SettingsValues = { ...defaultSettings(manifest) };
  const secrets = new Map<string, SecretSource>();
  const given = new Set<string>();
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const option = name === undefined ? undefined : options.get(name);
    if (name === undefined || option === undefined) throw unknownWord(manifest, word, name, options);
    if (!option.takesValue && attached !== undefined) throw new UsageError(`--${name} takes no value.`);
    const value = option.takesValue ? (attached ?? rest.shift()) : undefined;
    if (option.takesValue && value === undefined) throw new UsageError(`--${name} needs a value.`);
    if (option.takesValue && given.has(name)) throw new UsageError(`--${name} is given twice, and takes one value.`);
    given.add(name);
    apply(option, value ?? '', settings, secrets, folder);
  }
  const assigned = new Set<string>();
  for (const assignment of assignments) {
    const [, id, value] = /^([^=]+)=([\s\S]*)$/.exec(assignment) ?? [];
    const field = formFieldsOf(manifest).find((candidate) => candidate.id === id);
    if (field === undefined || value === undefined)
      throw new UsageError(
        `--set ${assignment.slice(0, 60)}: write field=value, with a field of this type. "tabularium drivers options ${typedWord(manifest.id)}" lists them.`,
      );
    if (assigned.has(field.id)) throw new UsageError(`--set ${field.id} is given twice, and takes one value.`);
    assigned.add(field.id);
    if (field.type === 'secret') throw secretOnCommandLine(field);
    settings[field.id] = valueOf(field, value, `--set ${field.id}`, folder);
  }
  return { settings: withWay(settings, secrets), secrets: [...secrets.values()] };
}

/** Options of a way to the server choose it, and a private key or the SSH password how to sign in: nothing has to be said twice. */
function withWay(settings: SettingsValues, secrets: ReadonlyMap<string, SecretSource>): SettingsValues {
  const given = [...Object.keys(settings), ...secrets.keys()];
  const ways = (['ssh', 'socks'] as const).filter((way) => given.some((id) => id.startsWith(`${way}.`)));
  if (settings[TUNNEL.through] === undefined && ways.length > 1)
    throw new UsageError('Name either an SSH server or a SOCKS proxy, or choose with --connect-through.');
  const through = settings[TUNNEL.through] ?? ways[0];
  if (through === undefined) return settings;
  const signIn = settings[TUNNEL.sshKey] === undefined ? 'password' : 'key';
  return {
    ...settings,
    [TUNNEL.through]: through,
    ...(through === 'ssh' && settings[TUNNEL.sshSignIn] === undefined ? { [TUNNEL.sshSignIn]: signIn } : {}),
  };
}

function apply(
  option: Option,
  value: string,
  settings: SettingsValues,
  secrets: Map<string, SecretSource>,
  folder: string,
): void {
  const { field, kind, name } = option;
  const { id, label } = field;
  switch (kind) {
    case 'environment':
      if (!/^[A-Za-z_][A-Za-z0-9_]{0,120}$/.test(value)) {
        throw new UsageError(`--${name} takes the name of an environment variable, not the ${label} itself.`);
      }
      secrets.set(id, { field: id, label, from: 'environment', variable: value });
      return;
    case 'stdin':
    case 'session':
      secrets.set(id, { field: id, label, from: 'stdin', storage: kind === 'stdin' ? 'store' : 'session' });
      return;
    case 'on':
    case 'off':
      settings[id] = kind === 'on';
      return;
    case 'value':
      settings[id] = valueOf(field, value, `--${name}`, folder);
  }
}

function valueOf(field: FormField, text: string, where: string, folder: string): string | number | boolean {
  switch (field.type) {
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value))
        throw new UsageError(`${where} takes a number, and "${text.slice(0, 40)}" is none.`);
      return value;
    }
    case 'toggle': {
      const value = ({ true: true, on: true, yes: true, false: false, off: false, no: false } as Record<string, boolean>)[
        text.toLowerCase()
      ];
      if (value === undefined) throw new UsageError(`${where} takes on or off.`);
      return value;
    }
    case 'select': {
      const values = field.options.map((option) => option.value);
      const byLabel = field.options.find((option) => looseText(option.label) === looseText(text))?.value;
      const value = looseChoice(text, values) ?? byLabel;
      if (value === undefined) throw new UsageError(`${where} takes one of ${values.join(', ')}.`);
      return value;
    }
    case 'file':
      return text === '' ? '' : resolve(folder, text);
    default:
      return text;
  }
}

function unknownWord(
  manifest: Manifest,
  word: string,
  name: string | undefined,
  options: ReadonlyMap<string, Option>,
): UsageError {
  const secret = formFieldsOf(manifest).find((field) => field.type === 'secret' && optionName(field.id) === name);
  if (secret !== undefined) return secretOnCommandLine(secret);
  // Not the word itself: it may be the value of a secret.
  if (name === undefined)
    return new UsageError('There is a word too many. A value that begins with a hyphen is written --option=value.');
  const known = [...options.keys()].map((key) => `--${key}`).join(', ');
  return new UsageError(`"${word.split('=')[0]?.slice(0, 60)}" isn't an option of ${manifest.title}. Its options: ${known}.`);
}

function secretOnCommandLine(field: FormField): UsageError {
  const name = optionName(field.id);
  return new UsageError(
    `The ${field.label} isn't accepted on a command line, where others can read it. Use --${name}-env VARIABLE or --${name}-stdin.`,
  );
}
