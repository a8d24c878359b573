import { cancelled, inTime, must, onBench } from '../bench.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

/** Metrics have units that fit, and ids that stay. */
export function metricChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'metrics: every figure can be shown, and is the same one in the next reading',
      run: () =>
        onBench(plan, async ({ session: { metrics: facet }, options }) => {
          if (facet === undefined) return;
          for (const { label, reason } of facet.missingPanels) {
            must(label.trim() !== '' && reason.trim() !== '', 'A panel is missing, and nothing says why.');
          }
          const reading = await inTime('metrics.read', facet.read(options));
          must(reading.metrics.length > 0 || reading.problems.length > 0, 'A reading has neither metrics nor problems.');
          must(new Set(reading.metrics.map(({ id }) => id)).size === reading.metrics.length, 'Two metrics have one id.');
          for (const { id, label, unit, value, total } of reading.metrics) {
            must(label.trim() !== '', `The figure "${id}" has no label.`);
            must(Number.isFinite(value), `The figure "${id}" is ${value}.`);
            must(value >= 0, `The figure "${id}" is ${value}; there is no less than nothing.`);
            must(unit !== 'percent' || value <= 100 || total !== undefined, `The figure "${id}" is ${value} percent.`);
            must(total === undefined || Number.isFinite(total), `The figure "${id}" is a part of ${total ?? ''}.`);
            must(unit !== 'ratio' || (value >= 0 && value <= 1), `The figure "${id}" is a ratio of ${value}.`);
            must(total === undefined || total > 0, `The figure "${id}" is a part of ${total ?? 0}.`);
          }
          for (const { source, message } of reading.problems) {
            must(source.trim() !== '' && message.trim() !== '', 'A problem does not say what it is about.');
          }
          for (const { name, state, message, metrics } of reading.nodes ?? []) {
            must(name.trim() !== '', 'A node has no name.');
            must(
              state !== 'unreachable' || (message ?? '').trim() !== '',
              `The node "${name}" is unreachable, and nothing says why.`,
            );
            must(new Set(metrics.map(({ id }) => id)).size === metrics.length, `Two metrics of the node "${name}" have one id.`);
            for (const { id, value } of metrics)
              must(Number.isFinite(value) && value >= 0, `The figure "${id}" of "${name}" is ${value}.`);
          }
          const names = (reading.nodes ?? []).map(({ name }) => name);
          must(new Set(names).size === names.length, 'Two nodes have one name.');
          must(reading.node === undefined || names.includes(reading.node), `No node is called "${reading.node ?? ''}".`);
          const units = new Map(reading.metrics.map(({ id, unit }) => [id, unit]));
          for (const { id, unit } of (await inTime('metrics.read', facet.read(options))).metrics) {
            must(!units.has(id) || units.get(id) === unit, `The figure "${id}" changes its unit.`);
          }
          await cancelled('metrics.read with an aborted signal', () => facet.read({ signal: AbortSignal.abort() }));
        }),
    },
  ];
}
