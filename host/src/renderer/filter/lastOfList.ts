/** The value of a list that is being typed: the text after the last comma that is not inside double quotes. */
export function lastOfList(text: string): { readonly before: string; readonly typed: string } {
  let inQuotes = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') inQuotes = !inQuotes;
    else if (character === ',' && !inQuotes) start = at + 1;
  }
  return { before: text.slice(0, start), typed: text.slice(start).trim().replaceAll('"', '') };
}

/** The list with a chosen value in place of the one that was being typed, ready for the next one. */
export function withChosen(text: string, value: string): string {
  const { before } = lastOfList(text);
  const written = /[",]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return `${before}${before === '' ? '' : ' '}${written}, `;
}
