/** Parses a country's terms of regulatory reporting from the table of codes. */
import regulatoryCodes from '../../data/regulatory-codes.json' with { type: 'json' }
import { type Money, parseMoney } from '../platform/money.ts'

/** A code and its meaning. */
export type ReportingCode = {
  readonly code: string
  readonly description: string
  /** The description in the country's language. */
  readonly local: string
}

/** The reporting rules of one country. */
export type ReportingTerms = {
  /** Payments above it must be reported; an equal amount need not be. */
  readonly threshold: Money
  readonly codes: readonly ReportingCode[]
  readonly codeForm: RegExp
  /** Whether a code with the right format that is not listed is rejected or causes a warning. */
  readonly others: 'refused' | 'warned'
  /** Maximum length of the information; 0 if only the code is reported. */
  readonly informationMax: number
}

/** The terms of a country in `data/regulatory-codes.json`. Throws if they are not valid. */
export function parseReportingTerms(country: keyof typeof regulatoryCodes.countries): ReportingTerms {
  const { threshold, codeForm, others, ...rest } = regulatoryCodes.countries[country]
  if (others !== 'refused' && others !== 'warned') {
    throw new Error(`data/regulatory-codes.json is not usable: others is refused or warned, not ${others}`)
  }
  return { ...rest, others, threshold: amountOf(threshold), codeForm: new RegExp(codeForm) }
}

function amountOf({ amount, currency }: { readonly amount: string; readonly currency: string }): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error(`data/regulatory-codes.json is not usable: ${amount} ${currency} is not a valid amount`)
  }
  return money
}
