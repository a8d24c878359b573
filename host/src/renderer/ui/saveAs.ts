/** A double click on the button that saves is one file. */
const SAME_CLICK_MILLISECONDS = 500;

let last: { readonly name: string; readonly size: number; readonly at: number } | undefined;

/** Hands a file to the person, by the browser's own way of saving; the same file again at once is left out. */
export function saveAs(name: string, type: string, parts: readonly string[]): void {
  const blob = new Blob([...parts], { type });
  const at = performance.now();
  const isAgain = last?.name === name && last.size === blob.size && at - last.at < SAME_CLICK_MILLISECONDS;
  last = { name, size: blob.size, at };
  if (isAgain) return;
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
