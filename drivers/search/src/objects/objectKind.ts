import type { DriverTexts, ObjectField, ObjectKind, ObjectValueField } from '@tabularium/sdk';

type Given<Field> = Field extends unknown ? Omit<Field, 'texts'> : never;

/** A kind as it is written here: its translations are named after its ids. */
interface WrittenKind extends Omit<ObjectKind, 'texts' | 'columns' | 'form' | 'save' | 'remove'> {
  readonly columns: readonly (readonly [id: string, label: string])[];
  readonly form: readonly Given<ObjectField>[];
  readonly save?: ObjectKind['save'];
  readonly remove?: ObjectKind['remove'];
}

/** A kind with the ids of its translations, such as `object.synonym.help` and `objectField.synonyms.label`. */
export function objectKind(kind: WrittenKind): ObjectKind {
  const id = `object.${kind.id}`;
  return {
    ...kind,
    texts: { one: { id: `${id}.one` }, other: { id: `${id}.other` }, help: { id: `${id}.help` } },
    columns: kind.columns.map(([column, label]) => ({ id: column, label, texts: { label: { id: `objectColumn.${column}` } } })),
    form: kind.form.map((field) => translated(field)),
    save: kind.save ?? { allowed: true },
    remove: kind.remove ?? { allowed: true },
  };
}

function translated(field: Given<ObjectField>): ObjectField {
  if (field.type !== 'list') return withTexts(field);
  return { ...field, texts: textsOf(field), fields: field.fields.map((inner) => withTexts(inner)) };
}

function withTexts(field: Given<ObjectValueField>): ObjectValueField {
  if (field.type !== 'choice') return { ...field, texts: textsOf(field) };
  const choices = field.choices.map((choice) => ({ ...choice, texts: { label: { id: `objectChoice.${choice.value}` } } }));
  return { ...field, choices, texts: textsOf(field) };
}

function textsOf({ path, help }: { readonly path: readonly string[]; readonly help?: string }): DriverTexts {
  const id = `objectField.${path.join('-')}`;
  return { label: { id: `${id}.label` }, ...(help === undefined ? {} : { help: { id: `${id}.help` } }) };
}
