/** Where a payment abroad goes, as rules look at it, and what can be wrong with it. */
import type { Money } from '../../platform/money.ts'

/** Members of an address that countries ask for. */
export type AddressMember = 'streetName' | 'buildingNumber' | 'city' | 'postCode' | 'country'

export type InformationType = 'TaxCode' | 'Reason' | 'Purpose'

/** A receiver and its account as a partner names them; nothing is checked but that these are texts. */
export type Destination = {
  readonly account: {
    readonly iban?: string
    /** The number by which the country knows the account, or an IBAN. */
    readonly bban?: string
    readonly bic: string
    readonly clearingCode?: string
  }
  readonly address: { readonly country: string } & { readonly [member in AddressMember]?: string | undefined }
  /** What the receiver is paid in (ISO 4217). */
  readonly currency: string
  /** What is paid, in any currency; some countries ask more of large payments. */
  readonly amount?: Money
  readonly additionalInformation: readonly { readonly type: InformationType; readonly value: string }[]
  /** What the receiver is told; absent where other rules than the country's judge it. */
  readonly message?: string
}

/** Which part a problem is about. */
export type DestinationPart =
  | 'iban'
  | 'bban'
  | 'bic'
  | 'clearingCode'
  | `address.${AddressMember}`
  | 'currency'
  | 'additionalInformation'
  | 'message'

/** What is wrong, for the operations to give each its code. */
export type DestinationFault =
  /** Of the receiver (`address.country`) or of its bank (`bic`): nothing is paid there. */
  | { readonly kind: 'country-unsupported'; readonly country: string }
  | { readonly kind: 'currency-not-accepted'; readonly accepted: readonly string[] }
  /** Neither an IBAN nor another number. */
  | { readonly kind: 'account-missing' }
  /** There is a number, but the country is paid by IBAN only. */
  | { readonly kind: 'iban-missing' }
  | { readonly kind: 'iban-malformed' }
  /** There is an IBAN, but the country has none. */
  | { readonly kind: 'iban-not-taken' }
  | { readonly kind: 'account-malformed' }
  | { readonly kind: 'bic-malformed' }
  /** The BIC is of another country than the IBAN. */
  | { readonly kind: 'bic-mismatch' }
  | { readonly kind: 'clearing-code-missing' }
  | { readonly kind: 'clearing-code-malformed' }
  | { readonly kind: 'address-missing'; readonly member: AddressMember }
  | { readonly kind: 'address-malformed'; readonly member: AddressMember }
  | { readonly kind: 'information-missing'; readonly type: InformationType }
  | { readonly kind: 'information-malformed'; readonly type: InformationType }
  | { readonly kind: 'information-twice'; readonly type: InformationType }
  | { readonly kind: 'message-malformed' }

/** One thing that is wrong. The reason completes "It …". */
export type DestinationProblem = {
  readonly part: DestinationPart
  /** Which element, for what is wrong in one of `additionalInformation`. */
  readonly index?: number
  readonly fault: DestinationFault
  readonly reason: string
}

/** What looks wrong though it may be genuine; the reason completes "It …". */
export type DestinationWarning = Omit<DestinationProblem, 'fault'>

/** What a rule finds. */
export type Findings = {
  readonly problems: readonly DestinationProblem[]
  readonly warnings: readonly DestinationWarning[]
}

export const NOTHING_FOUND: Findings = { problems: [], warnings: [] }

export function wrong(problem: DestinationProblem): Findings {
  return { problems: [problem], warnings: [] }
}

export function doubtful(warning: DestinationWarning): Findings {
  return { problems: [], warnings: [warning] }
}

export function together(findings: readonly Findings[]): Findings {
  return {
    problems: findings.flatMap(({ problems }) => problems),
    warnings: findings.flatMap(({ warnings }) => warnings),
  }
}
