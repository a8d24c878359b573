/** The range of a chart's axis: from zero where all is above it, with room above; a line at one value is in the middle. */
export function chartRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const bottom = Math.min(0, low);
  if (high === bottom) return [bottom, bottom + 1];
  // A large value that moves little would be a flat line at the top: then the axis begins near it.
  if (low > 0 && high - low < low * 0.2) {
    const room = Math.max(high - low, low * 0.01);
    return [Math.max(0, low - room), high + room];
  }
  return [bottom, high + (high - bottom) * 0.1];
}
