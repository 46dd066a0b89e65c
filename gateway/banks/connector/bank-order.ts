/** Defines the orders that a connector gives to its bank: domestic, cross-border, bulk; and an order that a bank holds. */

import type { DomesticRail } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { CreditorNumberKind } from '../../countries/country.ts'
import { countryRules } from '../../countries/served-countries.ts'
import type { Money } from '../../platform/money.ts'

export type DomesticOrder = {
  readonly endToEndId: string
  readonly rail: DomesticRail
  readonly debtor: Debtor
  readonly creditor: {
    readonly account: CreditorAccount
    readonly name: string
    /** Absent where the address or its country is unknown. */
    readonly address?: PostalAddress
  }
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  readonly remittance: Remittance | null
  readonly purposeCode: string | null
}

/** The account that an order debits, and the name of its owner. */
export type Debtor = {
  readonly bban: string
  readonly iban: string | null
  readonly name: string
  readonly currency: string
  /** Whether accounts in other currencies have the number, so that the bank needs the currency, too. */
  readonly sharesNumber?: boolean
}

/** The creditor: an account, a Swedish giro number with hyphen, or the number on a Danish payment form. */
export type CreditorAccount =
  | { readonly type: 'account'; readonly bban: string; readonly iban: string | null }
  | { readonly type: 'bankgiro' | 'plusgiro'; readonly number: string }
  | { readonly type: 'payment-form'; readonly number: string }

/** The creditor's number of any kind. */
export function creditorAccountNumber(account: CreditorAccount): string {
  return account.type === 'account' ? account.bban : account.number
}

/** What a number from `creditorAccountNumber` is, by the country's number formats. */
export function kindOfCreditorNumber(creditorBban: string, countryCode: string): CreditorNumberKind {
  return countryRules(countryCode)?.kindOfNumber(creditorBban) ?? 'account'
}

/** References are in the normalised form of `countries/`; the payment id of a form is padded to its full length. */
export type Remittance =
  | { readonly type: 'message'; readonly value: string; readonly debtorReference?: string }
  | { readonly type: 'ocr'; readonly value: string }
  | {
      readonly type: 'fik'
      readonly cardType: string
      readonly paymentId: string | null
      readonly message: string | null
    }

/** A cross-border payment in the currency of the debtor account. */
export type CrossBorderOrder = {
  readonly endToEndId: string
  readonly debtor: Debtor
  readonly creditor: {
    readonly account: ForeignAccount
    readonly bic: string
    /** National clearing code of the creditor's bank. */
    readonly clearingCode: string | null
    readonly name: string
    readonly address: PostalAddress
  }
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  /** The only text that reaches the creditor and the intermediary banks. */
  readonly message: string
  readonly debtorReference: string | null
  readonly regulatoryReporting: { readonly code: string; readonly information: string | null } | null
}

/** An IBAN, or a domestic account number of a country without IBANs; letters and digits only. */
export type ForeignAccount = { readonly type: 'iban' | 'bban'; readonly number: string }

/** A bulk as submitted to a bank; its payments use account numbers, never giro numbers or payment forms. */
export type BulkOrder = {
  /** Our id, at most 35 characters; banks that return it confirm which bulk they hold. */
  readonly bulkId: string
  readonly debtor: Debtor
  readonly dueDate: Temporal.PlainDate
  /** Requests one debit for the whole bulk; honoured where the bank's profile supports it. */
  readonly batchBooking: boolean
  readonly payments: readonly BulkTransaction[]
}

export type BulkTransaction = Omit<DomesticOrder, 'debtor' | 'dueDate'>

export type BulkInitiationResult = InitiationResult & {
  /** The bank's id of each payment by position, where the bank returns them on initiation. */
  readonly elementIds?: readonly (string | null)[]
}

/** The stored state of a bulk before a status request; all payments by position, from 0. */
export type KnownBulk = { readonly signed: boolean; readonly elements: readonly KnownBulkTransaction[] }

/** The stored state of one payment of a bulk. */
export type KnownBulkTransaction = {
  readonly endToEndId: string
  readonly elementId: string | null
  /** Its own last observed status; null while only the bulk's status is known. Final ones are not requested again. */
  readonly status: PaymentStatusValue | null
  /** When it was observed; where payments are read one by one, the least recently read come first. */
  readonly readAt: Temporal.Instant | null
}

