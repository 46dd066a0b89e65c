/** The interface of connectors to banks; a product that is absent is not offered. */
import type { Bank } from './bank.ts'
import type {
  BankAccount,
  BankAccountList,
  BankBalance,
  BankEntry,
  BookedEntry,
  DayRange,
  EntriesQuery,
} from './bank-account.ts'
import type {
  BulkInitiationResult,
  BulkObservation,
  BulkOrder,
  CrossBorderOrder,
  DomesticOrder,
  InitiationRequest,
  InitiationResult,
  KnownBulk,
  OrderShownByBank,
  StatusObservation,
  SubmittedOrder,
} from './bank-order.ts'
import type { ConnectorDependencies, PaymentsOfCall } from './connector-dependencies.ts'
import type { FileProduct } from './file-product.ts'
import type {
  AuthorisationCallback,
  AuthorisationReference,
  AuthorisationRequest,
  AuthorisationState,
  BankTokens,
  ReturnUrls,
  ScaApproachDetails,
  StartedAuthorisation,
} from './sca-authorisation.ts'

/** Calls banks of one standard. Errors are thrown as `BankError`. */
export type Connector = {
  readonly consents: ConsentProduct
  readonly accounts?: AccountProduct
  readonly domesticPayments?: DomesticPaymentProduct
  readonly crossBorderPayments?: CrossBorderPaymentProduct
  readonly bulkPayments?: BulkPaymentProduct
  readonly baskets?: BasketProduct
  /** At banks that accept orders in files. */
  readonly files?: FileProduct
  /** At banks with an authorisation server. */
  readonly oauth?: SignInProduct
}

/** Creates a connector, which is stateless. */
export type ConnectorFactory = (tools: ConnectorDependencies) => Connector

/** The user on whose behalf a bank is called. */
export type BankCaller = {
  readonly bank: Bank
  /** The user's id at the bank, in the format of the bank's profile. */
  readonly userId: string | null
  readonly organisationNumber: string
  /** The consent at the bank; null while it is being created. */
  readonly bankConsentId: string | null
  /** The user's session while the user is present; null for calls of a job, which claim no presence. */
  readonly psu: PsuSession | null
  /** For banks with an authorisation server; null at other banks, and before there is a token. */
  readonly accessToken: string | null
  /** A token in place of one that the bank rejected; null when the grant has ended. Absent where there is no token. */
  readonly renewAccessToken?: (rejected: string) => Promise<string | null>
  /** The payments that its calls are about, for the log of bank calls. */
  readonly about?: PaymentsOfCall
}

/** Makes one request with the caller's current tokens. */
export type RequestExecutor = <Answer>(request: (caller: BankCaller) => Promise<Answer>) => Promise<Answer>

/** The user's session as the partner reports it; `headers` holds further `PSU-*` headers by lower-case name. */
export type PsuSession = {
  readonly ipAddress: string
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
}

/** Authorisation of a resource: a payment, its cancellation, a basket or a consent. */
export type Authorisations<Target> = {
  start(caller: BankCaller, target: Target, request: AuthorisationRequest): Promise<StartedAuthorisation>
  read(caller: BankCaller, target: Target, begun: AuthorisationReference): Promise<AuthorisationState>
  /** Selects one of the methods of a `method-choice`; absent where no start returns one. Never returns another. */
  selectMethod?(
    caller: BankCaller,
    target: Target,
    begun: Pick<AuthorisationReference, 'authorisationId'>,
    methodId: string,
  ): Promise<ScaApproachDetails>
  /**
   * Processes the callback: a confirmation code or an OAuth code. A forged callback, or one of another authorisation,
   * has no effect. The tokens are for the authorised resource; only `read` returns its state. After `unavailable`
   * the same callback may be processed again, e.g. because the bank does not expect a code yet.
   */
  complete(
    caller: BankCaller,
    target: Target,
    begun: AuthorisationReference,
    brought: AuthorisationCallback,
  ): Promise<BankTokens | null>
}

/** Sign-in at banks that require tokens for every call, and refresh of all tokens of banks. */
export type SignInProduct = {
  begin(bank: Bank, back: ReturnUrls): Promise<{ url: string; returnSecret: string }>
  /** `denied` when the user declined; null for an invalid callback, or one of another sign-in. */
  exchange(bank: Bank, brought: AuthorisationCallback): Promise<BankTokens | 'denied' | null>
  /** New tokens; the old refresh token may become invalid. Throws `token-invalid` once the grant has ended. */
  refresh(bank: Bank, tokens: Pick<BankTokens, 'server'> & { readonly refreshToken: string }): Promise<BankTokens>
  /** Revokes the grant of the tokens; false where their authorisation server does not offer that. */
  revokeGrant(bank: Bank, tokens: Omit<BankTokens, 'expiresAt'>): Promise<boolean>
}

