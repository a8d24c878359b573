const FACE = "13px system-ui, -apple-system, 'Segoe UI', sans-serif";

type Weight = 400 | 600;

let context: CanvasRenderingContext2D | null | undefined;

/** How wide the window draws a text, in pixels. */
export function textWidth(text: string, weight: Weight = 400): number {
  // A model is tested without a page.
  context ??= typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
  if (context === null) return text.length * 7.5;
  context.font = `${weight} ${FACE}`;
  return context.measureText(text).width;
}

const ofCharacters = new Map<string, number>();
let ofDigit: number | undefined;

function digitWidth(): number {
  // In a cell all digits are equally wide, in a canvas they need not be: the widest counts.
  ofDigit ??= Math.max(...Array.from('0123456789', (digit) => textWidth(digit)));
  return ofDigit;
}

/** The same for a number or a date, character by character: a grid asks for each of its cells in each frame. */
export function numeralWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character >= '0' && character <= '9') {
      width += digitWidth();
      continue;
    }
    let own = ofCharacters.get(character);
    if (own === undefined) {
      own = textWidth(character);
      // Numerals have few characters.
      if (ofCharacters.size < 100) ofCharacters.set(character, own);
    }
    width += own;
  }
  return width;
}
