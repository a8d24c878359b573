import type { FormField, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';

/** What is wrong with one field of the connection form. */
export interface FormProblem {
  readonly field: string;
  readonly message: string;
}

/** Whether a field is shown with these values. A hidden field is neither required nor checked. */
export function isVisible(field: FormField, settings: SettingsValues): boolean {
  if (field.visibleWhen === undefined) return true;
  const { field: other, values } = field.visibleWhen;
  const value = settings[other];
  return value !== undefined && values.includes(value);
}

/** The values with which a new form opens. */
export function defaultSettings(manifest: Manifest): SettingsValues {
  const settings: SettingsValues = {};
  for (const field of manifest.connection.fields) {
    if ((field.type === 'text' || field.type === 'number' || field.type === 'toggle') && field.default !== undefined)
      settings[field.id] = field.default;
    if (field.type === 'select') settings[field.id] = field.default ?? field.options[0]?.value ?? '';
  }
  return settings;
}

/**
 * Checks a form's values against its manifest.
 *
 * @param secrets - the ids of the secret fields that have, or will have, a value
 * @returns one problem a field at most, in the order of the form; a value for a field that the form does not have is a problem too
 */
export function checkSettings(
  manifest: Manifest,
  settings: SettingsValues,
  secrets: ReadonlySet<string>,
): readonly FormProblem[] {
  const problems: FormProblem[] = [];
  const known = new Set(manifest.connection.fields.map((field) => field.id));
  for (const id of [...Object.keys(settings), ...secrets]) {
    if (!known.has(id)) problems.push({ field: id, message: `This type has no field "${id}".` });
  }
  for (const field of manifest.connection.fields) {
    if (!isVisible(field, settings)) continue;
    const message = field.type === 'secret' ? secretProblem(field, secrets) : valueProblem(field, settings[field.id]);
    if (message !== undefined) problems.push({ field: field.id, message });
  }
  return problems;
}

function secretProblem(field: FormField, secrets: ReadonlySet<string>): string | undefined {
  return field.required && !secrets.has(field.id) ? `Enter the ${field.label}.` : undefined;
}

function valueProblem(
  field: Exclude<FormField, { type: 'secret' }>,
  value: SettingsValues[string] | undefined,
): string | undefined {
  if (value === undefined || value === '') return field.required ? `Enter the ${field.label}.` : undefined;
  switch (field.type) {
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return `${field.label} must be a number.`;
      if (field.integer && !Number.isInteger(value)) return `${field.label} must be a whole number.`;
      if (field.min !== undefined && value < field.min) return `${field.label} must be ${field.min} or more.`;
      return field.max !== undefined && value > field.max ? `${field.label} must be ${field.max} or less.` : undefined;
    }
    case 'toggle':
      return typeof value === 'boolean' ? undefined : `${field.label} must be on or off.`;
    case 'select': {
      if (field.options.some((option) => option.value === value)) return undefined;
      return `${field.label} must be one of ${field.options.map((option) => option.value).join(', ')}.`;
    }
    case 'text':
      if (typeof value !== 'string') return `${field.label} must be text.`;
      return value.length > field.maxLength ? `${field.label} is longer than ${field.maxLength} characters.` : undefined;
    case 'file':
      return typeof value === 'string' ? undefined : `${field.label} must be the path of a file.`;
  }
}
