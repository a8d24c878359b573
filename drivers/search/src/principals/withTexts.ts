import type { PrincipalField } from '@tabularium/sdk';

/** A field with the ids of its translations in the manifest, such as `key.actions.help`. */
export function withTexts(field: PrincipalField, form: 'key' | 'scopedKey'): PrincipalField {
  const id = `${form}.${field.id}`;
  return {
    ...field,
    texts: { label: { id: `${id}.label` }, ...(field.help === undefined ? {} : { help: { id: `${id}.help` } }) },
  };
}
