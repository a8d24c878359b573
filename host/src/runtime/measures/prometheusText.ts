/** One value of a measure, with its labels. */
export interface Sample {
  /** After the name of the measure: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values of one kind. */
export interface Measure {
  /** Letters, digits and `_`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Measures in the text format of Prometheus, version 0.0.4. */
export function prometheusText(measures: readonly Measure[]): string {
  return measures
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${escaped(help)}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}`),
      ].join('\n'),
    )
    .map((lines) => `${lines}\n`)
    .join('');
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  return value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value);
}
