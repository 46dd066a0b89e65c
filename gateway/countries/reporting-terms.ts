/** Parses a country's terms of regulatory reporting from the table of codes, and checks them at start. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Money, parseMoney } from '../platform/money.ts'

const Terms = Type.Object({
  threshold: Type.Object({ amount: Type.String(), currency: Type.String() }),
  codeForm: Type.String({ format: 'regex' }),
  /** Whether a code with the right format that is not listed is rejected or causes a warning. */
  others: Type.Enum(['refused', 'warned']),
  /** 0 if only the code is reported. */
  informationMax: Type.Integer({ minimum: 0 }),
  codes: Type.Array(Type.Object({ code: Type.String(), description: Type.String(), local: Type.String() })),
})

const terms = Compile(Terms)

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
  readonly others: 'refused' | 'warned'
  /** Maximum length of the information; 0 if there is none. */
  readonly informationMax: number
}

/** The terms of a country in `data/regulatory-codes.json`. Throws if they are not valid. */
export function parseReportingTerms(read: unknown): ReportingTerms {
  const { threshold, codeForm, ...others } = checked(read)
  return { ...others, threshold: amountOf(threshold), codeForm: new RegExp(codeForm) }
}

function amountOf({ amount, currency }: { readonly amount: string; readonly currency: string }): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error(`data/regulatory-codes.json is not usable: ${amount} ${currency} is not a valid amount`)
  }
  return money
}

function checked(read: unknown): Static<typeof Terms> {
  if (!terms.Check(read)) {
    const faults = terms.Errors(read).map(({ instancePath, message }) => `${instancePath} ${message}`)
    throw new Error(`data/regulatory-codes.json is not usable: ${faults.join('; ')}`)
  }
  return read
}
