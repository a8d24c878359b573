import type { ObjectField, Operation, OperationForm, TableOperation } from '@tabularium/sdk';
import { abilityInDriverWords, inDriverWords } from '../api/driverTexts.ts';

/** An operation with its label, help and reason in the language of the window. */
export function operationInDriverWords(connectionId: string, operation: Operation): Operation {
  return { ...inDriverWords(connectionId, operation), ability: abilityInDriverWords(connectionId, operation.ability) };
}

/** An operation on a table with its label and reason in the language of the window. */
export function tableOperationInDriverWords(connectionId: string, operation: TableOperation): TableOperation {
  return { ...inDriverWords(connectionId, operation), ability: abilityInDriverWords(connectionId, operation.ability) };
}

/** A form with its labels in the language of the window. */
export function operationFormInDriverWords(connectionId: string, form: OperationForm): OperationForm {
  return {
    ...form,
    fields: form.fields.map((field) => fieldInDriverWords(connectionId, field)),
    presets: form.presets.map((preset) => inDriverWords(connectionId, preset)),
  };
}

function fieldInDriverWords<Field extends ObjectField>(connectionId: string, field: Field): Field {
  const said = inDriverWords(connectionId, field);
  if (said.type === 'list') return { ...said, fields: said.fields.map((inner) => fieldInDriverWords(connectionId, inner)) };
  if (said.type === 'choice') return { ...said, choices: said.choices.map((choice) => inDriverWords(connectionId, choice)) };
  return said;
}
