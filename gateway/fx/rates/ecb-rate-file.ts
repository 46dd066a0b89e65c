/** Reads the file in which the European Central Bank publishes its reference rates, strictly: rates decide on duties. */
import { scaleOf } from '../../platform/money.ts'
import type { ReferenceRates } from './reference-rates.ts'

/** The bank's own has two thousand characters. */
const CHARACTERS_MAX = 20_000
/** Thirty are published; a file with a handful is broken off or another one. */
const CURRENCIES_MIN = 20
/** Without these no threshold of ours can be told. */
const NEEDED = ['USD', 'GBP', 'SEK', 'NOK', 'DKK']
const ENVELOPE =
  /^(?:<\?xml [^<>]*\?>)?\s*<gesmes:Envelope(?: [^<>]*)?>\s*(?:<gesmes:subject>[^<>]*<\/gesmes:subject>\s*)?(?:<gesmes:Sender>\s*<gesmes:name>[^<>]*<\/gesmes:name>\s*<\/gesmes:Sender>\s*)?<Cube>\s*<Cube time=(?:'(?<day>[0-9-]{10})'|"(?<day2>[0-9-]{10})")>\s*(?<rates>(?:<Cube (?:currency|rate)=[^<>]*\/>\s*)+)<\/Cube>\s*<\/Cube>\s*<\/gesmes:Envelope>\s*$/
const RATE = /^<Cube currency=(["'])([A-Z]{3})\1 rate=(["'])((?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,8})?)\3\s*\/>$/

/** Thrown with what is wrong with a file. */
export class RatesUnreadable extends Error {}

/** The rates, with the digits that were published. Throws `RatesUnreadable` for anything but such a file. */
export function readRateFile(text: string): ReferenceRates {
  if (text.length > CHARACTERS_MAX) {
    throw new RatesUnreadable(`It has more than ${CHARACTERS_MAX} characters`)
  }
  const { day, day2, rates } = ENVELOPE.exec(text)?.groups ?? {}
  if (rates === undefined) {
    throw new RatesUnreadable('It is not built as the file of reference rates is')
  }
  const perEuro: Record<string, string> = {}
  for (const element of rates.match(/<Cube [^<>]*\/>/g) ?? []) {
    const [, , currency = '', , rate = ''] = RATE.exec(element) ?? []
    if (scaleOf(currency) === undefined || currency === 'EUR' || /^[0.]*$/.test(rate)) {
      throw new RatesUnreadable(`${element.slice(0, 80)} is no rate`)
    }
    if (Object.hasOwn(perEuro, currency)) {
      throw new RatesUnreadable(`It has two rates of ${currency}`)
    }
    perEuro[currency] = rate
  }
  return { day: dayOf(day ?? day2 ?? ''), perEuro: complete(perEuro) }
}

function dayOf(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    throw new RatesUnreadable(`${text} is no day`)
  }
}

function complete(perEuro: Readonly<Record<string, string>>): ReferenceRates['perEuro'] {
  const missing = NEEDED.filter((currency) => !Object.hasOwn(perEuro, currency))
  if (missing.length > 0 || Object.keys(perEuro).length < CURRENCIES_MIN) {
    throw new RatesUnreadable(`It has ${Object.keys(perEuro).length} rates, and lacks ${missing.join(', ') || 'some'}`)
  }
  return perEuro
}
