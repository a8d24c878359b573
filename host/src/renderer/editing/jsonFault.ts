import { printParseErrorCode, visit } from 'jsonc-parser';

/** The first fault of a JSON text; line and character from 1. */
export interface JsonFault {
  readonly line: number;
  readonly character: number;
  /** The name that the parser has for it. */
  readonly code: string;
}

/** The first fault of a text that is meant as JSON, or as lines of JSON. Undefined where there is none, or where it lies too deep. */
export function jsonFault(text: string): JsonFault | undefined {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1 || faultOf(lines[first] ?? '') !== undefined) return faultOf(text);
  for (const [index, line] of lines.entries()) {
    const fault = line.trim() === '' ? undefined : faultOf(line);
    if (fault !== undefined) return { ...fault, line: index + fault.line };
  }
  return undefined;
}

/** Thrown out of the parser, which else reads to the end of a text that may be long. */
class Found extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super();
    this.fault = fault;
  }
}

function faultOf(text: string): JsonFault | undefined {
  try {
    visit(
      text,
      {
        onError: (error, _offset, _length, line, character) => {
          throw new Found({ line: line + 1, character: character + 1, code: printParseErrorCode(error) });
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
    return undefined;
  } catch (error) {
    return error instanceof Found ? error.fault : undefined;
  }
}