/**
 * The reported status of a bulk. Without `elements` the status applies to all payments, whatever was observed of them
 * before. With `elements` it is derived from all payments: open while one of them is open.
 */
export type BulkObservation = StatusObservation & {
  /** The payments in this report, by ascending position; the others keep their stored state. */
  readonly elements?: readonly BulkTransactionObservation[]
}

export type BulkTransactionObservation = StatusObservation & {
  /** Index in the submitted bulk, from 0. */
  readonly position: number
  /** The bank's id of the payment, where it has one. */
  readonly elementId: string | null
}

/** A creditor's address; fields are non-empty or absent. The schemes accept none without town and country. */
export type PostalAddress = {
  readonly streetName?: string
  readonly buildingNumber?: string
  readonly city: string
  readonly postCode?: string
  readonly country: string
}

/** The fields except the country, in the order of the contract. */
const MEMBERS = ['streetName', 'buildingNumber', 'city', 'postCode'] as const
type Member = (typeof MEMBERS)[number]

/** An address as requests contain it. Before its validation, fields may have any type. */
type GivenAddress = Readonly<Partial<Record<Member | 'country', string | undefined>>>

/** The trimmed texts of an address that are not blank. Unknown fields of a request are ignored. */
export function addressTexts(address: GivenAddress): readonly (readonly [member: Member, text: string])[] {
  return MEMBERS.flatMap((member) => {
    const text = address[member]
    return typeof text === 'string' && text.trim() !== '' ? [[member, text.trim()] as const] : []
  })
}

/** The address as it is sent to a bank; undefined if town or country are missing, which are not guessed. */
export function sendableAddress(address: GivenAddress | undefined): PostalAddress | undefined {
  if (address?.country === undefined) {
    return undefined
  }
  const filled: Partial<Record<Member, string>> = Object.fromEntries(addressTexts(address))
  const { city } = filled
  return city === undefined ? undefined : { ...filled, city, country: address.country }
}

export type SubmittedOrder = {
  readonly bankPaymentId: string
  /** Of a domestic order: some banks have one product per rail, which is part of the order's URL. */
  readonly rail: DomesticRail
  readonly debtorBban: string
  /** As `creditorAccountNumber` returns it. */
  readonly creditorBban: string
}

/** A domestic order that its bank has acknowledged under this id. */
export function submittedAs({ rail, debtor, creditor }: DomesticOrder, bankPaymentId: string): SubmittedOrder {
  return { bankPaymentId, rail, debtorBban: debtor.bban, creditorBban: creditorAccountNumber(creditor.account) }
}

export type InitiationRequest = { readonly requestId: string; readonly notification: string }

export type InitiationResult = { readonly bankPaymentId: string; readonly observation: StatusObservation }

/** The content of an order as the bank shows it; numbers are domestic, in the stored form where they are equal. */
export type OrderShownByBank = {
  readonly debtorBban: string | null
  readonly creditorBban: string | null
  /** For a bulk the total of its payments. */
  readonly amount: Money | null
  /** For bulks only: our id and the number of payments; null where the bank does not show them. */
  readonly bulk?: { readonly bulkId: string | null; readonly count: number | null }
}

/** The reported status of a payment, translated. */
export type StatusObservation = {
  /** Null for an unknown status code: the stored status stays. */
  readonly status: PaymentStatusValue | null
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  /** The bank's own code, e.g. `ACSP`. */
  readonly bankStatus: string
}

type Outcome = Pick<StatusObservation, 'status' | 'statusReason'>

const IN_PROGRESS: Outcome = { status: 'InProgress', statusReason: null }

/**
 * The meaning of the payment statuses of ISO 20022, of which the first six are those of orders that are received or
 * checked, not yet executed. A map, because a plain object also has properties such as `constructor`.
 */
export const outcomeByStatus: ReadonlyMap<string, Outcome> = new Map([
  ...['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC'].map((status): [string, Outcome] => [status, IN_PROGRESS]),
  ['PATC', { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }],
  ['ACSP', IN_PROGRESS],
  ['ACWP', IN_PROGRESS],
  ['ACSC', { status: 'Completed', statusReason: null }],
  ['ACCC', { status: 'Completed', statusReason: null }],
  ['RJCT', { status: 'Rejected', statusReason: null }],
  ['CANC', { status: 'Cancelled', statusReason: null }],
])
