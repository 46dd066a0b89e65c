/** Finds banks in a national table of bank codes, such as Norway's bank codes or Denmark's registration numbers. */
import type { AccountBank } from './country.ts'

/**
 * The lookup of an account's bank in a national table of ranges: first code, last code, BIC, name. Codes of a country have
 * equal length, so they compare as texts; ranges are sorted and do not overlap. Undefined for a code that is allocated to
 * no bank.
 */
export function bankCodeTable(
  rows: readonly (readonly (string | null)[])[],
  codeOf: (bban: string) => string,
): (bban: string) => AccountBank | undefined {
  return (bban) => {
    const code = codeOf(bban)
    let [from, to] = [0, rows.length]
    while (to - from > 1) {
      const middle = (from + to) >> 1
      const isBefore = code < (rows[middle]?.[0] ?? '')
      from = isBefore ? from : middle
      to = isBefore ? middle : to
    }
    const [first, last, bic = null, name] = rows[from] ?? []
    const isFound = first != null && last != null && first <= code && code <= last
    return isFound ? { bic, name: name ?? '' } : undefined
  }
}
