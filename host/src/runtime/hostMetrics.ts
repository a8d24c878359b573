import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DriverProcesses } from './drivers/processes/driverProcesses.ts';
import { from } from './container/inject.ts';
import type { Inject } from './container/inject.ts';
import { Imports } from './importing/imports.ts';
import { McpServer } from './mcp/mcpServer.ts';
import { TOOLS } from './mcp/tools/registry.ts';
import { HostCounters } from './measures/hostCounters.ts';
import { prometheusText } from './measures/prometheusText.ts';
import type { Measure } from './measures/prometheusText.ts';
import { OperationRuns } from './operations/operationRuns.ts';
import { HOST_PACKAGE } from './program/hostPackage.ts';
import { Transfers } from './transfer/transfers.ts';

type DelayMonitor = ReturnType<typeof monitorEventLoopDelay>;

export interface HostMetricsParts {
  readonly version: string;
  readonly counters: HostCounters;
  readonly mcp: Pick<McpServer, 'onCall' | 'onTurnedAway'>;
  readonly processes: Pick<DriverProcesses, 'counts'>;
  readonly jobs: () => Readonly<Record<'import' | 'export' | 'operation', number>>;
  /** Replaced in tests. */
  readonly delay?: DelayMonitor;
}

const TOOL_NAMES: ReadonlySet<string> = new Set(TOOLS.map(({ listed }) => listed.name));
const RESOLUTION_MILLISECONDS = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
/** Seconds since 1970. Computed once: a clock that is set later, or rounding, would look like a new start. */
const STARTED = Math.round(performance.timeOrigin / 1_000);
/** The event loop is measured this long after a question. Milliseconds. */
const MEASURED_TIME = 10 * 60_000;

/** The host's own numbers, for a program that watches it. They are counted from the start and sent nowhere. */
export class HostMetrics implements Disposable {
  static readonly inject: Inject<typeof HostMetrics> = {
    version: from([HOST_PACKAGE], ({ version }) => version),
    counters: HostCounters,
    mcp: McpServer,
    processes: DriverProcesses,
    jobs: from([Imports, Transfers, OperationRuns], (imports, transfers, operations) => () => ({
      import: imports.list().filter(({ state }) => state === 'running' || state === 'reading').length,
      export: transfers.list().filter(({ state }) => state === 'running').length,
      operation: operations.list().filter(({ state }) => state === 'running').length,
    })),
  };

  readonly #parts: HostMetricsParts;
  readonly #delay: DelayMonitor;
  readonly #stops: readonly (() => void)[];
  #unasked: NodeJS.Timeout | undefined;

  constructor(parts: HostMetricsParts) {
    this.#parts = parts;
    this.#delay = parts.delay ?? monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
    const { counters, mcp } = parts;
    this.#stops = [
      // The name of a resource has ids in it, and that of a tool is whatever a client has asked for.
      mcp.onCall(({ kind, tool, outcome, milliseconds }) =>
        counters.mcpCall(kind === 'tool' ? (TOOL_NAMES.has(tool) ? tool : 'other') : kind, outcome, milliseconds),
      ),
      mcp.onTurnedAway(({ code }) => counters.mcpTurnedAway(code)),
    ];
  }

  [Symbol.dispose](): void {
    this.stopMeasuring();
    for (const stop of this.#stops) stop();
  }

  /** In the text format of Prometheus. Delays of the event loop are those since the question before. @param openWindows - now */
  text(openWindows: number): string {
    const measures = [...this.#ownMeasures(openWindows), ...this.#parts.counters.measures()];
    this.#delay.reset();
    // Measured only where a program asks: the measurement wakes the processor 50 times a second.
    this.#delay.enable();
    clearTimeout(this.#unasked);
    this.#unasked = setTimeout(() => this.stopMeasuring(), MEASURED_TIME).unref();
    return prometheusText(measures);
  }

  /** Measures the event loop no more until the next question: the metrics are off, or nothing asks for them. */
  stopMeasuring(): void {
    clearTimeout(this.#unasked);
    this.#delay.disable();
    this.#delay.reset();
  }

  #ownMeasures(openWindows: number): readonly Measure[] {
    const { version, processes, jobs } = this.#parts;
    const memory = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const delay = this.#delay;
    const gauge = (name: string, help: string, value: number): Measure => ({ name, help, type: 'gauge', samples: [{ value }] });
    const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / NANOSECONDS : 0);
    const percentile = (percent: number): { readonly labels: { readonly percentile: string }; readonly value: number } => ({
      labels: { percentile: String(percent) },
      value: delay.count === 0 ? 0 : seconds(delay.percentile(percent)),
    });
    return [
      {
        name: 'tabularium_build_info',
        help: 'The version of the host and of its Node.',
        type: 'gauge',
        samples: [{ labels: { version, node: process.versions.node }, value: 1 }],
      },
      gauge('process_start_time_seconds', 'When the host was started.', STARTED),
      gauge('process_resident_memory_bytes', 'Memory of the host, without its drivers.', memory.rss),
      gauge('nodejs_heap_size_used_bytes', 'JavaScript memory in use.', memory.heapUsed),
      {
        name: 'process_cpu_seconds_total',
        help: 'Processor time of the host, without its drivers.',
        type: 'counter',
        samples: [{ value: (user + system) / MICROSECONDS }],
      },
      gauge('nodejs_active_resources', 'Open sockets, files, timers and requests.', process.getActiveResourcesInfo().length),
      {
        name: 'nodejs_eventloop_delay_seconds',
        help: 'Delay of the event loop since the last question.',
        type: 'gauge',
        samples: [50, 99, 100].map(percentile),
      },
      {
        name: 'tabularium_driver_processes',
        help: 'Processes of drivers that have a driver, by state.',
        type: 'gauge',
        samples: Object.entries(processes.counts()).map(([state, value]) => ({ labels: { state }, value })),
      },
      gauge('tabularium_open_windows', 'Windows with access.', openWindows),
      {
        name: 'tabularium_running_jobs',
        help: 'Imports, exports and operations that run.',
        type: 'gauge',
        samples: Object.entries(jobs()).map(([kind, value]) => ({ labels: { kind }, value })),
      },
    ];
  }
}