export type ConsentProduct = {
  /** Requests recurring access to the company's accounts until `validUntil`, limited by the bank's maximum. */
  create(
    caller: BankCaller,
    terms: BankConsentRequest,
  ): Promise<{ bankConsentId: string; validUntil: Temporal.PlainDate }>
  read(caller: BankCaller, bankConsentId: string): Promise<BankConsentState>
  /** Authorisations of a consent, by the bank's consent id. */
  readonly authorisations: Authorisations<string>
  /** Deletes the consent at the bank; idempotent. */
  revoke(caller: BankCaller, bankConsentId: string): Promise<void>
}

/** Reading an account without an id of its own throws `unsupported-product`, and the bank is not called. */
export type AccountProduct = {
  list(caller: BankCaller): Promise<BankAccountList>
  /** In the account's currency, where the bank reports that. */
  balance(caller: BankCaller, account: Pick<BankAccount, 'resourceId' | 'currency'>): Promise<BankBalance>
  /** Booked entries between two days, both included, oldest first. */
  bookedEntries(caller: BankCaller, resourceId: ResourceId, days: DayRange): Promise<readonly BookedEntry[]>
  /**
   * Booked and pending entries in batches of some hundred, in the bank's order, pending ones last; an entry that the
   * bank lists as both is returned once, as booked. The bank is read only as fast as batches are consumed; ending the
   * iteration stops it. It may outlast a token: `each` makes every request, by default as `caller`.
   */
  entries(
    caller: BankCaller,
    resourceId: ResourceId,
    query: EntriesQuery,
    each?: RequestExecutor,
  ): AsyncIterable<readonly BankEntry[]>
  /** One entry with all details, at banks with `profile.entries.details`. */
  entryDetails?(caller: BankCaller, resourceId: ResourceId, transactionId: string): Promise<BankEntry>
}

type ResourceId = BankAccount['resourceId']

export type DomesticPaymentProduct = PaymentProduct<DomesticOrder>
export type CrossBorderPaymentProduct = PaymentProduct<CrossBorderOrder>

/** Submits an order. The standard has no idempotency: calling this twice may pay twice. */
type PaymentProduct<Order> = OrderOperations & {
  initiate(caller: BankCaller, order: Order, request: InitiationRequest): Promise<InitiationResult>
}

/** Operations on submitted orders of any kind. */
export type OrderOperations = {
  read(caller: BankCaller, submitted: SubmittedOrder, known: { readonly signed: boolean }): Promise<StatusObservation>
  /** The order that the bank holds under an id, to verify an order whose answer was lost. */
  readOrder(caller: BankCaller, submitted: SubmittedOrder): Promise<OrderShownByBank>
  readonly authorisations: Authorisations<SubmittedOrder>
  readonly cancellation: CancellationProduct
}

export type CancellationProduct = {
  /** Cancels an order; `authorisation-required` when the user has to sign the cancellation. */
  cancel(caller: BankCaller, submitted: SubmittedOrder, requestId: string): Promise<CancellationAnswer>
  /** Authorisations of the cancellation, once it was requested. */
  readonly authorisations: Authorisations<SubmittedOrder>
}

/** Only the order's status confirms that it is cancelled. */
export type CancellationAnswer = 'accepted' | 'authorisation-required'

/** Several orders with one signature. */
export type BasketProduct = {
  create(caller: BankCaller, request: BasketRequest): Promise<{ bankBasketId: string }>
  /** Deletes an unsigned basket; idempotent. */
  drop(caller: BankCaller, bankBasketId: string): Promise<void>
  /** Authorisations of a basket, by the bank's basket id. */
  readonly authorisations: Authorisations<string>
}

export type BasketRequest = {
  readonly payments: readonly SubmittedOrder[]
  readonly requestId: string
  readonly back: ReturnUrls
}

/** Submits bulks. Calling `initiate` twice may pay twice. */
export type BulkPaymentProduct = Omit<OrderOperations, 'read'> & {
  initiate(caller: BankCaller, order: BulkOrder, request: InitiationRequest): Promise<BulkInitiationResult>
  /** The status of the bulk and, after partial acceptance or execution, of each payment. */
  read(caller: BankCaller, submitted: SubmittedOrder, known: KnownBulk): Promise<BulkObservation>
}

/** The return URL is not part of it: the bank receives it with the authorisation. */
export type BankConsentRequest = { readonly requestId: string; readonly validUntil: Temporal.PlainDate }

/** `pending`: not yet authorised. `revoked-by-user`: by the user at the bank. `revoked`: by the bank, or superseded. */
export type BankConsentState = {
  readonly state: 'pending' | 'valid' | 'rejected' | 'revoked' | 'revoked-by-user' | 'expired'
  /** Null where the bank does not report it. */
  readonly validUntil: Temporal.PlainDate | null
  /** The bank's own status text. */
  readonly bankStatus: string
}
