/** The port to banks: what a connector offers, in words of ours; a product that is absent is not offered. */
import type { KeyObject, X509Certificate } from 'node:crypto'
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/shapes.ts'
import { giroKind } from '../countries/sweden/giro.ts'
import type { Money } from '../foundation/money.ts'
import type { Bank, DomesticRail } from './bank.ts'
import type { PostalAddress } from './postal-address.ts'

/** A way to speak to banks of one family. Refusals are thrown as `BankRefusal`. */
export type Connector = {
  readonly consents: ConsentProduct
  readonly accounts?: AccountProduct
  readonly domesticPayments?: DomesticPaymentProduct
}

/** Makes a connector; it holds no state of its own. */
export type ConnectorFactory = (tools: ConnectorTools) => Connector

/** All a connector gets of the world. */
export type ConnectorTools = {
  readonly fetch: BankFetch
  /** Wall time, for dates in headers and signatures. */
  readonly now: () => Temporal.Instant
  /** The certificate that messages are signed with at present; none, where banks are spoken to unsigned. */
  readonly qseal?: () => { readonly certificate: X509Certificate; readonly key: KeyObject } | null
}

/** Sends one request to a bank. Throws `BankUnreachable` when no whole answer came. */
export type BankFetch = (bank: Bank, request: BankRequest) => Promise<BankResponse>

