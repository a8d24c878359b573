import type { DriverTexts, ObjectField, ObjectValueField } from '@tabularium/sdk';

type Given<Field> = Field extends unknown ? Omit<Field, 'texts'> : never;

/** A field of an operation's form with the ids of its translations, such as `operationField.schema-fields.label`. */
export function operationField(field: Given<ObjectField>): ObjectField {
  if (field.type !== 'list') return withTexts(field);
  return { ...field, texts: textsOf(field), fields: field.fields.map((inner) => withTexts(inner)) };
}

function withTexts(field: Given<ObjectValueField>): ObjectValueField {
  if (field.type !== 'choice') return { ...field, texts: textsOf(field) };
  const choices = field.choices.map(({ value, label }) => ({
    value,
    label,
    // The names of types are the server's own.
    ...(field.path.at(-1) === 'type' ? {} : { texts: { label: { id: `operationChoice.${value}` } } }),
  }));
  return { ...field, choices, texts: textsOf(field) };
}

function textsOf({ path, help }: { readonly path: readonly string[]; readonly help?: string }): DriverTexts {
  // A schema is the whole input of one operation and a member of another; its fields are the same.
  const id = `operationField.${path.filter((member) => member !== 'schema').join('-')}`;
  return { label: { id: `${id}.label` }, ...(help === undefined ? {} : { help: { id: `${id}.help` } }) };
}
