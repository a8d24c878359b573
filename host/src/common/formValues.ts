import { hiddenCharacter } from '@tabularium/sdk';
import type { FormField, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { addressPartsOf, settingOf } from './destinationOf.ts';
import { destinationProblems } from './destinationProblems.ts';
import { furtherProblems } from './furtherDestinations.ts';
import { formFieldsOf } from './formFields.ts';
import type { FormProblem } from './formProblem.ts';
import type { HostSentence } from './hostSentences.ts';
import { hostSentence } from './hostSentences.ts';
import type { ServerPermission } from './serverPermission.ts';
import { serverPermissionOf } from './serverPermission.ts';
import { isTunnelField } from './tunnelFields.ts';
import { tunnelProblems } from './tunnelProblems.ts';

/** They come from a script or a file, and would end a header or a path that holds the value. */
const CONTROL = /\p{Cc}/u;

/** Whether a field is shown with these values. A hidden field is neither required nor checked. */
export function isVisible(field: FormField, settings: SettingsValues, manifest: Manifest): boolean {
  if (field.visibleWhen === undefined) return true;
  const { field: id, values } = field.visibleWhen;
  if (isTunnelField(id)) {
    // The fields of a way to the server go with it, and one that was not saved has its default.
    const other = formFieldsOf(manifest).find((candidate) => candidate.id === id);
    const value = settingOf(manifest, settings, id);
    return value !== undefined && values.includes(value) && (other === undefined || isVisible(other, settings, manifest));
  }
  const value = settings[id];
  return value !== undefined && values.includes(value);
}

/** The values with which a new form opens; a way to the server that was not chosen has none. */
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
  const known = new Set(formFieldsOf(manifest).map((field) => field.id));
  for (const id of [...Object.keys(settings), ...secrets]) {
    if (!known.has(id)) problems.push({ field: id, sentence: hostSentence('fieldUnknown', { field: id }) });
  }
  const server = serverPermissionOf(manifest);
  const addressFields = server === undefined ? new Set<string>() : addressFieldsOf(server);
  for (const field of formFieldsOf(manifest)) {
    if (!isVisible(field, settings, manifest)) continue;
    const sentence =
      field.type === 'secret'
        ? secretProblem(field, secrets)
        : (valueProblem(field, settings[field.id]) ??
          (addressFields.has(field.id) ? undefined : controlProblem(field, settings)));
    if (sentence !== undefined) problems.push({ field: field.id, sentence });
  }
  const marked = new Set(problems.map(({ field }) => field));
  const addresses = [
    ...(server === undefined ? [] : destinationProblems(server, manifest, settings)),
    ...furtherProblems(manifest, settings),
    ...tunnelProblems(manifest, settings),
  ];
  for (const problem of addresses) {
    // A further origin may be another port of the same host.
    if (marked.has(problem.field)) continue;
    marked.add(problem.field);
    problems.push(problem);
  }
  return problems;
}

/** The fields of addresses have their own check, which takes a list of nodes with a line break between two of them. */
function addressFieldsOf(server: ServerPermission): ReadonlySet<string> {
  const { host, nodes, pathPrefix } = addressPartsOf(server);
  return new Set([host.field, nodes?.field, pathPrefix?.field].filter((field) => field !== undefined));
}

function controlProblem({ id, label }: FormField, settings: SettingsValues): HostSentence | undefined {
  const value = settings[id];
  if (typeof value !== 'string' || !CONTROL.test(value)) return undefined;
  return hostSentence('fieldControl', { label, character: hiddenCharacter(value) ?? '' });
}

function secretProblem(field: FormField, secrets: ReadonlySet<string>): HostSentence | undefined {
  const { label } = field;
  return field.required && !secrets.has(field.id) ? hostSentence('fieldMissing', { label }) : undefined;
}

function valueProblem(
  field: Exclude<FormField, { type: 'secret' }>,
  value: SettingsValues[string] | undefined,
): HostSentence | undefined {
  const { label } = field;
  if (value === undefined || value === '') return field.required ? hostSentence('fieldMissing', { label }) : undefined;
  switch (field.type) {
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return hostSentence('fieldNotNumber', { label });
      if (field.integer && !Number.isInteger(value)) return hostSentence('fieldNotInteger', { label });
      if (field.min !== undefined && value < field.min) return hostSentence('fieldTooSmall', { label, min: field.min });
      return field.max !== undefined && value > field.max ? hostSentence('fieldTooLarge', { label, max: field.max }) : undefined;
    }
    case 'toggle':
      return typeof value === 'boolean' ? undefined : hostSentence('fieldNotToggle', { label });
    case 'select': {
      if (field.options.some((option) => option.value === value)) return undefined;
      return hostSentence('fieldNotOption', { label, options: field.options.map((option) => option.value).join(', ') });
    }
    case 'text':
      if (typeof value !== 'string') return hostSentence('fieldNotText', { label });
      return value.length > field.maxLength ? hostSentence('fieldTooLong', { label, limit: field.maxLength }) : undefined;
    case 'file':
      return typeof value === 'string' ? undefined : hostSentence('fieldNotFile', { label });
  }
}
