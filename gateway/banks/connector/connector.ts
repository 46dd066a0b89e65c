/** The port to banks: what a connector offers, in words of ours; a product that is absent is not offered. */

import type { BulkObservation, BulkOrder, BulkTaken, KnownBulk } from '../bulk-order.ts'
import type { Bank } from '../directory/bank.ts'
import type { FileProduct } from '../file-product.ts'
import type { BankAccount, BankBalance, BankEntry, BookedEntry, DayRange, EntriesAsked } from './bank-account.ts'
import type { BankConsentState, ConsentTerms } from './bank-consent.ts'
import type { ConnectorTools } from './connector-dependencies.ts'
import type { CrossBorderOrder } from './cross-border-order.ts'
import type { DomesticOrder } from './domestic-order.ts'
import type { HeldOrder, InitiationRequest, OrderTaken, PlacedOrder, StatusObservation } from './order-at-bank.ts'
import type {
  AuthorisationAsked,
  AuthorisationState,
  BankTokens,
  BegunAuthorisation,
  BroughtBack,
  EndableTokens,
  RenewableTokens,
  ReturnAddresses,
  StartedAuthorisation,
} from './sca-authorisation.ts'

/** A way to speak to banks of one family. Refusals are thrown as `BankRefusal`. */
export type Connector = {
  readonly consents: ConsentProduct
  readonly accounts?: AccountProduct
  readonly domesticPayments?: DomesticPaymentProduct
  readonly crossBorderPayments?: CrossBorderPaymentProduct
  readonly bulkPayments?: BulkPaymentProduct
  readonly baskets?: BasketProduct
  /** At banks that take orders in files. */
  readonly files?: FileProduct
  /** At banks with an authorisation server. */
  readonly oauth?: SignInProduct
}

/** Makes a connector; it holds no state of its own. */
export type ConnectorFactory = (tools: ConnectorTools) => Connector

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
  /** Opens what banks with an authorisation server close; null elsewhere, and while there is none yet. */
  readonly accessToken: string | null
}

/** Has one request made, on behalf of whoever is the caller at that moment. */
export type RequestMaker = <Answer>(request: (caller: BankCaller) => Promise<Answer>) => Promise<Answer>

/** What the partner says of its user's session; `headers` holds further `PSU-*` headers by their lower-case names. */
export type PsuSession = {
  readonly ipAddress: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
}

/** The same verbs for whatever is signed: a payment, its withdrawal, a basket, a consent. */
export type Authorisations<Target> = {
  start(caller: BankCaller, target: Target, asked: AuthorisationAsked): Promise<StartedAuthorisation>
  read(caller: BankCaller, target: Target, begun: BegunAuthorisation): Promise<AuthorisationState>
  /**
   * Takes what the browser brought back: a confirmation code, an OAuth code. What is forged or of another authorisation
   * changes nothing. Tokens are those that open what was signed; how it stands, `read` alone tells. Refused as
   * `unavailable` the same may be brought again, e.g. because the bank does not wait for a code yet.
   */
  complete(
    caller: BankCaller,
    target: Target,
    begun: BegunAuthorisation,
    brought: BroughtBack,
  ): Promise<BankTokens | null>
}

/** How a user signs in at a bank that answers nothing without its tokens; tokens that came by signing are renewed here too. */
export type SignInProduct = {
  begin(bank: Bank, back: ReturnAddresses): Promise<{ url: string; returnSecret: string }>
  /** `denied` when the user said no; null for what is worth nothing, or belongs to somebody else's signing in. */
  exchange(bank: Bank, brought: BroughtBack): Promise<BankTokens | 'denied' | null>
  /** The tokens that follow: the old refresh token may be worth nothing from then on. Refused as `token-invalid` at its end. */
  refresh(bank: Bank, tokens: RenewableTokens): Promise<BankTokens>
  /** Ends what the tokens open, where the server that gave them offers that; false where it does not. */
  endGrant(bank: Bank, tokens: EndableTokens): Promise<boolean>
}

