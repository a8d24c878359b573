import { wholeStart } from '../model/visibleText.ts';
import { grouped } from './grouped.ts';
import type { CheckOutcome, CheckResult, ConformanceReport } from './conformanceReport.ts';

const MARKS: Readonly<Record<CheckOutcome, string>> = { kept: '✓', broken: '✗', absent: '–', untried: '?' };
const LONGEST_MESSAGE = 400;

/** A text in one line, so that a list stays a list whatever a driver says. */
function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll(/[\u0000-\u001f\u007f]/g, '�');
  return flat.length > LONGEST_MESSAGE ? `${wholeStart(flat, LONGEST_MESSAGE)}…` : flat;
}

function item({ outcome, rule, table, message }: CheckResult): string {
  const where = table === undefined ? '' : ` (${line(table)})`;
  return `- ${MARKS[outcome]} ${line(rule)}${where}${message === undefined || outcome === 'absent' ? '' : `: ${line(message)}`}`;
}

/** A report as Markdown that reads as plain text too: the score, what is broken first, then everything. */
export function reportMarkdown(report: ConformanceReport): string {
  const { driver, kit, contract, score, counts, checks, takenAt } = report;
  const areas = grouped(checks, ({ area }) => area);
  const wrong = checks.filter(({ outcome }) => outcome === 'broken' || outcome === 'untried');
  return [
    `# Conformance of ${line(driver.title)}: ${score} of 100`,
    '',
    `Driver \`${driver.id}\`, built with contract ${driver.contract}. Checked by kit ${kit} against contract ${contract}, ${takenAt}.`,
    '',
    `${counts.kept} kept, ${counts.broken} broken, ${counts.untried} not tried, ${counts.absent} of facets that it does not have.`,
    '',
    ...(wrong.length === 0 ? [] : ['## What keeps it from 100', '', ...wrong.map((check) => item(check)), '']),
    ...[...areas].flatMap(([area, of]) => {
      if (of.every(({ outcome }) => outcome === 'absent')) return [`## ${area}`, '', 'The driver has no such facet.', ''];
      return [`## ${area}`, '', ...of.map((check) => item(check)), ''];
    }),
  ].join('\n');
}
