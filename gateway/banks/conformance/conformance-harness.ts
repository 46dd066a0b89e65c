/** The harness of the conformance suite: a bank with fault injection, its user, and the connector under test. */

import type { BankAccount } from '../connector/bank-account.ts'
import {
  type BulkOrder,
  type BulkTransaction,
  type CrossBorderOrder,
  type DomesticOrder,
  type SubmittedOrder,
  submittedAs,
} from '../connector/bank-order.ts'
import type { Authorisations, BankCaller, Connector, DomesticPaymentProduct } from '../connector/connector.ts'
import type { AuthorisationRequest, ReturnUrls, StartedAuthorisation } from '../connector/sca-authorisation.ts'

/** The user's decision on the bank's pages. */
export type UserDecision = 'sign' | 'reject' | 'leave'

/** Query parameters of the callback URL. */
export type CallbackQuery = Readonly<Record<string, string>>

/** Fault of the next initiation after its acceptance: the answer is withheld, or the connection closed. */
export type LostAnswer = 'withhold-answer' | 'drop-connection'

/** A bank for the suite, and the connector under test. */
export type ConformanceHarness = {
  readonly connector: Connector
  /** A present user without a consent. */
  readonly caller: BankCaller
  readonly back: ReturnUrls
  /** The bank's current business day. */
  today(): Promise<Temporal.PlainDate>
  /** A valid order due today from an account that the user may pay from; each with another amount. */
  order(): Promise<DomesticOrder>
  /** The changes that produce all other kinds of orders at the bank: each rail, and each type of remittance. */
  readonly orders: readonly Partial<DomesticOrder>[]
  /** A valid cross-border order, each with another amount, and its regulatory code; null where not offered. */
  readonly crossBorder: {
    order(): Promise<CrossBorderOrder>
    readonly reporting: CrossBorderOrder['regulatoryReporting']
  } | null
  /** A valid bulk of three payments due today, and a payment that the bank rejects at execution. */
  readonly bulk: {
    /** Whether the bank receives our id of a bulk and returns it. */
    readonly hasOurId: boolean
    order(): Promise<BulkOrder>
    rejected(element: BulkTransaction): BulkTransaction
  }
  /** A valid account of the bank to which the user has no access. */
  readonly foreignDebtor: DomesticOrder['debtor']
  /** The user's accounts whose payments need no signature, and two signatures. */
  readonly debtors: Readonly<Record<'unsigned' | 'two', DomesticOrder['debtor']>>
  /** Another user of the company, who may sign and has no consent. */
  readonly secondSigner: BankCaller
  /** Whether the bank distinguishes a user who declines from one who leaves. */
  readonly tellsRejections: boolean
  /** Makes the user's decision on the bank's page or in the app; returns the callback parameters. */
  decide(
    started: Pick<StartedAuthorisation, 'authorisationId' | 'approach'>,
    decision: UserDecision,
  ): Promise<CallbackQuery>
  /** Opens an address of the bank in a browser and makes the decision; returns the callback parameters. */
  browse(url: string, decision: UserDecision, userId?: string): Promise<CallbackQuery>
  /** Lets the code expire without being scanned. */
  expire(started: StartedAuthorisation): Promise<void>
  /** Creates a pending incoming payment to an account of the user, by its domestic number. */
  expectMoney(bban: string, amountMinor: bigint): Promise<void>
  /** Books the pending incoming payment. */
  receiveMoney(bban: string): Promise<void>
  /** Books so many entries over the last days. */
  bookMany(bban: string, count: number): Promise<void>
  settle(bankPaymentId: string): Promise<void>
  loseAnswer(effect: LostAnswer, of?: 'bulk'): Promise<void>
  /** Number of payments at the bank. */
  paymentsHeld(): Promise<number>
  close(): Promise<void>
}

