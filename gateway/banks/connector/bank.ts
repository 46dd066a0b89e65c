/** A bank: a row of the directory joined with the profile of its products, limits and dialect. */

import type { PreferredScaMethod } from '../../../contract/shapes.ts'
import type { DomesticRail } from '../../countries/country.ts'
import type { AuthorisationRequest } from './sca-authorisation.ts'

/** Products of banks, as the public API names them. */
export const BANK_PRODUCTS = [
  'PAYMENT_DOMESTIC',
  'PAYMENT_CROSS_BORDER',
  'PAYROLL',
  'PAYROLL_BULK',
  'ACCOUNTS',
  'ACCOUNT_ENTRIES',
  'ACCOUNT_ENTRIES_EXTENDED',
  'PAYMENT_CANCEL',
] as const
export type BankProduct = (typeof BANK_PRODUCTS)[number]

/** Availability of the bank, derived from our recent calls. */
export type BankStatus = 'Operational' | 'Degraded' | 'Down'

export type Bank = {
  readonly bic: string
  readonly name: string
  readonly countryCode: string
  /** Key of `connectorsByName`. */
  readonly connector: string
  /** Base URL of its API before `/v1`, without a trailing slash. */
  readonly address: string
  /** `host:port` of every host that its links may point to; the server and browsers follow links to no other host. */
  readonly linkHosts: readonly string[]
  /** The named pair of certificates that it knows us by; null for the pair without a name. */
  readonly certificate: string | null
  readonly profile: BankProfile
}

/** What banks of one kind offer and require; stored as JSON in `data/bank-profiles/`. */
export type BankProfile = {
  readonly name: string
  readonly timeZone: string
  readonly products: readonly BankProduct[]
  readonly branches: readonly { readonly name: string; readonly branch: string }[]
  readonly constraints: BankConstraints
  /** Signing baskets; null where the bank has none. */
  readonly baskets: { readonly max: number; readonly domesticOnly: boolean } | null
  /** How payrolls are submitted; null where the bank accepts none. */
  readonly payroll: PayrollTerms | null
  /** Whether orders can be cancelled: never, without SCA, or with SCA once the order itself is signed. */
  readonly cancellation: 'none' | 'free' | 'after-signing'
  /** As the public API shows them. */
  readonly scaMethods: readonly ('Redirect' | 'Qr')[]
  /** The SCA approaches of the bank; the first is the default. */
  readonly scaApproaches: readonly ScaApproach[]
  /** `integrated`: SCA is an OAuth grant for the resource. `pre-step`: every call needs tokens from a sign-in. */
  readonly oauth: 'none' | 'integrated' | 'pre-step'
  readonly maxConsentValidityDays: number
  readonly userId: BankUserId
  readonly dueDateMaxDays: number
  /** Largest amount of one domestic payment, by currency, as a decimal string. */
  readonly amountMax: Readonly<Record<string, string>>
  /** Rails of domestic payments; absent ones are not offered. */
  readonly rails: { readonly account: RailTerms } & Readonly<Partial<Record<DomesticRail, RailTerms>>>
  /** Cross-border payments; absent where the bank offers none. */
  readonly crossBorder?: CrossBorderTerms
  /** What the bank does with an order that is due on a day when it is closed. */
  readonly closedDays: 'next-bank-day' | 'rejected'
  /** The last payment status that the bank reports: some banks stop before settlement. */
  readonly lastVisible: 'settled' | 'accepted'
  /** Minimum time between two status requests for one payment, or two listings of a file bank's reports. */
  readonly pollSecondsMin: number
  /** How long the user has to complete a started authorisation. */
  readonly authorisationTtlSeconds: number
  /** What happens to an unsigned order: it exists until the end of its due date, or the bank moves the due date. */
  readonly unsignedLifetime: 'due-day' | 'moved-by-bank'
  /** Whether the bank offers details of single entries, and pending entries. */
  readonly entries: { readonly details: boolean; readonly pending: boolean }
  /** Whether a new consent of a user ends the older ones of the same third party. */
  readonly consentReplacement: 'per-third-party' | 'none'
  /** Settings of the connector, which validates them itself. */
  readonly dialect: unknown
}

/** SCA approaches: in a browser at the bank, in an app that the bank notifies, or in an app that scans a code. */
export const SCA_APPROACHES = ['redirect', 'decoupled', 'qr'] as const
export type ScaApproach = (typeof SCA_APPROACHES)[number]

