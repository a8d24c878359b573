import { platform, release } from 'node:os';
import type { ConformanceReport } from '@tabularium/sdk/testing';

/** How one scenario ended. */
export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  readonly outcome: 'pass' | 'fail' | 'notRun';
  /** Comparisons that were made. */
  readonly compared: number;
  readonly milliseconds: number;
  /** The difference, or why it did not run. Empty for a pass. */
  readonly messages: readonly string[];
}

/** The text that people attach to a bug: no address, no key, no data of theirs. */
export interface ServerReport {
  readonly reportVersion: 1;
  readonly takenAt: string;
  /** Of Tabularium and of the driver that was checked. */
  readonly product: { readonly version: string; readonly driver: string; readonly node: string; readonly platform: string };
  readonly server: {
    readonly product: string;
    readonly version: string;
    readonly place: 'loopback' | 'remote';
    readonly scheme: string;
  };
  readonly form: 'full' | 'short';
  readonly outcome: 'pass' | 'fail' | 'interrupted';
  readonly scenarios: readonly ScenarioResult[];
  readonly kit?: Pick<ConformanceReport, 'kit' | 'contract' | 'score' | 'counts'>;
  /** Leftovers of runs on the server, this one included. */
  readonly leftovers: readonly string[];
}

export const platformOf = (): string => `${platform()} ${release()} ${process.arch}`;

const MARKS = { pass: '✓', fail: '✗', notRun: '–' } as const;
const LONGEST = 500;
/** Messages of one scenario that a person reads. */
const MOST = 20;

/** In one line, so that a list stays a list whatever a server says. */
function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '�');
  return flat.length > LONGEST ? `${flat.slice(0, LONGEST)}…` : flat;
}

/** The report as Markdown that reads as plain text too. */
export function serverReportMarkdown(report: ServerReport): string {
  const { product, server, scenarios, kit, leftovers, takenAt, form, outcome } = report;
  const of = (wanted: ScenarioResult['outcome']): number => scenarios.filter((scenario) => scenario.outcome === wanted).length;
  return [
    `# ${line(server.product)} ${line(server.version)}: ${outcome === 'pass' ? 'all passed' : outcome}`,
    '',
    `Tabularium ${product.version}, search driver ${product.driver}, Node.js ${product.node}, ${product.platform}. Server on ${server.place}, ${server.scheme}. ${form === 'full' ? 'Full' : 'Short'} form, ${takenAt}.`,
    '',
    `${of('pass')} passed, ${of('fail')} failed, ${of('notRun')} not run.`,
    ...(kit === undefined
      ? []
      : [
          '',
          `Conformance kit ${kit.kit}, contract ${kit.contract}: ${kit.score} of 100 (${kit.counts.kept} kept, ${kit.counts.broken} broken, ${kit.counts.untried} not tried, ${kit.counts.absent} absent).`,
        ]),
    '',
    ...scenarios.flatMap(({ outcome: ended, id, title, compared, milliseconds, messages }) => [
      `- ${MARKS[ended]} **${id}** ${line(title)} (${compared} compared, ${(milliseconds / 1_000).toFixed(1)} s)`,
      ...messages.slice(0, MOST).map((message) => `  - ${line(message)}`),
      ...(messages.length > MOST ? [`  - and ${messages.length - MOST} more, in the report as JSON`] : []),
    ]),
    ...(leftovers.length === 0 ? [] : ['', '## Left on the server by checks', '', ...leftovers.map((name) => `- ${line(name)}`)]),
    '',
  ].join('\n');
}
