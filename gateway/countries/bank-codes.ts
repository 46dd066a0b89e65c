/** Finds the bank of a national bank code: Norway's bank codes, Denmark's registration numbers, Finland's prefixes. */
import nordicBanks from '../../data/nordic-banks.json' with { type: 'json' }
import type { AccountBank } from './country.ts'

type CodeRange = { readonly first: string; readonly last: string; readonly bank: AccountBank }

/** Codes of a country have equal length, so they compare as texts. */
const rangesByCountry = {
  NO: rangesOf(nordicBanks.NO),
  DK: rangesOf(nordicBanks.DK),
  FI: rangesOf(nordicBanks.FI),
} as const

/** The bank that a code is allocated to; undefined if none. Ranges are sorted and do not overlap. */
export function bankOfCode(countryCode: keyof typeof rangesByCountry, code: string): AccountBank | undefined {
  const ranges = rangesByCountry[countryCode]
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
