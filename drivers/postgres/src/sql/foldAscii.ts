/** In capitals as the server folds keywords: letters of ASCII only. JavaScript would make keywords of other letters, too: `ſelect` is an identifier. */
export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** In small letters as the server folds identifiers and settings: letters of ASCII only. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
