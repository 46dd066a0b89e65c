/** What banks of one kind offer and require, as stored as JSON in `data/bank-profiles/`: its schema and its types. */

import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { DOMESTIC_RAILS, type DomesticRail } from '../../../contract/payments/domestic-payment.ts'
import { closed } from '../../platform/closed-schema.ts'

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

/** SCA approaches: in a browser at the bank, in an app that the bank notifies, or in an app that scans a code. */
const SCA_APPROACHES = ['redirect', 'decoupled', 'qr'] as const
export type ScaApproach = (typeof SCA_APPROACHES)[number]

/**
 * How payrolls are submitted: as one bulk, as single payments in signing baskets, as single payments that are signed
 * one after another, or as a file.
 */
const PAYROLL_SUBMISSION_MODES = ['bulk', 'baskets', 'chain', 'file'] as const
export type PayrollSubmissionMode = (typeof PAYROLL_SUBMISSION_MODES)[number]

const Count = Type.Integer({ minimum: 1 })
const CountOrNone = Type.Union([Count, Type.Null()])
const Regex = Type.String({ format: 'regex', minLength: 1 })

const LocalTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'a time such as "14:00"' })

/** The latest time to sign an order for execution on a day: local time, and how many bank days before it. */
const CutOff = closed({ localTime: LocalTime, bankDaysBefore: Type.Integer({ minimum: 0, maximum: 5 }) })
/** Largest amount of one payment, by currency, as a decimal string. */
const AmountsMax = Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), Type.String())

/** Limits of one rail at a bank; null where only the bank's general limits apply. */
const Rail = closed({
  cutOff: CutOff,
  /** Decimal string in the country's currency. */
  amountMax: Type.Union([Type.String(), Type.Null()]),
  recipientNameMax: CountOrNone,
  messageMax: CountOrNone,
})
export type RailTerms = Static<typeof Rail>

/** Limits of cross-border payments in the currency of the account; currencies that are not listed have no known limit. */
const CrossBorder = closed({
  cutOff: CutOff,
  amountMax: AmountsMax,
  /** Longest message to the creditor; cross-border payments carry at most 140 characters. */
  messageMax: Type.Integer({ minimum: 1, maximum: 140 }),
})

/** `batchBooking` applies to bulks and files, `elements` and `inBaskets` to bulks only. */
const Payroll = closed({
  submissionMode: Type.Enum([...PAYROLL_SUBMISSION_MODES]),
  /** Whether the bank books a bulk as one debit on request. */
  batchBooking: Type.Boolean(),
  /** How the bank reports the payments of a bulk: each under its own id, listed in the bulk, or not at all. */
  elements: Type.Enum(['own-ids', 'listed', 'none']),
  /** Whether several bulks can be signed in one basket. */
  inBaskets: Type.Boolean(),
})

/** Limits that the public API shows for a bank. */
const Constraints = closed({
  maxBasketSize: CountOrNone,
  maxBulkSize: CountOrNone,
  maxPayrollSize: CountOrNone,
  maxInformationFieldLength: Count,
  maxUnstructuredRemittanceInfoLength: Count,
  maxUnstructuredRemittanceInfoLengthToOtherBanks: Count,
  aisMaxDateRangeMonths: Count,
  cancelSCARequired: Type.Boolean(),
  /** Every character of a text must match it. */
  validInformationFieldCharactersPattern: Type.String({
    format: 'regex',
    pattern: '^\\[.+\\]$',
    description: 'a character class such as "[a-zA-Z0-9 ]"',
  }),
})
export type BankConstraints = Static<typeof Constraints>

/** The user id at a bank, for the form that asks for it. */
const UserId = closed({ required: Type.Boolean(), label: Type.String(), pattern: Regex, example: Type.String() })

export const BankProfile = closed({
  name: Type.String({ pattern: '^[a-z0-9-]+$', description: 'a name of a-z, 0-9 and hyphens, that of the file' }),
  timeZone: Type.String({ pattern: '^[A-Z][A-Za-z_]+/[A-Za-z_]+$', description: 'a time zone such as "Europe/Oslo"' }),
  products: Type.Array(Type.Enum([...BANK_PRODUCTS]), { minItems: 1, uniqueItems: true }),
  branches: Type.Array(closed({ name: Type.String({ minLength: 1 }), branch: Type.String({ minLength: 1 }) })),
  constraints: Constraints,
  /** Signing baskets; null where the bank has none. */
  baskets: Type.Union([closed({ max: Type.Integer({ minimum: 2 }), domesticOnly: Type.Boolean() }), Type.Null()]),
  /** How payrolls are submitted; null where the bank accepts none. */
  payroll: Type.Union([Payroll, Type.Null()]),
  /** Whether orders can be cancelled: never, without SCA, or with SCA once the order itself is signed. */
  cancellation: Type.Enum(['none', 'free', 'after-signing']),
  /** As the public API shows them. */
  scaMethods: Type.Array(Type.Enum(['Redirect', 'Qr']), { minItems: 1, uniqueItems: true }),
  /** The SCA approaches of the bank; the first is the default. */
  scaApproaches: Type.Array(Type.Enum([...SCA_APPROACHES]), { minItems: 1, uniqueItems: true }),
  /** `integrated`: SCA is an OAuth grant for the resource. `pre-step`: every call needs tokens from a sign-in. */
  oauth: Type.Enum(['none', 'integrated', 'pre-step']),
  maxConsentValidityDays: Count,
  userId: UserId,
  dueDateMaxDays: Count,
  /** Of domestic payments. */
  amountMax: AmountsMax,
  /** Rails of domestic payments; absent ones are not offered. */
  rails: byRail(Rail, Type.Optional(Rail)),
  /** Cross-border payments; absent where the bank offers none. */
  crossBorder: Type.Optional(CrossBorder),
  /** What the bank does with an order that is due on a day when it is closed. */
  closedDays: Type.Enum(['next-bank-day', 'rejected']),
  /** The last payment status that the bank reports: some banks stop before settlement. */
  lastVisible: Type.Enum(['settled', 'accepted']),
  /** Minimum time between two status requests for one payment, or two listings of a file bank's reports. */
  pollSecondsMin: Count,
  /** How long the user has to complete a started authorisation. */
  authorisationTtlSeconds: Count,
  /** What happens to an unsigned order: it exists until the end of its due date, or the bank moves the due date. */
  unsignedLifetime: Type.Enum(['due-day', 'moved-by-bank']),
  /** Whether the bank offers details of single entries, and pending entries. */
  entries: closed({ details: Type.Boolean(), pending: Type.Boolean() }),
  /** Whether a new consent of a user ends the older ones of the same third party. */
  consentReplacement: Type.Enum(['per-third-party', 'none']),
  /** Settings of the connector, which validates them itself. */
  dialect: Type.Unknown(),
})
export type BankProfile = Static<typeof BankProfile>

/** A field per rail of domestic payments: every bank pays to accounts, and some on the other rails. */
export function byRail<Always extends TSchema, Offered extends TOptional<TSchema>>(field: Always, optional: Offered) {
  const optionalByRail = Object.fromEntries(DOMESTIC_RAILS.map((rail) => [rail, optional]))
  return closed({ ...(optionalByRail as Record<DomesticRail, Offered>), account: field })
}
