/** Bytes of a file that a run has read, and their hash. */
export interface ReadStretch {
  readonly from: number;
  /** Behind the last byte. */
  readonly to: number;
  readonly sha256: string;
}
