/** The formats and options of `havn entries`. */
import type { ConsentOptions } from '../consents/choose-consent.ts'

export const ENTRY_FORMATS = ['table', 'csv', 'json', 'camt.053'] as const
export type EntryFormat = (typeof ENTRY_FORMATS)[number]

export type EntriesOptions = ConsentOptions & {
  readonly account?: string
  /** Days in the time zone of the bank, `YYYY-MM-DD`. */
  readonly from?: string
  readonly to?: string
  readonly format?: EntryFormat
  readonly extended?: boolean
}
