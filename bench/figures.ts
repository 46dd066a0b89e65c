/** Reduces measurements to the printed figures. */

/** The median; of an even number the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  const lower = Number.isInteger(middle) ? (sorted[middle - 1] ?? Number.NaN) : upper
  return (lower + upper) / 2
}

/** The quantile: the least value that this share of all values (0 to 1) does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** The result that is printed behind a figure with a target. */
export function barResult(isMet: boolean): string {
  return isMet ? 'met' : 'missed'
}
