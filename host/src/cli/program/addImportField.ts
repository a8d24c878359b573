import { importFieldTypeSchema } from '../../common/imports.ts';
import type { ImportField } from '../../common/imports.ts';
import { UsageError } from '../usageError.ts';

/** Adds one `--map`. @throws UsageError */
export function addImportField(text: string, before: readonly ImportField[] = []): readonly ImportField[] {
  const [, source = '', target = '', type] = /^([^=]+)=(.*?)(?::([a-z]+))?$/.exec(text) ?? [];
  const known = type === undefined ? undefined : importFieldTypeSchema.safeParse(type);
  if (source === '' || known?.success === false) {
    throw new UsageError(
      `--map takes SOURCE=TARGET or SOURCE=TARGET:TYPE, with one of the types ${importFieldTypeSchema.options.join(', ')}.`,
    );
  }
  return [...before, { source, target: target === '' ? null : target, ...(known === undefined ? {} : { type: known.data }) }];
}
