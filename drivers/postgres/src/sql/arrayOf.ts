/** An array as the server reads it. */
export function arrayOf(list: readonly string[]): string {
  return `{${list.map((one) => `"${one.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`).join(',')}}`;
}
