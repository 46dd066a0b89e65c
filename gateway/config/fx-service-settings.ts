/** Reads the settings of the FX service: service hours, margin, and the source of reference rates. */
import type { environmentReader } from './environment-reader.ts'

/** The settings of the FX service, apart from those of its provider. */
export type FxServiceSettings = {
  /** The hours in which orders are accepted on a bank day, as `HH:MM` in Oslo. */
  readonly fxServiceHours: { readonly opens: string; readonly closes: string }
  /** The margin on the provider's price, in percent, as a decimal. */
  readonly fxMarginPercent: string
  /** URL of the European Central Bank's reference rates; null uses those included in the release. */
  readonly referenceRatesUrl: string | null
}

const HOURS = /^(([01]\d|2[0-3]):[0-5]\d)-(([01]\d|2[0-3]):[0-5]\d)$/
/** Ten percent or more would be an obvious mistake. */
const PERCENT = /^\d(\.\d{1,4})?$/

/** Adds errors to `errors`. */
export function readFxServiceSettings(
  read: ReturnType<typeof environmentReader>,
  given: { readonly hours: string; readonly margin: string; readonly ratesUrl: string },
  errors: string[],
): FxServiceSettings {
  const hours = read.text(given.hours, '06:00-22:00')
  const [, opens = '', , closes = ''] = HOURS.exec(hours) ?? []
  if (opens === '' || opens >= closes) {
    errors.push(`${given.hours} must be two times of a day such as 06:00-22:00, not "${hours}"`)
  }
  const fxMarginPercent = read.text(given.margin, '0')
  if (!PERCENT.test(fxMarginPercent)) {
    errors.push(`${given.margin} must be a percentage below ten such as 0.5, not "${fxMarginPercent}"`)
  }
  return { fxServiceHours: { opens, closes }, fxMarginPercent, referenceRatesUrl: read.optionalUrl(given.ratesUrl) }
}