/** Access to the harness, which opens before the first test. */
export type ConformanceContext = {
  readonly harness: () => ConformanceHarness
  /** The caller with an accepted consent. */
  readonly consented: () => Promise<BankCaller>
  /** The same for orders, of which the tokens of the consent may be no part. */
  readonly ordering: () => Promise<BankCaller>
  readonly payments: () => DomesticPaymentProduct
}

/** Creates a consent and lets the user accept it. */
export async function grantConsent(
  harness: Pick<ConformanceHarness, 'caller' | 'connector' | 'today' | 'back' | 'decide'>,
): Promise<BankCaller> {
  const { caller, connector, today } = harness
  const { consents } = connector
  const validUntil = (await today()).add({ days: caller.bank.profile.maxConsentValidityDays })
  const { bankConsentId } = await consents.create(caller, { requestId: crypto.randomUUID(), validUntil })
  const { by } = await runAuthorisation(harness, consents.authorisations, { caller, target: bankConsentId })
  return { ...by, bankConsentId }
}

/** The caller of orders: where each signature gives tokens of its own, those of the consent are for accounts only. */
export function callerOfOrders(consented: BankCaller, signedIn: Pick<BankCaller, 'accessToken'>): BankCaller {
  return consented.bank.profile.oauth === 'integrated' ? { ...consented, accessToken: signedIn.accessToken } : consented
}

/** Submits a valid order with changes. */
export async function initiateSampleOrder(
  harness: ConformanceHarness,
  caller: BankCaller,
  change: Partial<DomesticOrder> = {},
) {
  const payments = required(harness.connector.domesticPayments, 'The connector offers no payments')
  const order = { ...(await harness.order()), ...change }
  const request = { requestId: crypto.randomUUID(), notification: harness.back.notification }
  const taken = await payments.initiate(caller, order, request)
  return { order, taken, at: submittedAs(order, taken.bankPaymentId) }
}

/** An account of the consent by its number. */
export async function accountOf(
  { connector }: Pick<ConformanceHarness, 'connector'>,
  caller: BankCaller,
  { bban, iban }: Pick<DomesticOrder['debtor'], 'bban' | 'iban'>,
): Promise<BankAccount> {
  const product = required(connector.accounts, 'The connector offers no accounts')
  const { accounts } = await product.list(caller)
  const found = accounts.find((one) => one.bban === bban || (one.iban !== null && one.iban === iban))
  return required(found, 'The consent does not open the account of the sample')
}

/** The caller, the resource, the decision and the preferred approach of an authorisation. */
export type AuthorisationRun<Target> = {
  readonly caller: BankCaller
  readonly target: Target
  readonly decision?: UserDecision
  readonly preferred?: AuthorisationRequest['preferred']
  readonly partlySigned?: boolean
}

/**
 * Starts an authorisation, makes the user's decision, completes it with the callback, and reads its state. Returns also the
 * caller with the tokens of the signature.
 */
export async function runAuthorisation<Target>(
  { back, decide }: Pick<ConformanceHarness, 'back' | 'decide'>,
  authorisations: Authorisations<Target>,
  { caller, target, decision = 'sign', preferred = null, partlySigned = false }: AuthorisationRun<Target>,
) {
  const started = await authorisations.start(caller, target, { back, preferred })
  const begun = { authorisationId: started.authorisationId, partlySigned }
  const brought = { query: await decide(started, decision), returnSecret: started.returnSecret, back }
  const tokens = await authorisations.complete(caller, target, begun, brought)
  const state = await authorisations.read(caller, target, begun)
  return { started, begun, state, by: { ...caller, accessToken: tokens?.accessToken ?? caller.accessToken } }
}

/** Some banks execute an order immediately after signing. */
export async function settleIfOpen({ settle }: ConformanceHarness, { bankPaymentId }: SubmittedOrder): Promise<void> {
  await settle(bankPaymentId).catch(() => undefined)
}

/** The value. Throws the message when it is missing. */
export function required<Value>(value: Value | undefined, complaint: string): Value {
  if (value === undefined) {
    throw new Error(complaint)
  }
  return value
}
