/** A manifest's word for a thing. */
export interface Term {
  readonly one: string;
  readonly other: string;
}

export const lower = (text: string): string => text.toLocaleLowerCase('en');
