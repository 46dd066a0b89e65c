/** Reads at which hours money is exchanged, what is earned on it, and where reference rates come from. */
import type { readerOf } from './environment-reader.ts'

/** The settings of exchange beside those of its provider. */
export type ExchangeSettings = {
  /** From when until when orders are taken on a bank day, as `HH:MM` in Oslo. */
  readonly fxServiceHours: { readonly opens: string; readonly closes: string }
  /** What is added to the provider's price, in percent of it, as a decimal. */
  readonly fxMarginPercent: string
  /** Where the reference rates of the European Central Bank are fetched; null uses those that came with the program. */
  readonly referenceRatesUrl: string | null
}

const HOURS = /^(([01]\d|2[0-3]):[0-5]\d)-(([01]\d|2[0-3]):[0-5]\d)$/
/** A tenth would be taken for an error by everybody who pays it. */
const PERCENT = /^\d(\.\d{1,4})?$/

/** Whatever is wrong is added to `problems`. */
export function readExchangeSettings(
  read: ReturnType<typeof readerOf>,
  given: { readonly hours: string; readonly margin: string; readonly ratesUrl: string },
  problems: string[],
): ExchangeSettings {
  const hours = read.text(given.hours, '06:00-22:00')
  const [, opens = '', , closes = ''] = HOURS.exec(hours) ?? []
  if (opens === '' || opens >= closes) {
    problems.push(`${given.hours} must be two times of a day such as 06:00-22:00, not "${hours}"`)
  }
  const fxMarginPercent = read.text(given.margin, '0')
  if (!PERCENT.test(fxMarginPercent)) {
    problems.push(`${given.margin} must be a percentage below ten such as 0.5, not "${fxMarginPercent}"`)
  }
  return { fxServiceHours: { opens, closes }, fxMarginPercent, referenceRatesUrl: read.optionalUrl(given.ratesUrl) }
}
