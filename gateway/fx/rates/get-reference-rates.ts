/** Tells the reference rates of the day, by which amounts are compared with thresholds in another currency. */
import type Big from 'big.js'
import shipped from '../../../data/ecb-rates.json' with { type: 'json' }
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import type { Money } from '../../platform/money.ts'
import { exact, moneyOf, unitsOf } from './rate-arithmetic.ts'
import { newestRates } from './reference-rate-store.ts'
import type { ReferenceRates } from './reference-rates.ts'

/** The bank publishes on days on which its settlement system is open: four days pass without a rate at Easter. */
const DAYS_OLD_MAX = 5
const EURO = { EUR: '1' }
/** Days are those of the European Central Bank. */
const ZONE = 'Europe/Berlin'

type Surroundings = {
  readonly config: Pick<Config, 'mode'>
  readonly clock: Pick<Clock, 'today'>
  readonly database: Queryable
}

/** The newest rates. Throws `SERVICE_CLOSED` when they are older than five days; in the sandbox they never are. */
export async function referenceRates({ config, clock, database }: Surroundings): Promise<ReferenceRates> {
  const fetched = await newestRates(database)
  const shippedDay = Temporal.PlainDate.from(shipped.day)
  const today = clock.today(ZONE)
  const isFetched = fetched !== undefined && Temporal.PlainDate.compare(fetched.day, shippedDay) > 0
  const rates = isFetched ? fetched : { day: shippedDay, perEuro: shipped.rates }
  if (config.mode === 'sandbox') {
    return { day: today, perEuro: { ...shipped.standIns.rates, ...rates.perEuro, ...EURO } }
  }
  if (rates.day.until(today).days > DAYS_OLD_MAX) {
    throw refuse(
      'SERVICE_CLOSED',
      `The latest reference rates are of ${rates.day}; no money is exchanged by rates older than ${DAYS_OLD_MAX} days`,
    )
  }
  return { day: rates.day, perEuro: { ...rates.perEuro, ...EURO } }
}

/** How many units of `to` are worth one unit of `from`; undefined where there is no rate of one of them. */
export function crossRate({ perEuro }: ReferenceRates, from: string, to: string): Big | undefined {
  const [one, other] = [rateIn(perEuro, from), rateIn(perEuro, to)]
  return one === undefined || other === undefined ? undefined : exact(other).div(exact(one))
}

/** What an amount is worth in a currency, rounded half up; undefined where there is no rate. */
export function worthAt(rates: ReferenceRates, money: Money, currency: string): Money | undefined {
  const [one, other] = [rateIn(rates.perEuro, money.currency), rateIn(rates.perEuro, currency)]
  if (one === undefined || other === undefined) {
    return undefined
  }
  // The division comes last, so that what is worth a whole number of units is exactly that.
  return moneyOf(unitsOf(money).times(exact(other)).div(exact(one)), currency)
}

/**
 * What an amount is worth at the reference rate of the day, rounded half up; undefined for a currency that has none, as
 * about half of those that can be paid out. Throws `SERVICE_CLOSED` when the rates are too old.
 */
export async function convertAtReference(
  context: Surroundings,
  money: Money,
  currency: string,
): Promise<Money | undefined> {
  return money.currency === currency ? money : worthAt(await referenceRates(context), money, currency)
}

function rateIn(perEuro: ReferenceRates['perEuro'], currency: string): string | undefined {
  return Object.hasOwn(perEuro, currency) ? perEuro[currency] : undefined
}
