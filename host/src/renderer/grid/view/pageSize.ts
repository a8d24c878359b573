/** How many rows a page has. */
export interface PageSize {
  readonly rows: number;
  readonly choose: (rows: number) => void;
}
