/** Parses the file of reference rates of the European Central Bank, strictly: reporting duties depend on the rates. */

import { parseDay } from '../../platform/clock.ts'
import { currencyScale } from '../../platform/money.ts'

/** The genuine file has about two thousand characters. */
const CHARACTERS_MAX = 20_000
/** About thirty are published; a file with far fewer is truncated or another one. */
const CURRENCIES_MIN = 20
/** Currencies of the reporting thresholds. */
const REQUIRED_CURRENCIES = ['USD', 'GBP', 'SEK', 'NOK', 'DKK']
const ENVELOPE =
  /^(?:<\?xml [^<>]*\?>)?\s*<gesmes:Envelope(?: [^<>]*)?>\s*(?:<gesmes:subject>[^<>]*<\/gesmes:subject>\s*)?(?:<gesmes:Sender>\s*<gesmes:name>[^<>]*<\/gesmes:name>\s*<\/gesmes:Sender>\s*)?<Cube>\s*<Cube time=(?:'(?<day>[0-9-]{10})'|"(?<day2>[0-9-]{10})")>\s*(?<rates>(?:<Cube (?:currency|rate)=[^<>]*\/>\s*)+)<\/Cube>\s*<\/Cube>\s*<\/gesmes:Envelope>\s*$/
const RATE = /^<Cube currency=(["'])([A-Z]{3})\1 rate=(["'])((?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,8})?)\3\s*\/>$/

/** The file is not valid; the message says why. */
export class UnreadableRateFile extends Error {}

/** Returns the rates with the digits as published. Throws `UnreadableRateFile`. */
export function parseRateFile(text: string): ReferenceRates {
  if (text.length > CHARACTERS_MAX) {
    throw new UnreadableRateFile(`The file has more than ${CHARACTERS_MAX} characters`)
  }
  const { day, day2, rates } = ENVELOPE.exec(text)?.groups ?? {}
  if (rates === undefined) {
    throw new UnreadableRateFile('The file does not have the format of the ECB reference rates')
  }
  const perEuro: Record<string, string> = {}
  for (const element of rates.match(/<Cube [^<>]*\/>/g) ?? []) {
    const [, , currency = '', , rate = ''] = RATE.exec(element) ?? []
    if (currencyScale(currency) === undefined || currency === 'EUR' || /^[0.]*$/.test(rate)) {
      throw new UnreadableRateFile(`${element.slice(0, 80)} is not a valid rate`)
    }
    if (Object.hasOwn(perEuro, currency)) {
      throw new UnreadableRateFile(`The file has two rates of ${currency}`)
    }
    perEuro[currency] = rate
  }
  return { day: requireDay(day ?? day2 ?? ''), perEuro: requireComplete(perEuro) }
}

function requireDay(text: string): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined) {
    throw new UnreadableRateFile(`${text} is not a valid date`)
  }
  return day
}

function requireComplete(perEuro: Readonly<Record<string, string>>): ReferenceRates['perEuro'] {
  const missing = REQUIRED_CURRENCIES.filter((currency) => !Object.hasOwn(perEuro, currency))
  if (missing.length > 0 || Object.keys(perEuro).length < CURRENCIES_MIN) {
    throw new UnreadableRateFile(
      `The file has only ${Object.keys(perEuro).length} rates; missing: ${missing.join(', ') || 'unknown'}`,
    )
  }
  return perEuro
}

/** Rates of one day. */
export type ReferenceRates = { readonly day: Temporal.PlainDate; readonly perEuro: Readonly<Record<string, string>> }
