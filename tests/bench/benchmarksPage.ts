import { cpus, totalmem } from 'node:os';
import type { Budget } from './budget.ts';
import type { Curve } from './curve.ts';
import type { PeerTable } from './peers.ts';

/** The machine that measured, as far as it matters. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly gigabytes: number;
  readonly system: string;
  readonly node: string;
  /** Of one minute, before and after. */
  readonly load: readonly [before: number, after: number];
  /** Of the measurement, in UTC. */
  readonly day: string;
}

export function thisMachine(load: Machine['load']): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    gigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    load,
    day: new Date().toISOString().slice(0, 10),
  };
}

const UNITS: Readonly<Record<Budget['unit'], string>> = {
  ratio: '×',
  milliseconds: ' ms',
  kilobytes: ' kB',
  tokens: ' tokens',
  yes: '',
};

/** The page of the documentation with the budgets of one run, their limits, programs of others, and the curves. */
export function benchmarksPage(
  budgets: readonly Budget[],
  curves: readonly Curve[],
  peers: readonly PeerTable[],
  machine: Machine,
): string {
  const { processor, cores, gigabytes, system, node, load, day } = machine;
  const missed = budgets.filter(({ holds }) => !holds);
  return [
    '# Benchmarks',
    '',
    'All measurements of this page come from one run of `npm run bench -- --write`, which writes the page. To check them on your machine, run it on a quiet one. Limits are budgets: `npm run bench` fails where one is missed, and the decision record [0069](decisions/0069-missed-budgets.md) says where the time of those that are missed goes.',
    '',
    `Measured on ${day}: ${processor}, ${cores} cores, ${gigabytes} GB, ${system}, Node ${node}; load average ${load[0].toFixed(1)} before and ${load[1].toFixed(1)} after.`,
    '',
    '## Method and doubts',
    '',
    '- A ratio compares two ways to do the same work, taken in turns within one run: host and driver against a bare client (`undici`, `pg`, `curl`), the bridge against `mcp-remote`. A busy moment of the machine falls on both. A ratio of 1.10 means 10 % more time.',
    '- Where no other program does the same work, a time is given, as a median. It depends on the machine.',
    '- Pages and searches go to the sample server, which waits 23 ms as a real search server does. A slower server makes every ratio better.',
    '- Client, host, driver and server share the cores of one machine. On separate machines, the network comes on top for both ways.',
    '- Of other programs, only `mcp-remote` is installed with this project. `npm run bench -- --write --peers FOLDER` measures those that `npm install supergateway @bytebase/dbhub @toolbox-sdk/server` put into a folder; they are as they come, without settings of their own for speed.',
    '',
    '## Budgets',
    '',
    missed.length === 0
      ? 'All budgets were met.'
      : `${budgets.length - missed.length} of ${budgets.length} budgets were met in this run.`,
    '',
    '| Measurement | Value | Limit | |',
    '| --- | --: | --: | --- |',
    ...budgets.map(({ name, value, limit, unit, holds, yardstick }) => {
      const against = yardstick === undefined ? '' : ` (${yardstick.name}: ${shown(yardstick.value, unit)})`;
      return `| ${name}${against} | ${shown(value, unit)} | ${shown(limit, unit)} | ${holds ? 'met' : '**missed**'} |`;
    }),
    '',
    ...(peers.length === 0 ? [] : ['## Beside other programs', '', ...peers.flatMap(peerLines)]),
    '## Costs over size',
    '',
    'Both axes of the pictures are logarithmic. The dashed line has the slope of linear costs.',
    '',
    ...curves.flatMap((curve) => [
      `### ${curve.title}`,
      '',
      `![${curve.title}](images/benchmarks-${curve.id}.svg)`,
      '',
      curve.explanation,
      '',
      `| ${curve.size} | ${curve.series.map(({ name }) => `${name} (${curve.unit})`).join(' | ')} |`,
      `| --: | ${curve.series.map(() => '--:').join(' | ')} |`,
      ...(curve.series[0]?.points ?? []).map(
        ({ size }, place) =>
          `| ${size.toLocaleString('en-US')} | ${curve.series.map(({ points }) => (points[place]?.value ?? NaN).toFixed(1)).join(' | ')} |`,
      ),
      '',
    ]),
  ].join('\n');
}

function shown(value: number, unit: Budget['unit']): string {
  if (unit === 'yes') return value === 1 ? 'yes' : 'no';
  return `${value.toLocaleString('en-US', { maximumFractionDigits: 3 })}${UNITS[unit]}`;
}

function peerLines({ title, explanation, columns, rows }: PeerTable): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = line(columns.map((_, index) => (index === 0 ? '---' : '--:')));
  return [`### ${title}`, '', explanation, '', line(columns), rule, ...rows.map(line), ''];
}