/** Limits of one rail at a bank; null where only the bank's general limits apply. */
export type RailTerms = {
  /** The latest time to sign an order for execution on a day: local time, and how many bank days before it. */
  readonly cutOff: { readonly localTime: string; readonly bankDaysBefore: number }
  /** Decimal string in the country's currency. */
  readonly amountMax: string | null
  readonly recipientNameMax: number | null
  readonly messageMax: number | null
}

/** Limits of cross-border payments in the currency of the account. */
export type CrossBorderTerms = Pick<RailTerms, 'cutOff'> & {
  /** Largest amount of one payment, by currency, as a decimal string; other currencies have no known limit. */
  readonly amountMax: Readonly<Record<string, string>>
  /** Longest message to the creditor; cross-border payments carry at most 140 characters. */
  readonly messageMax: number
}

/**
 * How payrolls are submitted: as one bulk, as single payments in signing baskets, as single payments that are signed
 * one after another, or as a file.
 */
export const PAYROLL_SUBMISSION_MODES = ['bulk', 'baskets', 'chain', 'file'] as const
export type PayrollSubmissionMode = (typeof PAYROLL_SUBMISSION_MODES)[number]

/** `batchBooking` applies to bulks and files, `elements` and `inBaskets` to bulks only. */
export type PayrollTerms = {
  readonly submissionMode: PayrollSubmissionMode
  /** Whether the bank books a bulk as one debit on request. */
  readonly batchBooking: boolean
  /** How the bank reports the payments of a bulk: each under its own id, listed in the bulk, or not at all. */
  readonly elements: 'own-ids' | 'listed' | 'none'
  /** Whether several bulks can be signed in one basket. */
  readonly inBaskets: boolean
}

/** Limits that the public API shows for a bank. */
export type BankConstraints = {
  readonly maxBasketSize: number | null
  readonly maxBulkSize: number | null
  readonly maxPayrollSize: number | null
  readonly maxInformationFieldLength: number
  readonly maxUnstructuredRemittanceInfoLength: number
  readonly maxUnstructuredRemittanceInfoLengthToOtherBanks: number
  readonly aisMaxDateRangeMonths: number
  readonly cancelSCARequired: boolean
  /** A character class such as `[a-zA-Z0-9 ]`, which every character of a text must match. */
  readonly validInformationFieldCharactersPattern: string
}

/** The user id at a bank, for the form that asks for it. */
export type BankUserId = {
  readonly required: boolean
  readonly label: string
  readonly pattern: string
  readonly example: string
}

/** Optional fields that a bank's payments carry. */
export type SupportedOrderFields = {
  /** The partner's end-to-end id as sent to the bank; null where it is not sent. */
  readonly endToEndId: (endToEndId: string) => string | null
  readonly purposeCode: boolean
  readonly debtorReference: boolean
  readonly creditorAddress: boolean
  /** For cross-border payments; absent where the bank offers none. */
  readonly crossBorder?: Pick<SupportedOrderFields, 'endToEndId'> & {
    readonly clearingCode: boolean
    readonly regulatoryReporting: boolean
  }
}

/** The preferred SCA approach where the bank has it, otherwise the bank's default. */
export function chooseScaApproach(
  { scaApproaches: [usual = 'redirect', ...others] }: Pick<BankProfile, 'scaApproaches'>,
  preferred: AuthorisationRequest['preferred'],
): ScaApproach {
  return others.find((approach) => approach === preferred) ?? usual
}

/** Whether the user signs in an app, which waits for seconds, so the user must be present. */
export function isDecoupledSca(
  { profile }: Pick<Bank, 'profile'>,
  preferred: AuthorisationRequest['preferred'],
): boolean {
  return chooseScaApproach(profile, preferred) !== 'redirect'
}

/** Whether the user prefers a QR code and the bank offers one. */
export function isQrCodeSca({ profile }: Pick<Bank, 'profile'>, preferred: AuthorisationRequest['preferred']): boolean {
  return preferred === 'qr' && chooseScaApproach(profile, preferred) === 'qr'
}

/** Null leaves the choice to the bank. */
export function preferredApproachOf(requested: PreferredScaMethod | undefined): AuthorisationRequest['preferred'] {
  return requested === undefined ? null : requested === 'Qr' ? 'qr' : 'redirect'
}
