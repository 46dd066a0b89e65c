/** Validates the regulatory reporting that the debtor's country requires, at the reference rate of the day. */

import type { Context } from '../../context.ts'
import { type ReportingFinding, reportingFindings, reportingTerms } from '../../countries/regulatory-reporting.ts'
import type { ReportingTerms } from '../../countries/reporting-terms.ts'
import { convertAtReferenceRate } from '../../fx/rates/get-reference-rates.ts'
import type { Money } from '../../platform/money.ts'
import type { CrossBorderParts } from './cross-border-parts.ts'

/** A finding with its path in the order. */
export type LocatedReportingFinding = Pick<ReportingFinding, 'reason' | 'isWarning'> & { readonly path: string }

/**
 * Requires a valid amount and reporting. A currency without a reference rate counts as above the threshold: superfluous
 * reporting does no harm. Throws `SERVICE_CLOSED` when the rates are outdated.
 */
export async function validateRegulatoryReporting(
  context: Context,
  { ordered: { regulatoryReporting }, amount: money }: Pick<CrossBorderParts, 'ordered' | 'amount'>,
  countryCode: string,
): Promise<readonly LocatedReportingFinding[]> {
  if (money === undefined) {
    return []
  }
  const terms = reportingTerms(countryCode)
  const value =
    terms === undefined ? money : ((await convertToThresholdCurrency(context, money, terms)) ?? aboveThreshold(terms))
  return reportingFindings(countryCode, value, regulatoryReporting).map(({ part, reason, isWarning }) => ({
    path: part === 'regulatoryReporting' ? '.regulatoryReporting' : `.regulatoryReporting.${part}`,
    reason,
    isWarning,
  }))
}

async function convertToThresholdCurrency(
  context: Context,
  money: Money,
  { threshold }: ReportingTerms,
): Promise<Money | undefined> {
  return await convertAtReferenceRate(context, money, threshold.currency)
}

function aboveThreshold({ threshold: { minor, currency } }: ReportingTerms): Money {
  return { minor: minor + 1n, currency }
}
