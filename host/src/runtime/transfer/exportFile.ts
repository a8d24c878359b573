/** The destination of an export. It is there whole at the end, or not at all. */
export interface ExportFile {
  /** Written so far. */
  readonly bytes: number;
  /** Resolves when the destination has taken them, so that an export is as fast as it and holds one part in memory. @throws HostError `FILE_UNWRITABLE` */
  write(data: Uint8Array): Promise<void>;
  /** Makes the file whole. @throws HostError `FILE_EXISTS`, `FILE_UNWRITABLE` */
  finish(): Promise<void>;
  /** Takes back what was written. @returns a sentence that says so */
  abandon(): Promise<string>;
}
