/** Returns the current reference rates, which convert amounts for thresholds in another currency. */
import type Big from 'big.js'
import shipped from '../../../data/ecb-rates.json' with { type: 'json' }
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Money } from '../../platform/money.ts'
import type { ReferenceRates } from './ecb-rate-file.ts'
import { exactDecimal, moneyOf, unitsOf } from './rate-arithmetic.ts'
import { findLatestReferenceRates } from './reference-rate-store.ts'

/** Rates are published on days of the TARGET calendar: at Easter four days pass without one. */
const DAYS_OLD_MAX = 5
const EURO = { EUR: '1' }
/** The time zone of the European Central Bank. */
const ZONE = 'Europe/Berlin'

/** Where rates come from, and of which day they are. */
type RateSource = {
  readonly config: Pick<Config, 'mode'>
  readonly clock: Pick<Clock, 'today'>
  readonly database: Queryable
}

/** The newest rates. Throws `SERVICE_CLOSED` when they are older than five days; in the sandbox they never are. */
export async function getReferenceRates(source: RateSource): Promise<ReferenceRates> {
  const { isOutdated, ...rates } = await readLatestRates(source)
  if (isOutdated) {
    throw apiError(
      'SERVICE_CLOSED',
      `The latest reference rates are of ${rates.day}; they must be at most ${DAYS_OLD_MAX} days old`,
    )
  }
  return rates
}

/** The newest rates; undefined when they are older than five days. */
export async function findReferenceRates(source: RateSource): Promise<ReferenceRates | undefined> {
  const { isOutdated, ...rates } = await readLatestRates(source)
  return isOutdated ? undefined : rates
}

async function readLatestRates({
  config,
  clock,
  database,
}: RateSource): Promise<ReferenceRates & { readonly isOutdated: boolean }> {
  const fetched = await findLatestReferenceRates(database)
  const shippedDay = Temporal.PlainDate.from(shipped.day)
  const today = clock.today(ZONE)
  const isFetched = fetched !== undefined && Temporal.PlainDate.compare(fetched.day, shippedDay) > 0
  const rates = isFetched ? fetched : { day: shippedDay, perEuro: shipped.rates }
  if (config.mode === 'sandbox') {
    return { day: today, perEuro: { ...shipped.standIns.rates, ...rates.perEuro, ...EURO }, isOutdated: false }
  }
  const isOutdated = rates.day.until(today).days > DAYS_OLD_MAX
  return { day: rates.day, perEuro: { ...rates.perEuro, ...EURO }, isOutdated }
}

/** Units of `to` for one unit of `from`; undefined without a rate for either. */
export function crossRate({ perEuro }: ReferenceRates, from: string, to: string): Big | undefined {
  const [one, other] = [rateIn(perEuro, from), rateIn(perEuro, to)]
  return one === undefined || other === undefined ? undefined : exactDecimal(other).div(exactDecimal(one))
}

/** Converts an amount, rounded half up; undefined without a rate: for about half of the currencies that can be paid out. */
export function convertAtRates(rates: ReferenceRates, money: Money, currency: string): Money | undefined {
  const [one, other] = [rateIn(rates.perEuro, money.currency), rateIn(rates.perEuro, currency)]
  if (one === undefined || other === undefined) {
    return undefined
  }
  // Dividing last keeps results exact that are a whole number of units.
  return moneyOf(unitsOf(money).times(exactDecimal(other)).div(exactDecimal(one)), currency)
}

function rateIn(perEuro: ReferenceRates['perEuro'], currency: string): string | undefined {
  return Object.hasOwn(perEuro, currency) ? perEuro[currency] : undefined
}
