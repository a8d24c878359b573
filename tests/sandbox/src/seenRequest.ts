/** Tests may read all of this: nothing in it is secret. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Key headers say only that they were there. */
  readonly headers: Readonly<Record<string, string>>;
}
