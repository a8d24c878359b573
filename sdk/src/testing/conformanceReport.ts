import type { CheckArea } from './conformance.ts';

/**
 * How a check ended: the driver keeps it, breaks it, need not keep it (`absent`: it has no such facet), or was not tried (`untried`: the
 * plan does not say what the check needs).
 */
export type CheckOutcome = 'kept' | 'broken' | 'absent' | 'untried';

/** One check in a report. */
export interface CheckResult {
  /** A facet's name, or `core`. */
  readonly area: CheckArea;
  /** The checked behaviour. */
  readonly rule: string;
  /** The table that it was checked with, by its names joined with dots. */
  readonly table?: string;
  /** How it ended. */
  readonly outcome: CheckOutcome;
  /** The expected and the actual result, or why the check didn't run. Absent for a check that passed. */
  readonly message?: string;
}

/** The kit's findings about one driver. */
export interface ConformanceReport {
  /** Of this form. */
  readonly reportVersion: 1;
  /** The version of the kit: its first two numbers are the contract's, the third is raised when checks are added or made stricter. */
  readonly kit: string;
  /** The contract that was checked. */
  readonly contract: string;
  /** Which driver it was. */
  readonly driver: {
    readonly id: string;
    /** The contract of the SDK that the driver was built with. */
    readonly contract: string;
    /** The author's name for this run. */
    readonly title: string;
  };
  /** ISO 8601, UTC. */
  readonly takenAt: string;
  /** 0 to 100: the part of all checks, those that are absent left out, that is kept. 100 is said only when all are. */
  readonly score: number;
  /** How many checks ended in each way. */
  readonly counts: Readonly<Record<CheckOutcome, number>>;
  /** In the order in which they ran. */
  readonly checks: readonly CheckResult[];
}
