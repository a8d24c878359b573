import type { ObjectField, ObjectKind, ObjectValueField } from '@tabularium/sdk';
import { abilityInDriverWords, inDriverWords } from '../api/driverTexts.ts';

/** A kind with everything that its driver says of it in the language of the window. */
export function kindInDriverWords(connectionId: string, kind: ObjectKind): ObjectKind {
  const { one, other, help } = inDriverWords(connectionId, { ...kind.term, help: kind.help, texts: kind.texts });
  return {
    ...kind,
    term: { one, other },
    help,
    columns: kind.columns.map((column) => inDriverWords(connectionId, column)),
    form: kind.form.map((field) => fieldInDriverWords(connectionId, field)),
    save: abilityInDriverWords(connectionId, kind.save),
    remove: abilityInDriverWords(connectionId, kind.remove),
  };
}

function fieldInDriverWords(connectionId: string, field: ObjectField): ObjectField {
  if (field.type !== 'list') return valueFieldInDriverWords(connectionId, field);
  const fields = field.fields.map((inner) => valueFieldInDriverWords(connectionId, inner));
  return { ...inDriverWords(connectionId, field), fields };
}

function valueFieldInDriverWords(connectionId: string, field: ObjectValueField): ObjectValueField {
  const said = inDriverWords(connectionId, field);
  if (said.type !== 'choice') return said;
  return { ...said, choices: said.choices.map((choice) => inDriverWords(connectionId, choice)) };
}
