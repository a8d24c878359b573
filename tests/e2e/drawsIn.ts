import type { Locator } from 'playwright-core';

/** Whether a chart's canvas has a pixel of a colour of the theme, such as `accent`: its line is drawn then, not only its axes. */
export async function drawsIn(chart: Locator, color: string): Promise<boolean> {
  return chart.locator('canvas').evaluate((canvas, name) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new TypeError('The chart has no canvas.');
    const wanted = getComputedStyle(document.documentElement).getPropertyValue(`--tb-${name}`).trim().slice(1);
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    const hex = (byte: number | undefined): string => (byte ?? 0).toString(16).padStart(2, '0');
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 255 && hex(data[at]) + hex(data[at + 1]) + hex(data[at + 2]) === wanted) return true;
    }
    return false;
  }, color);
}
