/** Finds banks in a national table of bank codes, such as Norway's bank codes or Denmark's registration numbers. */
import type { AccountBank } from './country.ts'

type CodeRange = { readonly first: string; readonly last: string; readonly bank: AccountBank }

/** Finds the bank that a code is allocated to; undefined if none. */
export type FindBank = (code: string) => AccountBank | undefined

/**
 * The lookup in a national table of ranges: first code, last code, BIC, name. Codes of a country have equal length, so
 * they compare as texts; ranges are sorted and do not overlap.
 */
export function bankCodeTable(rows: readonly (readonly (string | null)[])[]): FindBank {
  const ranges = rangesOf(rows)
  return (code) => bankOfCode(ranges, code)
}

function bankOfCode(ranges: readonly CodeRange[], code: string): AccountBank | undefined {
  let [from, to] = [0, ranges.length]
  while (to - from > 1) {
    const middle = (from + to) >> 1
    const isBefore = code < (ranges[middle]?.first ?? '')
    from = isBefore ? from : middle
    to = isBefore ? middle : to
  }
  const range = ranges[from]
  return range !== undefined && range.first <= code && code <= range.last ? range.bank : undefined
}

function rangesOf(rows: readonly (readonly (string | null)[])[]): readonly CodeRange[] {
  return rows.map(([first, last, bic, name]) => ({
    first: first ?? '',
    last: last ?? '',
    bank: { bic: bic ?? null, name: name ?? '' },
  }))
}
