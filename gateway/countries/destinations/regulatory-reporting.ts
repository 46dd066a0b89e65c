/** Judges what the authorities of the payer's country are told of a payment abroad: Norway and Sweden. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import table from '../../../data/regulatory-codes.json' with { type: 'json' }
import { type Money, parseMoney, printAmount } from '../../platform/money.ts'

const Countries = Type.Record(
  Type.String({ pattern: '^[A-Z]{2}$' }),
  Type.Object({
    threshold: Type.Object({ amount: Type.String(), currency: Type.String() }),
    codeForm: Type.String({ format: 'regex' }),
    /** What becomes of a code that has the form and is not listed. */
    others: Type.Enum(['refused', 'warned']),
    /** 0 where authorities are told the code alone. */
    informationMax: Type.Integer({ minimum: 0 }),
    codes: Type.Array(Type.Object({ code: Type.String(), description: Type.String(), local: Type.String() })),
  }),
)

/** A code and what it says. */
export type ReportingCode = {
  readonly code: string
  readonly description: string
  /** The same in the country's language. */
  readonly local: string
}

/** What one country wants to be told, and of which payments. */
export type ReportingTerms = {
  /** Payments above it are reported; one that equals it is not. */
  readonly threshold: Money
  readonly codes: readonly ReportingCode[]
  readonly codeForm: RegExp
  readonly others: 'refused' | 'warned'
  /** How many characters the information has at most; 0 where there is none. */
  readonly informationMax: number
}

/** What a partner tells. */
export type Reporting = { readonly code: string; readonly information?: string }

/** One thing that is wrong, or looks wrong; the reason completes "It …". */
export type ReportingFinding = {
  readonly part: 'regulatoryReporting' | 'code' | 'information'
  readonly fault:
    | 'not-applicable'
    | 'missing'
    | 'code-unknown'
    | 'information-not-applicable'
    | 'information-too-long'
    | 'information-missing'
  readonly reason: string
  /** Whether the payment may be made all the same. */
  readonly isWarning: boolean
}

const termsByCountry: ReadonlyMap<string, ReportingTerms> = new Map(
  Object.entries(checked(table.countries)).map(([country, { threshold, codeForm, ...terms }]) => [
    country,
    { ...terms, threshold: amountOf(threshold), codeForm: new RegExp(codeForm) },
  ]),
)

/** What the payer's country (ISO 3166-1 alpha-2) wants to be told; undefined where it wants nothing. */
export function reportingTerms(country: string): ReportingTerms | undefined {
  return termsByCountry.get(country)
}

/**
 * What is wrong with what is told, or not told, of a payment from `country`. `value` is what is paid in the currency of
 * the threshold, converted at the day's reference rate and rounded half up to its smallest unit.
 */
export function reportingFindings(
  country: string,
  value: Money,
  reporting: Reporting | undefined,
): readonly ReportingFinding[] {
  const terms = reportingTerms(country)
  if (terms === undefined) {
    return reporting === undefined
      ? []
      : [
          wrong(
            'regulatoryReporting',
            'not-applicable',
            `is for payments from ${[...termsByCountry.keys()].join(', ')}`,
          ),
        ]
  }
  const isAbove = isAboveThreshold(terms, value)
  if (reporting === undefined) {
    const { threshold } = terms
    const reason = `is missing: payments above ${printAmount(threshold)} ${threshold.currency} are reported`
    return isAbove ? [wrong('regulatoryReporting', 'missing', reason)] : []
  }
  return [...judgeCode(terms, country, reporting), ...judgeInformation(terms, country, reporting, isAbove)]
}

function isAboveThreshold({ threshold }: ReportingTerms, value: Money): boolean {
  if (value.currency !== threshold.currency) {
    throw new Error(`What is compared with a threshold in ${threshold.currency} is in ${value.currency}`)
  }
  return value.minor > threshold.minor
}

function judgeCode(
  { codes, codeForm, others }: ReportingTerms,
  country: string,
  { code }: Reporting,
): ReportingFinding[] {
  if (codes.some((listed) => listed.code === code)) {
    return []
  }
  const isNewer = others === 'warned' && codeForm.test(code)
  return [
    {
      part: 'code',
      fault: 'code-unknown',
      reason: isNewer ? `is not among the codes of ${country} that are known here` : `is not a code of ${country}`,
      isWarning: isNewer,
    },
  ]
}

/** The interface leaves the words open, while Norway's banks want them: without them a payment may be held up. */
function judgeInformation(
  { informationMax }: ReportingTerms,
  country: string,
  { information }: Reporting,
  isAbove: boolean,
): ReportingFinding[] {
  if (informationMax === 0) {
    const reason = `is not told to the authorities of ${country}; leave it out`
    return information === undefined ? [] : [wrong('information', 'information-not-applicable', reason)]
  }
  if (information === undefined || information.trim() === '') {
    const reason = 'is missing: banks may ask what was paid for, in words'
    return isAbove ? [{ part: 'information', fault: 'information-missing', reason, isWarning: true }] : []
  }
  const reason = `has ${information.length} characters; the bank takes ${informationMax}`
  return information.length > informationMax ? [wrong('information', 'information-too-long', reason)] : []
}

function wrong(part: ReportingFinding['part'], fault: ReportingFinding['fault'], reason: string): ReportingFinding {
  return { part, fault, reason, isWarning: false }
}

function amountOf({ amount, currency }: { readonly amount: string; readonly currency: string }): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error(`data/regulatory-codes.json is not usable: ${amount} ${currency} is no amount`)
  }
  return money
}

function checked(read: unknown): Static<typeof Countries> {
  const validator = Compile(Countries)
  if (!validator.Check(read)) {
    const faults = validator.Errors(read).map(({ instancePath, message }) => `${instancePath} ${message}`)
    throw new Error(`data/regulatory-codes.json is not usable: ${faults.join('; ')}`)
  }
  return read
}
