const [BASE, LOWEST, HIGHEST, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128];
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Whether a label of a host name that begins with `xn--` stands for one with other letters (RFC 5891): it decodes, and is the one spelling of what it decodes to. */
export function isInternationalLabel(label: string): boolean {
  const decoded = decodedPunycode(label.slice('xn--'.length));
  if (decoded === undefined || !URL.canParse(`https://${decoded}.example`)) return false;
  return new URL(`https://${decoded}.example`).hostname === `${label}.example`;
}

/** Punycode as RFC 3492 decodes it; undefined for what isn't. */
function decodedPunycode(text: string): string | undefined {
  const end = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(end, 0)), (character) => character.codePointAt(0) ?? 0);
  let [code, position, bias] = [FIRST_CODE, 0, FIRST_BIAS];
  for (let at = end < 0 ? 0 : end + 1; at < text.length;) {
    const before = position;
    for (let weight = 1, step = BASE; ; step += BASE) {
      const digit = DIGITS.indexOf(text[at] ?? ' ');
      if (digit < 0) return undefined;
      at += 1;
      position += digit * weight;
      const threshold = Math.min(Math.max(step - bias, LOWEST), HIGHEST);
      if (digit < threshold) break;
      weight *= BASE - threshold;
      if (position > 0x10_ff_ff * 64) return undefined;
    }
    const length = output.length + 1;
    bias = adapted(position - before, length, before === 0);
    code += Math.floor(position / length);
    position %= length;
    if (code > 0x10_ff_ff) return undefined;
    output.splice(position, 0, code);
    position += 1;
  }
  return String.fromCodePoint(...output);
}

function adapted(distance: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(distance / (isFirst ? DAMP : 2));
  delta += Math.floor(delta / length);
  let steps = 0;
  for (; delta > ((BASE - LOWEST) * HIGHEST) / 2; steps += BASE) delta = Math.floor(delta / (BASE - LOWEST));
  return steps + Math.floor(((BASE - LOWEST + 1) * delta) / (delta + SKEW));
}
