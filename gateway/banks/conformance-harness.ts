/** What the conformance suite plays with: a bank that may be disturbed, its user, and the connector that speaks to it. */
import type {
  BankCaller,
  Connector,
  DomesticOrder,
  DomesticPaymentProduct,
  ReturnAddresses,
  StartedAuthorisation,
} from './connector.ts'

/** What the user does at the bank's pages. */
export type UserDecision = 'sign' | 'reject' | 'leave'

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
  /** A sound account of the bank that the user has nothing to do with. */
  readonly foreignDebtor: DomesticOrder['debtor']
  /** Accounts of the user's from which nobody has to sign, and from which two have to. */
  readonly debtors: Readonly<Record<'unsigned' | 'two', DomesticOrder['debtor']>>
  /** Another user of the same company, who may sign too. */
  readonly secondSigner: string
  /** Whether the bank lets orders be withdrawn that nobody has signed. */
  readonly withdraws: boolean
  /** Whether the bank tells a user who refuses from one who leaves. */
  readonly tellsRefusals: boolean
  /** The user arrives at the bank's page and decides. */
  decide(started: StartedAuthorisation, decision: UserDecision): Promise<void>
  /** The bank books the payment. */
  settle(bankPaymentId: string): Promise<void>
  loseAnswer(effect: LostAnswer): Promise<void>
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
export async function agree({ connector, caller, back, decide, today }: ConformanceHarness): Promise<BankCaller> {
  const { consents } = connector
  const validUntil = (await today()).add({ days: caller.bank.profile.maxConsentValidityDays })
  const { bankConsentId } = await consents.create(caller, { requestId: crypto.randomUUID(), validUntil })
  const started = await consents.startAuthorisation(caller, bankConsentId, back)
  await decide(started, 'sign')
  return { ...caller, bankConsentId }
}

/** The value, or a failure that says what is missing. */
export function required<Value>(value: Value | undefined, complaint: string): Value {
  if (value === undefined) {
    throw new Error(complaint)
  }
  return value
}
