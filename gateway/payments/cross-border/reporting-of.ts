/** Finds what the authorities of the payer's country lack of a cross-border payment, at the reference rate of the day. */
import type { CrossBorderPayment } from '../../../contract/cross-border-payment.ts'
import type { Context } from '../../context.ts'
import {
  type ReportingFinding,
  reportingFindings,
  reportingTerms,
} from '../../countries/requirements/regulatory-reporting.ts'
import { parseMoney } from '../../foundation/money.ts'
import { convertAtReference } from '../../fx/reference-rates.ts'

/** One finding, at its place in the order. */
export type ReportingFound = Pick<ReportingFinding, 'reason' | 'isWarning'> & { readonly path: string }

/** The order's amount and reporting must be sound. Throws `SERVICE_CLOSED` when nobody can tell what it is worth. */
export async function reportingOf(
  context: Pick<Context, 'config' | 'clock' | 'database'>,
  { amount: { amount, currency }, regulatoryReporting: told }: CrossBorderPayment,
  countryCode: string,
): Promise<readonly ReportingFound[]> {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    return []
  }
  const terms = reportingTerms(countryCode)
  const value = terms === undefined ? money : await convertAtReference(context, money, terms.threshold.currency)
  return reportingFindings(countryCode, value, told).map(({ part, reason, isWarning }) => ({
    path: part === 'regulatoryReporting' ? '.regulatoryReporting' : `.regulatoryReporting.${part}`,
    reason,
    isWarning,
  }))
}
