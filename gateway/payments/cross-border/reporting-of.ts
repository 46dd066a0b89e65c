/** Finds what the authorities of the payer's country lack of a cross-border payment, at the reference rate of the day. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import {
  type ReportingFinding,
  type ReportingTerms,
  reportingFindings,
  reportingTerms,
} from '../../countries/destinations/regulatory-reporting.ts'
import { convertAtReference } from '../../fx/rates/get-reference-rates.ts'
import { type Money, parseMoney } from '../../platform/money.ts'

type Surroundings = Parameters<typeof convertAtReference>[0]

/** One finding, at its place in the order. */
export type ReportingFound = Pick<ReportingFinding, 'reason' | 'isWarning'> & { readonly path: string }

/**
 * The order's amount and reporting must be sound. A currency without a reference rate counts as above the threshold:
 * what is told for nothing does no harm. Throws `SERVICE_CLOSED` when the rates are too old.
 */
export async function reportingOf(
  context: Surroundings,
  { amount: { amount, currency }, regulatoryReporting: told }: CrossBorderPayment,
  countryCode: string,
): Promise<readonly ReportingFound[]> {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    return []
  }
  const terms = reportingTerms(countryCode)
  const value = terms === undefined ? money : ((await worthIn(context, money, terms)) ?? aboveThreshold(terms))
  return reportingFindings(countryCode, value, told).map(({ part, reason, isWarning }) => ({
    path: part === 'regulatoryReporting' ? '.regulatoryReporting' : `.regulatoryReporting.${part}`,
    reason,
    isWarning,
  }))
}

async function worthIn(context: Surroundings, money: Money, { threshold }: ReportingTerms): Promise<Money | undefined> {
  return await convertAtReference(context, money, threshold.currency)
}

function aboveThreshold({ threshold: { minor, currency } }: ReportingTerms): Money {
  return { minor: minor + 1n, currency }
}