export type BankRequest = {
  /** Names the operation in metrics and traces, e.g. `initiatePayment`. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type BankResponse = {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** On whose behalf a bank is asked. */
export type BankCaller = {
  readonly bank: Bank
  /** The user's id at the bank, as the bank's record asks for it. */
  readonly userId: string | null
  readonly organisationNumber: string
  /** The consent at the bank; null while it is being made. */
  readonly bankConsentId: string | null
  /** The user's session, when the user is there; null for reads by a job, and nothing is sent in its place. */
  readonly psu: PsuSession | null
}

/** What the partner says of its user's session; `headers` holds further `PSU-*` headers by their lower-case names. */
export type PsuSession = {
  readonly ipAddress: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
}

/** Addresses of ours that a bank is given when an authorisation begins. */
export type ReturnAddresses = {
  readonly success: string
  readonly failure: string
  /** Where the bank may tell that something changed; a hint and no more. */
  readonly notification: string
}

export type ConsentProduct = {
  /** Asks for recurring access to the company's accounts until `validUntil`, the bank's maximum at most. */
  create(caller: BankCaller, terms: ConsentTerms): Promise<{ bankConsentId: string; validUntil: Temporal.PlainDate }>
  read(caller: BankCaller, bankConsentId: string): Promise<BankConsentState>
  startAuthorisation(caller: BankCaller, bankConsentId: string, back: ReturnAddresses): Promise<StartedAuthorisation>
  readAuthorisation(caller: BankCaller, bankConsentId: string, authorisationId: string): Promise<AuthorisationState>
  /** Ends the consent at the bank; one that is already gone counts as ended. */
  revoke(caller: BankCaller, bankConsentId: string): Promise<void>
}

/** Where the user comes back to is told when the authorisation begins, not here. */
export type ConsentTerms = { readonly requestId: string; readonly validUntil: Temporal.PlainDate }

/** `pending` waits for the user; `revoked` was ended by the bank or by the user at the bank. */
export type BankConsentState = {
  readonly state: 'pending' | 'valid' | 'rejected' | 'revoked' | 'expired'
  /** Null where the bank does not say. */
  readonly validUntil: Temporal.PlainDate | null
  /** The bank's own word. */
  readonly bankStatus: string
}

export type AccountProduct = {
  list(caller: BankCaller): Promise<readonly BankAccount[]>
  balance(caller: BankCaller, resourceId: string): Promise<BankBalance>
  /** What was booked on an account between two days, both included, oldest first. */
  bookedEntries(caller: BankCaller, resourceId: string, days: DayRange): Promise<readonly BookedEntry[]>
}

export type DayRange = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** An entry on an account. What the bank does not say is null. */
export type BookedEntry = {
  /** The bank's id of the entry. */
  readonly transactionId: string | null
  /** Negative where the account was debited. */
  readonly amount: Money
  readonly bookedOn: Temporal.PlainDate | null
  /** The other side, in its domestic form where that can be told. */
  readonly counterpartyBban: string | null
  /** Where the bank shows one: some Swedish IBANs leave out part of the domestic number. */
  readonly counterpartyIban: string | null
  readonly counterpartyName: string | null
  readonly endToEndId: string | null
  readonly reference: string | null
  readonly message: string | null
}

export type BankAccount = {
  /** The bank's id of the account; valid within this consent only. */
  readonly resourceId: string
  readonly bban: string | null
  readonly iban: string | null
  readonly bic: string | null
  readonly name: string | null
  /** As the bank reports it; null where it does not. */
  readonly ownerName: string | null
  readonly currency: string
  readonly type: 'Current' | 'Savings' | 'Tax' | 'Currency' | 'Other'
  /** Whether the bank lets the user pay from it; null where the bank does not say. */
  readonly payable: boolean | null
}

export type BankBalance = { readonly available: Money | null; readonly booked: Money | null }

export type DomesticPaymentProduct = {
  /** Hands over an order. The standard knows no idempotency: whoever calls this twice may pay twice. */
  initiate(caller: BankCaller, order: DomesticOrder, request: InitiationRequest): Promise<OrderTaken>
  read(caller: BankCaller, placed: PlacedOrder, known: { readonly signed: boolean }): Promise<StatusObservation>
  /** What the bank holds under an id, so that an order whose answer was lost is recognised before it is believed. */
  readOrder(caller: BankCaller, placed: PlacedOrder): Promise<HeldOrder>
  startAuthorisation(caller: BankCaller, placed: PlacedOrder, back: ReturnAddresses): Promise<StartedAuthorisation>
  readAuthorisation(caller: BankCaller, placed: PlacedOrder, begun: BegunAuthorisation): Promise<AuthorisationState>
  /** Withdraws an order; `authorisation-required` when the bank wants the user to sign that. */
  cancel(caller: BankCaller, placed: PlacedOrder, requestId: string): Promise<'accepted' | 'authorisation-required'>
}

/** Some banks tell how it ended by the order alone, which somebody may have signed before it began: `partlySigned`. */
export type BegunAuthorisation = { readonly authorisationId: string; readonly partlySigned: boolean }

/** An order at its bank. The numbers tell how it travels: some banks keep orders apart by that. */
export type PlacedOrder = {
  readonly bankPaymentId: string
  readonly debtorBban: string
  /** As `numberOf` gives it. */
  readonly creditorBban: string
}

export type InitiationRequest = { readonly requestId: string; readonly notification: string }

/** A domestic payment as it is handed to a bank. */
export type DomesticOrder = {
  readonly endToEndId: string
  readonly debtor: {
    readonly bban: string
    readonly iban: string | null
    readonly name: string
    readonly currency: string
  }
  readonly creditor: {
    readonly account: CreditorAccount
    readonly name: string
    /** Absent where it is not known, or not to which country it belongs. */
    readonly address?: PostalAddress
  }
  readonly amount: Money
  readonly dueDate: Temporal.PlainDate
  readonly remittance: Remittance | null
  readonly purposeCode: string | null
}

/** What is paid: an account, a Swedish giro number with its hyphen, or the number on a Danish payment form. */
export type CreditorAccount =
  | { readonly type: 'account'; readonly bban: string; readonly iban: string | null }
  | { readonly type: 'bankgiro' | 'plusgiro'; readonly number: string }
  | { readonly type: 'payment-form'; readonly number: string }

/** The number that is paid, whatever its kind. */
export function numberOf(account: CreditorAccount): string {
  return account.type === 'account' ? account.bban : account.number
}

/** The rail of a receiver's number as `numberOf` gives it, by the country's forms of such numbers. */
export function railOf(creditorBban: string, countryCode: string): DomesticRail {
  if (countryCode === 'DK') {
    return creditorBban.length < DANISH_ACCOUNT_DIGITS ? 'payment-form' : 'account'
  }
  return countryCode === 'SE' ? (giroKind(creditorBban) ?? 'account') : 'account'
}

/** Creditor and giro numbers on payment forms have eight digits at most. */
const DANISH_ACCOUNT_DIGITS = 14

/** References are in the form that `countries/` keeps; the payment id of a form is padded to its full length. */
export type Remittance =
  | { readonly type: 'message'; readonly value: string; readonly debtorReference?: string }
  | { readonly type: 'ocr'; readonly value: string }
  | {
      readonly type: 'fik'
      readonly cardType: string
      readonly paymentId: string | null
      readonly message: string | null
    }

export type OrderTaken = { readonly bankPaymentId: string; readonly observation: StatusObservation }

/** The parts of an order that a bank shows of it; numbers are domestic ones, and of the kept form where they are the same. */
export type HeldOrder = {
  readonly debtorBban: string | null
  readonly creditorBban: string | null
  readonly amount: Money | null
}

/** What a bank says of a payment, translated. */
export type StatusObservation = {
  /** Null when the bank used a word that nobody knows: the status stays as it was. */
  readonly status: PaymentStatusValue | null
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  /** The bank's own word, e.g. `ACSP`. */
  readonly bankStatus: string
}

export type StartedAuthorisation = {
  readonly authorisationId: string
  /** Where the user's browser goes. Its host is one of the bank's. */
  readonly redirectUrl: string
}

export type AuthorisationState = {
  /** `refused` and `cancelled` are both a failed authorisation: the user said no, or left. */
  readonly state: 'open' | 'signed' | 'exempt' | 'refused' | 'cancelled'
  /** The bank's own word, e.g. `finalised`. */
  readonly scaStatus: string
  readonly text: string | null
}
