/** A manifest's word for a thing. */
export interface Term {
  readonly one: string;
  readonly other: string;
}

/** As it is written within a sentence. Words in capitals, such as API, stay as they are. */
export const lower = (text: string): string =>
  text.replaceAll(/\p{L}+/gu, (word) =>
    word.length > 1 && word === word.toLocaleUpperCase('en') ? word : word.toLocaleLowerCase('en'),
  );
