import { z } from 'zod';
import type { AccessAction } from '../access/policy.ts';
import type { ImportPart } from '../../importing/importPart.ts';
import { wasNotSent } from '../../editing/wasNotSent.ts';
import { partOfText } from '../../importing/partOfText.ts';
import { sendPart } from '../../importing/sendPart.ts';
import { connectionArgument } from './connectionArgument.ts';
import { findTableArgument, tableArgumentName, tableArguments } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** Characters of rows in one call. More is a file, which a person imports. */
const LONGEST_IMPORT = 200_000;
/** Rejected rows that are reported one by one. */
const MOST_REPORTED = 50;

interface Plan {
  readonly part: ImportPart;
  readonly target: { readonly table: { readonly namespace: readonly string[]; readonly name: string }; readonly mode: string };
}

export const importRows = defineTool({
  name: 'import_rows',
  title: 'Import rows',
  description: 'Writes rows of JSONL or CSV text. A person may have to approve it.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    rows: z.string().min(1).max(LONGEST_IMPORT),
    format: z.enum(['jsonl', 'csv']).optional(),
    mode: z.string().max(40).optional().describe('Such as create, upsert.'),
  }),
  output: z.object({
    read: z.number().int(),
    written: z.number().int(),
    rejected: z.number().int(),
    reasons: z.array(z.object({ line: z.number().int(), message: z.string() })),
    notes: z.array(z.string()).optional(),
  }),
  isFor: ({ write }) => write,
  // A mode may replace rows.
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  run: ({ connection, table, namespace, rows, format, mode }, context) => {
    const { signal } = context;
    const write: AccessAction = { kind: 'run', effect: 'write' };
    return context.change<
      Plan,
      { read: number; written: number; rejected: number; reasons: { line: number; message: string }[]; notes?: string[] }
    >(connection, {
      known: write,
      prepare: async ({ session, manifest }) => {
        const imports = session.import;
        if (imports === undefined) throw new ToolFailure('UNSUPPORTED', 'This database imports nothing.', 'Use insert_rows.');
        const { ref, columns } = await findTableArgument(session, table, namespace, signal);
        const { modes } = await imports.form(ref, { signal });
        const chosen = mode === undefined ? modes[0] : modes.find(({ id }) => id === mode);
        if (chosen === undefined)
          throw new ToolFailure(
            'INVALID_INPUT',
            `There is no mode ${mode ?? ''}.`,
            `Use one of ${modes.map(({ id }) => id).join(', ')}.`,
          );
        const part = await partOfText(rows, format === undefined ? {} : { format }, columns, signal);
        const count = part.rows + part.unfit.length;
        if (count === 0) throw new ToolFailure('INVALID_INPUT', 'The text has no rows.', 'Send rows of JSONL or CSV.');
        const word = count === 1 ? manifest.terms.row.one : manifest.terms.row.other;
        return {
          action: chosen.effect === 'destructive' ? { kind: 'confirmDestructive' } : write,
          summary: `${chosen.label} ${count} ${word.toLowerCase()} of ${tableArgumentName(ref)}`,
          text: `${chosen.text}\n\n${new TextDecoder().decode(part.content)}`,
          plan: { part, target: { table: ref, mode: chosen.id } },
        };
      },
      run: async ({ session }, { part, target }) => {
        const imports = session.import;
        if (imports === undefined) throw new ToolFailure('UNSUPPORTED', 'This database imports nothing.', 'Use insert_rows.');
        let written = 0;
        let rejected = part.unfit.length;
        const reasons = part.unfit.slice(0, MOST_REPORTED).map(({ line, message }) => ({ line, message }));
        const onOutcome: Parameters<typeof sendPart>[4] = (index, outcome) => {
          if (outcome.outcome === 'written') {
            written += 1;
            return;
          }
          rejected += 1;
          if (reasons.length >= MOST_REPORTED) return;
          reasons.push({ line: part.rejected(index, '').line, message: context.errorText(outcome.message) });
        };
        const read = part.rows + part.unfit.length;
        try {
          await sendPart(session, imports, target, part, onOutcome, signal);
        } catch (error) {
          // Which rows were written must not get lost with the call: sent again, they may be there twice.
          if (written === 0 || context.isCut()) throw error;
          const left = read - written - rejected;
          const fate = wasNotSent(error) ? 'were not written' : 'may have been written: look before you send them again';
          return {
            read,
            written,
            rejected,
            reasons,
            notes: [`It ended early: ${context.failure(error)} The other ${left} rows ${fate}.`],
          };
        }
        // A model may read no more than whether it failed.
        if (written === 0 && rejected > 0) context.failed('INVALID_INPUT');
        return { read, written, rejected, reasons };
      },
    });
  },
});