export type ConsentProduct = {
  /** Asks for recurring access to the company's accounts until `validUntil`, the bank's maximum at most. */
  create(caller: BankCaller, terms: ConsentTerms): Promise<{ bankConsentId: string; validUntil: Temporal.PlainDate }>
  read(caller: BankCaller, bankConsentId: string): Promise<BankConsentState>
  /** Of a consent, by the bank's id of it. */
  readonly authorisations: Authorisations<string>
  /** Ends the consent at the bank; one that is already gone counts as ended. */
  revoke(caller: BankCaller, bankConsentId: string): Promise<void>
}

export type AccountProduct = {
  list(caller: BankCaller): Promise<readonly BankAccount[]>
  balance(caller: BankCaller, resourceId: string): Promise<BankBalance>
  /** What was booked on an account between two days, both included, oldest first. */
  bookedEntries(caller: BankCaller, resourceId: string, days: DayRange): Promise<readonly BookedEntry[]>
  /**
   * The same and what is pending, some hundred entries at a time in the bank's order, pending ones last; each once, as
   * booked where the bank shows it as both. The bank is read on only as fast as these are taken; leaving off ends it.
   * That may take longer than a token lasts: `each` makes every request of it, as `caller` unless told otherwise.
   */
  entries(
    caller: BankCaller,
    resourceId: string,
    asked: EntriesAsked,
    each?: RequestMaker,
  ): AsyncIterable<readonly BankEntry[]>
  /** One entry with all that the bank knows of it, where `profile.entries.details` says that it tells. */
  entryDetails?(caller: BankCaller, resourceId: string, transactionId: string): Promise<BankEntry>
}

export type DomesticPaymentProduct = PaymentProduct<DomesticOrder>
export type CrossBorderPaymentProduct = PaymentProduct<CrossBorderOrder>

/** Hands over an order. The standard knows no idempotency: whoever calls this twice may pay twice. */
type PaymentProduct<Order> = OrdersAtBank & {
  initiate(caller: BankCaller, order: Order, request: InitiationRequest): Promise<OrderTaken>
}

/** What is asked of orders that a bank holds, whatever they order. */
export type OrdersAtBank = {
  read(caller: BankCaller, placed: PlacedOrder, known: { readonly signed: boolean }): Promise<StatusObservation>
  /** What the bank holds under an id, so that an order whose answer was lost is recognised before it is believed. */
  readOrder(caller: BankCaller, placed: PlacedOrder): Promise<HeldOrder>
  readonly authorisations: Authorisations<PlacedOrder>
  readonly cancellation: CancellationProduct
}

export type CancellationProduct = {
  /** Withdraws an order; `authorisation-required` when the bank wants the user to sign that. */
  cancel(caller: BankCaller, placed: PlacedOrder, requestId: string): Promise<CancellationAnswer>
  /** Of the withdrawal, once it was asked for. */
  readonly authorisations: Authorisations<PlacedOrder>
}

/** Only the status of the order tells that it is withdrawn. */
export type CancellationAnswer = 'accepted' | 'authorisation-required'

/** Several orders under one signature. */
export type BasketProduct = {
  create(caller: BankCaller, asked: BasketAsked): Promise<{ bankBasketId: string }>
  /** Unties a basket that nobody has signed; one that is already gone counts as untied. */
  drop(caller: BankCaller, bankBasketId: string): Promise<void>
  /** Of a basket, by the bank's id of it. */
  readonly authorisations: Authorisations<string>
}

export type BasketAsked = {
  readonly payments: readonly PlacedOrder[]
  readonly requestId: string
  readonly back: ReturnAddresses
}

/** Hands over bulks, and asks about them as about any other order. Calling `initiate` twice may pay twice. */
export type BulkPaymentProduct = Omit<OrdersAtBank, 'read'> & {
  initiate(caller: BankCaller, order: BulkOrder, request: InitiationRequest): Promise<BulkTaken>
  /** How the bulk stands and, where the bank took or carried out a part of it, how each of its payments does. */
  read(caller: BankCaller, placed: PlacedOrder, known: KnownBulk): Promise<BulkObservation>
}
