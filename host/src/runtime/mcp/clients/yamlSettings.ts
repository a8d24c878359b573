import { isMap, isScalar, isSeq, parseAllDocuments, parseDocument } from 'yaml';
import type { Document, ToStringOptions, YAMLSeq } from 'yaml';
import type { SettingsEntry, SettingsOutcome } from './settingsEntry.ts';

/** How files are commonly indented. */
const STYLES: readonly ToStringOptions[] = [2, 4].flatMap((indent) =>
  [true, false].map((indentSeq) => ({ indent, indentSeq, lineWidth: 0 })),
);

/** Puts an entry into settings in YAML, as a list's item that has its name in it or as a mapping's key. Comments and order stay. */
export function withYamlEntry(before: string, { key, name, entry }: SettingsEntry): SettingsOutcome {
  if (parseAllDocuments(before).length > 1) return { refused: 'holds several documents' };
  const document: Document = parseDocument(before);
  if (document.errors.length > 0) return { refused: "isn't valid YAML" };
  if (document.contents === null || isEmpty(document.contents)) document.contents = document.createNode({});
  if (!isMap(document.contents)) return { refused: 'holds no settings' };

  const isList = entry['name'] === name;
  const present = document.get(key, true);
  if (present === undefined || isEmpty(present)) {
    document.set(key, document.createNode(isList ? [entry] : { [name]: entry }));
  } else if (isList && isSeq(present)) {
    putItem(document, present, name, entry);
  } else if (!isList && isMap(present)) {
    present.set(name, document.createNode(entry));
  } else {
    return { refused: `has a "${key}" that is not a ${isList ? 'list' : 'mapping'}` };
  }
  const after = document.toString(styleOf(before));
  return { after: before.includes('\r\n') ? after.replaceAll(/\r?\n/g, '\r\n') : after };
}

function putItem(document: Document, list: YAMLSeq, name: string, entry: object): void {
  const place = list.items.findIndex((item) => isMap(item) && item.get('name') === name);
  if (place < 0) list.add(document.createNode(entry));
  else list.set(place, document.createNode(entry));
}

/** A key whose value is still to come, or a list or mapping written as one that has nothing in it, which is not to grow within its line. */
function isEmpty(node: unknown): boolean {
  return (isScalar(node) && node.value === null) || ((isMap(node) || isSeq(node)) && node.items.length === 0);
}

/** The style that leaves most lines of a file as they are. */
function styleOf(text: string): ToStringOptions {
  const lines = new Set(text.split(/\r?\n/));
  const [first = {}] = STYLES;
  let best = { style: first, changed: Infinity };
  for (const style of STYLES) {
    const changed = parseDocument(text)
      .toString(style)
      .split('\n')
      .filter((line) => !lines.has(line)).length;
    if (changed < best.changed) best = { style, changed };
  }
  return best.style;
}
