import { digitsOfNumber, exactMembers } from './exactJson.ts';
import type { ImportRecord } from './importJournal.ts';
import { importParts } from './importParts.ts';
import { RowMapping } from './rowMapping.ts';
import { SourceFile } from './sourceFile.ts';

/** Whether each row that may have been written has a key: then sending it again makes no double. */
export async function uncertainRowsHaveKeys(record: ImportRecord, key: readonly string[], signal: AbortSignal): Promise<boolean> {
  if (record.sent === 0) return true;
  if (key.length === 0) return false;
  await using file = await SourceFile.open(record.path);
  const { format, names, fields, place, sent } = record;
  let seen = 0;
  for await (const part of importParts(file, format, new RowMapping(format, names, fields), place, 0, signal)) {
    for (let index = 0; index < part.rows; index += 1) {
      const members = exactMembers(part.document(index));
      // A row that isn't an object is rejected both times.
      if (members !== undefined && !key.every((name) => isKey(members.get(name)))) return false;
    }
    seen += part.rows + part.unfit.length;
    if (seen >= sent) break;
  }
  return true;
}

function isKey(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || digitsOfNumber(value) !== undefined;
}
