/**
 * The paths of bridges that a client's settings start, in JSON or YAML. Settings are a person's own, with arguments and variables of theirs, so they are
 * searched and not compared.
 */
export function bridgesNamedIn(settings: string): readonly string[] {
  const quoted = [...settings.matchAll(/"((?:[^"\\\n]|\\.)*tabularium-mcp(?:\.[a-z]+)?)"/g)].map(([, text = '']) =>
    unescaped(text),
  );
  const plain = [...settings.matchAll(/:[ \t]+((?:\/|[A-Za-z]:\\)[^"'\n]*tabularium-mcp(?:\.[a-z]+)?)[ \t]*$/gm)].map(
    ([, text = '']) => text,
  );
  return [...new Set([...quoted, ...plain])];
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
