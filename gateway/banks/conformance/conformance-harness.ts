/** What the conformance suite plays with: a bank that may be disturbed, its user, and the connector that speaks to it. */

import type { BulkElement, BulkOrder } from '../bulk-order.ts'
import type { Authorisations, BankCaller, Connector, DomesticPaymentProduct } from '../connector/connector.ts'
import type { CrossBorderOrder } from '../connector/cross-border-order.ts'
import { type DomesticOrder, numberOf } from '../connector/domestic-order.ts'
import type { PlacedOrder } from '../connector/order-at-bank.ts'
import type { AuthorisationAsked, ReturnAddresses, StartedAuthorisation } from '../connector/sca-authorisation.ts'

/** What the user does at the bank's pages. */
export type UserDecision = 'sign' | 'reject' | 'leave'

/** Query parameters of the address that the bank sends the browser to. */
export type Brought = Readonly<Record<string, string>>

/** What befalls the next initiation: the answer is kept back, or the connection goes, after the order was taken. */
export type LostAnswer = 'withhold-answer' | 'drop-connection'

/** A bank that the suite may play with, and the connector that speaks to it. */
export type ConformanceHarness = {
  readonly connector: Connector
  /** A user who is there, without a consent. */
  readonly caller: BankCaller
  readonly back: ReturnAddresses
  /** The bank's business day. */
  today(): Promise<Temporal.PlainDate>
  /** A sound order from an account that the user may pay from, due today; each for another amount. */
  order(): Promise<DomesticOrder>
  /** What makes of it the other orders that the bank takes: each rail, and each kind of remittance. */
  readonly orders: readonly Partial<DomesticOrder>[]
  /** A sound order across a border, each for another amount, and what authorities are told; null where the bank offers none. */
  readonly crossBorder: {
    order(): Promise<CrossBorderOrder>
    readonly reporting: CrossBorderOrder['regulatoryReporting']
  } | null
  /** A sound bulk of three payments, due today, and what the bank rejects of one once it carries the bulk out. */
  readonly bulk: {
    /** Whether the bank is sent our id of a bulk, and tells it again. */
    readonly hasOurId: boolean
    order(): Promise<BulkOrder>
    rejected(element: BulkElement): BulkElement
  }
  /** A sound account of the bank that the user has nothing to do with. */
  readonly foreignDebtor: DomesticOrder['debtor']
  /** Accounts of the user's from which nobody has to sign, and from which two have to. */
  readonly debtors: Readonly<Record<'unsigned' | 'two', DomesticOrder['debtor']>>
  /** Another user of the same company, who may sign too and has no consent. */
  readonly secondSigner: BankCaller
  /** Whether the bank tells a user who refuses from one who leaves. */
  readonly tellsRefusals: boolean
  /** The user arrives at the bank's page, or opens the app, and decides; answers what the browser brings back. */
  decide(started: Pick<StartedAuthorisation, 'authorisationId' | 'way'>, decision: UserDecision): Promise<Brought>
  /** A browser arrives at an address of the bank, and its user decides; answers what it brings back. */
  browse(url: string, decision: UserDecision, userId?: string): Promise<Brought>
  /** Nobody scans the code in time. */
  lapse(started: StartedAuthorisation): Promise<void>
  /** So much is on its way to an account of the user's, by its national number, and the bank shows it as pending. */
  expectMoney(bban: string, amountMinor: bigint): Promise<void>
  /** What is on its way there arrives. */
  receiveMoney(bban: string): Promise<void>
  /** So many entries are booked there, over the last days. */
  bookMany(bban: string, count: number): Promise<void>
  /** The bank books the payment. */
  settle(bankPaymentId: string): Promise<void>
  loseAnswer(effect: LostAnswer, of?: 'bulk'): Promise<void>
  /** How many payments the bank holds. */
  paymentsHeld(): Promise<number>
  close(): Promise<void>
}

/** What a group of the suite works with; the harness opens before the first test. */
export type Opened = {
  readonly harness: () => ConformanceHarness
  /** The caller with a consent that its user has agreed to. */
  readonly consented: () => Promise<BankCaller>
  readonly payments: () => DomesticPaymentProduct
}

/** Asks for a consent and lets the user agree. */
export async function agree(harness: ConformanceHarness): Promise<BankCaller> {
  const { caller, connector, today } = harness
  const { consents } = connector
  const validUntil = (await today()).add({ days: caller.bank.profile.maxConsentValidityDays })
  const { bankConsentId } = await consents.create(caller, { requestId: crypto.randomUUID(), validUntil })
  const { tokens } = await act(harness, consents.authorisations, { caller, target: bankConsentId })
  return { ...caller, bankConsentId, accessToken: tokens?.accessToken ?? caller.accessToken }
}

/** Places a sound order, changed as told. */
export async function place(harness: ConformanceHarness, caller: BankCaller, change: Partial<DomesticOrder> = {}) {
  const payments = required(harness.connector.domesticPayments, 'The connector offers no payments')
  const order = { ...(await harness.order()), ...change }
  const request = { requestId: crypto.randomUUID(), notification: harness.back.notification }
  const taken = await payments.initiate(caller, order, request)
  const { debtor, creditor } = order
  const numbers = { debtorBban: debtor.bban, creditorBban: numberOf(creditor.account) }
  return { order, taken, at: { bankPaymentId: taken.bankPaymentId, ...numbers } satisfies PlacedOrder }
}

/** Who signs what, and how. */
export type Act<Target> = {
  readonly caller: BankCaller
  readonly target: Target
  readonly decision?: UserDecision
  readonly preferred?: AuthorisationAsked['preferred']
  readonly partlySigned?: boolean
}

/** Begins an authorisation, lets the user decide, brings back what the browser brings, and reads how it stands. */
export async function act<Target>(
  { back, decide }: Pick<ConformanceHarness, 'back' | 'decide'>,
  authorisations: Authorisations<Target>,
  { caller, target, decision = 'sign', preferred = null, partlySigned = false }: Act<Target>,
) {
  const started = await authorisations.start(caller, target, { back, preferred })
  const begun = { authorisationId: started.authorisationId, partlySigned }
  const brought = { query: await decide(started, decision), returnSecret: started.returnSecret, back }
  const tokens = await authorisations.complete(caller, target, begun, brought)
  return { started, begun, tokens, state: await authorisations.read(caller, target, begun) }
}

/** The value, or a failure that says what is missing. */
export function required<Value>(value: Value | undefined, complaint: string): Value {
  if (value === undefined) {
    throw new Error(complaint)
  }
  return value
}
