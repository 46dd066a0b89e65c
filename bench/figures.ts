/** Reduces measurements to the printed figures, and compares them with their bars. */

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

/** A line of a part: what was measured, and the figure. */
export function line(title: string, figure: string): string {
  return `  ${title.padEnd(32)} ${figure}`
}

/** How a figure is shown: its unit with the blank before it, its decimals, and what stands before the bar. */
type Shown = { readonly unit?: string; readonly decimals?: number; readonly beside?: string }

/** A figure and its bar: `12 ms (bar: at most 15 ms) met`. */
export function atMost(value: number, max: number, shown?: Shown): string {
  return besideBar(value, { bar: 'at most', limit: max, isMet: value <= max }, shown)
}

export function atLeast(value: number, min: number, shown?: Shown): string {
  return besideBar(value, { bar: 'at least', limit: min, isMet: value >= min }, shown)
}

function besideBar(
  value: number,
  { bar, limit, isMet }: { readonly bar: string; readonly limit: number; readonly isMet: boolean },
  { unit = '', decimals = 0, beside = '' }: Shown = {},
): string {
  return `${value.toFixed(decimals)}${unit}${beside} (bar: ${bar} ${limit}${unit}) ${isMet ? 'met' : 'missed'}`
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
