/** One measurement at a size: in the unit of its curve. */
export interface CurvePoint {
  readonly size: number;
  readonly value: number;
}

/** How a cost depends on a size. */
export interface Curve {
  /** The end of its picture's file name. */
  readonly id: string;
  readonly title: string;
  /** The unit of the horizontal axis, such as "rows". */
  readonly size: string;
  readonly unit: 'ms';
  readonly series: readonly { readonly name: string; readonly points: readonly CurvePoint[] }[];
  /** Why the curve has its form: a sentence or two of Markdown. */
  readonly explanation: string;
}
