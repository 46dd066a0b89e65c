/** Reduces measurements to the figures that are printed. */

/** The middle one; of an even number the mean of both middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  const lower = Number.isInteger(middle) ? (sorted[middle - 1] ?? Number.NaN) : upper
  return (lower + upper) / 2
}

/** The least value that so much of all values (0 to 1) does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** What is printed behind a figure that has a bar. */
export function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed'
}
