import { RawNumber, exactJson } from './exactJson.ts';

/**
 * A list of JSON as the server writes an array: numbers by their digits, lists within it as further dimensions. Undefined where the text isn't a list
 * of JSON, or has an object in it.
 *
 * @param member - a text in it as the server reads it for the type of the members
 */
export function arrayText(json: string, member: (text: string) => string = (text) => text): string | undefined {
  let list: unknown;
  try {
    list = exactJson(json);
  } catch {
    return undefined;
  }
  return Array.isArray(list) ? listText(list, member) : undefined;
}

function listText(list: readonly unknown[], text: (text: string) => string): string | undefined {
  const texts = list.map((member) => memberText(member, text));
  return texts.includes(undefined) ? undefined : `{${texts.join(',')}}`;
}

function memberText(member: unknown, text: (text: string) => string): string | undefined {
  if (member === null) return 'NULL';
  if (typeof member === 'boolean') return String(member);
  if (member instanceof RawNumber) return member.digits;
  if (Array.isArray(member)) return listText(member, text);
  return typeof member === 'string' ? `"${text(member).replaceAll(/["\\]/g, (character) => `\\${character}`)}"` : undefined;
}
