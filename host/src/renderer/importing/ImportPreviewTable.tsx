import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { importFieldTypeSchema } from '../../common/imports.ts';
import type { ImportField, RowImportPreview } from '../../common/imports.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { strings } from '../i18n/index.ts';
import styles from './importing.module.css';

interface Props {
  /** Of the driver that says why rows would be rejected. */
  readonly connectionId: string;
  readonly preview: RowImportPreview;
  readonly fields: readonly ImportField[];
  readonly onFields: (fields: readonly ImportField[]) => void;
}

const IGNORE = 'ignore';
const AS_IS = 'asIs';
/** Columns that are shown; the others go as they were detected. */
const MOST_SHOWN = 100;

/** How many of the first rows would be rejected, as far as can be seen before. */
export function rejectedIn({ rows }: RowImportPreview): number {
  return rows.filter(({ problem }) => problem !== undefined).length;
}

/** The first rows, each column with its field and type; rows that would be rejected are marked, with the reason. */
export function ImportPreviewTable({ connectionId, preview, fields, onFields }: Props): ReactNode {
  const words = strings.importing;
  const problems = rejectedIn(preview);
  const shown = fields.slice(0, MOST_SHOWN);
  const isDelimited = preview.format.format === 'csv';
  const change = (at: number, field: ImportField): void => onFields(fields.with(at, field));
  const types = [...(isDelimited ? [] : ([AS_IS] as const)), ...importFieldTypeSchema.options, IGNORE] as const;
  const fault = preview.definitionProblem?.details.field;
  const isAtFault = ({ source, target }: ImportField): boolean =>
    fault !== undefined && target !== null && (target ?? source) === fault;
  return (
    <div>
      <p className={styles.previewText} data-problems={problems > 0 || undefined}>
        {preview.rows.length === 0 ? (
          words.noRows
        ) : (
          <>
            {words.previewOf(preview.rows.length)}.{' '}
            {problems === 0 ? words.noProblems(preview.rows.length) : words.problems(problems, preview.rows.length)}{' '}
            {preview.isSpliced ? words.spliced : ''}
          </>
        )}
      </p>
      {/* Scrolls, so the keyboard has to reach it. */}
      <div className={styles.previewScroll} tabIndex={0} role="region" aria-label={words.preview}>
        <table className={styles.preview}>
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              {problems === 0 ? null : <th scope="col">{words.problem}</th>}
              {shown.map((field, at) => (
                <th key={field.source} scope="col">
                  <span className={styles.source}>{field.source}</span>
                  <TextInput
                    size="xs"
                    aria-label={words.target(field.source)}
                    value={field.target ?? ''}
                    disabled={field.target === null}
                    error={isAtFault(field)}
                    list="import-columns"
                    onChange={(event) => change(at, { ...field, target: event.currentTarget.value.slice(0, 1_000) })}
                  />
                  <NativeSelect
                    size="xs"
                    aria-label={words.type(field.source)}
                    value={field.target === null ? IGNORE : (field.type ?? AS_IS)}
                    onChange={(event) => {
                      const { value } = event.currentTarget;
                      const known = importFieldTypeSchema.safeParse(value);
                      const { source } = field;
                      if (value === IGNORE) change(at, { source, target: null });
                      else change(at, { source, target: field.target ?? source, ...(known.success ? { type: known.data } : {}) });
                    }}
                    data={types.map((type) => ({ value: type, label: words.types[type] }))}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((row) => (
              <tr key={row.line} data-problem={row.problem !== undefined || undefined}>
                <th scope="row">{row.line}</th>
                {problems === 0 ? null : (
                  <td className={styles.reason}>
                    {row.problem === undefined ? '' : inDriverWords(connectionId, row.problem).message}
                  </td>
                )}
                {shown.map((field, at) => (
                  <td key={field.source} data-null={row.cells[at] === null || undefined}>
                    {row.cells[at] ?? '–'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <datalist id="import-columns">
          {preview.columns.map((column) => (
            <option key={column} value={column} />
          ))}
        </datalist>
      </div>
    </div>
  );
}
