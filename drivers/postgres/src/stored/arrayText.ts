import { RawNumber, exactJson } from './exactJson.ts';

/**
 * A list of JSON as the server writes an array: numbers by their digits, lists within it as further dimensions. Undefined where the text isn't a list
 * of JSON, or has an object in it.
 */
export function arrayText(json: string): string | undefined {
  let list: unknown;
  try {
    list = exactJson(json);
  } catch {
    return undefined;
  }
  return Array.isArray(list) ? listText(list) : undefined;
}

function listText(list: readonly unknown[]): string | undefined {
  const texts = list.map(memberText);
  return texts.includes(undefined) ? undefined : `{${texts.join(',')}}`;
}

function memberText(member: unknown): string | undefined {
  if (member === null) return 'NULL';
  if (typeof member === 'boolean') return String(member);
  if (member instanceof RawNumber) return member.digits;
  if (Array.isArray(member)) return listText(member);
  return typeof member === 'string' ? `"${member.replaceAll(/["\\]/g, (character) => `\\${character}`)}"` : undefined;
}
