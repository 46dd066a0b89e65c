/** Formats shares as Nordic readers write them. */

/** `99,5 %`; rounded down, so that 100 % means all. */
export function formatPercentage(part: number, whole: number): string {
  const tenths = Math.floor((1000 * part) / whole)
  return `${(tenths / 10).toString().replace('.', ',')}\u00a0%`
}
