/**
 * The files that were chosen in the connection's form, in fields of type `file`. The process of this driver was started with the right to
 * exactly these files, fixed for its life; read them with `node:fs`. Another choice means another process.
 */
export interface FileCapability {
  /** The real path of each chosen file by its field's id. Fields left empty are absent. */
  readonly paths: Readonly<Record<string, string>>;
}
