import type { FormField, Manifest } from '@tabularium/sdk/manifest';
import { formFieldsOf } from '../../common/formFields.ts';
import { isTunnelField } from '../../common/tunnelFields.ts';
import { strings } from '../i18n/index.ts';

/** The fields of a connection's form: the driver's in the words of its manifest, the host's own in those of the window. */
export function connectionFields(manifest: Manifest): readonly FormField[] {
  return formFieldsOf(manifest).map((field) => (isTunnelField(field.id) ? worded(field) : field));
}

function worded<Field extends FormField>(field: Field): Field {
  const { fields, options } = strings.tunnels;
  const words = new Map<string, { readonly label: string; readonly help?: string }>(Object.entries(fields)).get(field.id);
  const labelled = { ...field, ...words };
  if (labelled.type !== 'select') return labelled;
  const ofOptions = new Map<string, { readonly label: string; readonly help?: string }>(Object.entries(options));
  return { ...labelled, options: labelled.options.map((option) => ({ ...option, ...ofOptions.get(option.value) })) };
}
