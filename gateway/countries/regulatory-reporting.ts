/** Validates the regulatory reporting of cross-border payments to the authorities of the debtor's country. */
import { formatAmount, type Money } from '../platform/money.ts'
import { describeUnsupportedCharacter, findCharacterUnsupportedIn } from './character-sets.ts'
import type { ReportingTerms } from './reporting-terms.ts'
import { countryRules, SERVED_COUNTRIES } from './served-countries.ts'

/** The reporting that a partner sends. */
export type ReportingDeclaration = { readonly code: string; readonly information?: string }

/** An error or warning; the reason completes "It …". */
export type ReportingFinding = {
  readonly part: 'regulatoryReporting' | 'code' | 'information'
  readonly fault:
    | 'not-applicable'
    | 'missing'
    | 'code-unknown'
    | 'information-not-applicable'
    | 'information-too-long'
    | 'information-characters'
    | 'information-missing'
  readonly reason: string
  readonly isWarning: boolean
}

/** The reporting rules of the debtor's country (ISO 3166-1 alpha-2); undefined if it requires no reporting. */
export function reportingTerms(country: string): ReportingTerms | undefined {
  return countryRules(country)?.regulatoryReporting ?? undefined
}

/**
 * Validates the reporting of a payment from `country`. `value` is the amount in the currency of the threshold,
 * converted at the day's reference rate and rounded half up to the smallest unit.
 */
export function reportingFindings(
  country: string,
  value: Money,
  reporting: ReportingDeclaration | undefined,
): readonly ReportingFinding[] {
  const terms = reportingTerms(country)
  if (terms === undefined) {
    const countries = SERVED_COUNTRIES.filter((served) => reportingTerms(served) !== undefined).join(', ')
    const reason = `is for payments from ${countries}`
    return reporting === undefined ? [] : [errorFinding('regulatoryReporting', 'not-applicable', reason)]
  }
  const isAbove = isAboveThreshold(terms, value)
  if (reporting === undefined) {
    const { threshold } = terms
    const reason = `is missing: payments above ${formatAmount(threshold)} ${threshold.currency} are reported`
    return isAbove ? [errorFinding('regulatoryReporting', 'missing', reason)] : []
  }
  return [
    ...validateReportingCode(terms, country, reporting),
    ...validateInformation(terms, country, reporting, isAbove),
  ]
}

function isAboveThreshold({ threshold }: ReportingTerms, value: Money): boolean {
  if (value.currency !== threshold.currency) {
    throw new Error(
      `The amount must be in the currency of the threshold, ${threshold.currency}, not in ${value.currency}`,
    )
  }
  return value.minor > threshold.minor
}

function validateReportingCode(
  { codes, codeForm, others }: ReportingTerms,
  country: string,
  { code }: ReportingDeclaration,
): ReportingFinding[] {
  if (codes.some((listed) => listed.code === code)) {
    return []
  }
  const isWarning = others === 'warned' && codeForm.test(code)
  const ofList = `is not in our list of codes of ${country}, which may be incomplete`
  const reason = isWarning ? ofList : `is not a code of ${country}`
  return [{ part: 'code', fault: 'code-unknown', reason, isWarning }]
}

/** The API does not require the text, but Norwegian banks do: without it, a payment may be delayed. */
function validateInformation(
  { informationMax }: ReportingTerms,
  country: string,
  { information }: ReportingDeclaration,
  isAbove: boolean,
): ReportingFinding[] {
  if (informationMax === 0) {
    const reason = `is not reported to the authorities of ${country}; leave it out`
    return information === undefined ? [] : [errorFinding('information', 'information-not-applicable', reason)]
  }
  if (information === undefined || information.trim() === '') {
    const reason = 'is missing: banks may ask for the purpose as text'
    return isAbove ? [{ part: 'information', fault: 'information-missing', reason, isWarning: true }] : []
  }
  const { length } = [...information]
  if (length > informationMax) {
    const reason = `has ${length} characters; the bank accepts at most ${informationMax}`
    return [errorFinding('information', 'information-too-long', reason)]
  }
  // It stays in the country, whose letters it may have.
  const unsupported = findCharacterUnsupportedIn(country, information)
  return unsupported === undefined
    ? []
    : [errorFinding('information', 'information-characters', describeUnsupportedCharacter(unsupported))]
}

function errorFinding(
  part: ReportingFinding['part'],
  fault: ReportingFinding['fault'],
  reason: string,
): ReportingFinding {
  return { part, fault, reason, isWarning: false }
}
