/** What a payment is: an order, what its bank says of it, what is usual, and what we may do in each status. */
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import type {
  PaymentStatusReason,
  PaymentStatus as PaymentStatusShown,
  PaymentStatusValue,
} from '../../contract/shapes.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import type { Money } from '../platform/money.ts'
import { type ExchangeState, mayStillMove, standsFirm } from './exchange/exchange.ts'
import type { PayrollOrdered } from './payroll/payroll-order.ts'

/** Whether we know that the bank took the order: `void` orders were certainly never taken. */
export type Outcome = 'asked' | 'known' | 'unknown' | 'void'

/** The order exactly as it was asked. */
export type OrderAsked =
  | { readonly type: 'Domestic'; readonly ordered: DomesticPayment }
  | { readonly type: 'CrossBorder'; readonly ordered: CrossBorderPayment }
  /** An order of a payroll: kept as payments are, and none to partners. What it holds is sealed elsewhere. */
  | { readonly type: 'Payroll'; readonly ordered: PayrollOrdered }

/** A payment as it is kept. */
export type Payment = PaymentFacts & OrderAsked

/** One that partners know as a payment. */
export type PartnersPayment = Extract<Payment, { readonly type: 'Domestic' | 'CrossBorder' }>

/** An order of a payroll. Its amount is none, and its creditor a digest: both are sealed with the rest of the contents. */
export type PayrollPayment = Extract<Payment, { readonly type: 'Payroll' }>

/** What is kept of payments of any kind. */
type PaymentFacts = {
  readonly partnerId: string
  readonly id: string
  readonly consentId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly endToEndId: string
  readonly amount: Money
  readonly debtorBban: string
  readonly creditorBban: string
  readonly dueDate: Temporal.PlainDate
  readonly outcome: Outcome
  readonly bankRequestId: string
  readonly bankPaymentId: string | null
  readonly status: PaymentStatusValue
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  readonly bankStatus: string | null
  /** Whether every signature that we know to be needed was given. */
  readonly signed: boolean
  /** When the last of them was given, as far as we know of it. */
  readonly signedAt: Temporal.Instant | null
  readonly createdAt: Temporal.Instant
  /** The last successful read at the bank. */
  readonly statusAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  /** Wall time of the bank's last hint. */
  readonly hintedAt: Temporal.Instant | null
  readonly pollAt: Temporal.Instant | null
  readonly pollStep: number
  /** Since when the bank could not be read; null when the last attempt went well. */
  readonly unreadSince: Temporal.Instant | null
  /** When the present status, a final one, was first reported. */
  readonly finalSince: Temporal.Instant | null
  /** When the bank first said, and has not taken back since, that it holds the order no more, which nobody had signed. */
  readonly lapsedAt: Temporal.Instant | null
  /** When the bank took its withdrawal, whether or not it has shown that since. */
  readonly withdrawnAt: Temporal.Instant | null
  /** The entry on the debtor's account that showed that the money has moved. */
  readonly settledBy: string | null
  /** How far its exchange has come; null without one. Amount and creditor are then those of the order that funds it. */
  readonly exchange: ExchangeState | null
  readonly quoteId: string | null
  /** Until when it must be signed. */
  readonly deadlineAt: Temporal.Instant | null
  /** When its exchange is decided upon, or what was decided is carried out; null when nothing is left to do. */
  readonly decideAt: Temporal.Instant | null
  /** The payroll that it is an order of; null for payments. */
  readonly payrollId: string | null
}

/** A payment that its bank holds, or held until it let it lapse. */
export type HeldPayment = Payment & { readonly bankPaymentId: string }

/** As what the bank holds it. What funds an exchange is a domestic order, and so is a single order of a payroll. */
export function productAtBank(
  payment: Pick<Payment, 'exchange'> & OrderAsked,
): 'domestic' | 'cross-border' | 'bulk' | 'file' {
  if (payment.type === 'Payroll') {
    return payment.ordered.as === 'single' ? 'domestic' : payment.ordered.as
  }
  return payment.type === 'CrossBorder' && payment.exchange === null ? 'cross-border' : 'domestic'
}

/** Whether partners know it as a payment. */
export function isPartners(payment: Payment): payment is PartnersPayment {
  return payment.type !== 'Payroll'
}

/** A status, together with its reason where it has one of its own. */
type Standing = Exclude<PaymentStatusValue, 'CustomerActionRequired'> | PaymentStatusReason

/** What we ourselves may do to a payment; everything else is the bank's. */
export type OwnMove =
  /** Begin a user's signature. */
  | 'approve'
  /** Ask the bank, for a user, to withdraw it. */
  | 'cancel'
  /** Withdraw it at the bank, unsigned or half signed at the end of its due day. */
  | 'withdraw'
  /** Place the order again where the bank let it lapse. */
  | 'place-again'
  /** Say, on the word of people, that the bank never took it. */
  | 'void'
  /** Say, on the word of an entry on the account, that it is settled. */
  | 'settle'

/** What usually follows a status, anything else being recorded and raised, and what of ours it permits. */
type StatusRow = {
  readonly final: boolean
  readonly usuallyNext: readonly Standing[]
  readonly permits: readonly OwnMove[]
}

const FINAL = ['Completed', 'Rejected', 'Cancelled'] as const

/** The status table of the interface's decisions. */
const statusTable: Readonly<Record<PaymentStatusValue, StatusRow>> = {
  Unsigned: {
    final: false,
    usuallyNext: ['PartlySigned', 'SmsConfirmationRequired', 'InProgress', ...FINAL],
    permits: ['approve', 'cancel', 'withdraw', 'place-again', 'void'],
  },
  CustomerActionRequired: {
    final: false,
    usuallyNext: ['SmsConfirmationRequired', 'InProgress', 'Unsigned', ...FINAL],
    permits: ['cancel'],
  },
  InProgress: {
    final: false,
    usuallyNext: ['PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds', ...FINAL],
    permits: ['cancel', 'settle'],
  },
  Completed: { final: true, usuallyNext: ['Rejected'], permits: [] },
  Rejected: { final: true, usuallyNext: [], permits: [] },
  Cancelled: { final: true, usuallyNext: [], permits: [] },
}

/** What a status permits besides when it has this reason. */
const permitsByReason: Readonly<Partial<Record<PaymentStatusReason, readonly OwnMove[]>>> = {
  PartlySigned: ['approve', 'withdraw'],
}

type StatusAndReason = Pick<Payment, 'status' | 'statusReason'>

/** What is done only while nobody has signed, whatever the status says: a bank's word may be one that we do not know. */
const BEFORE_SIGNING: ReadonlySet<OwnMove> = new Set(['approve', 'withdraw', 'place-again', 'void'])

/** Whether we may make a move of our own. The bank's word asks nobody. */
export function permits(
  { status, statusReason, signed }: StatusAndReason & Pick<Payment, 'signed'>,
  move: OwnMove,
): boolean {
  const besides = statusReason === null ? [] : (permitsByReason[statusReason] ?? [])
  const isTooLate = signed && BEFORE_SIGNING.has(move)
  return !isTooLate && (statusTable[status].permits.includes(move) || besides.includes(move))
}

/** Whether a status is one that banks are expected to keep to. */
export function isFinalValue(status: PaymentStatusValue): boolean {
  return statusTable[status].final
}

/** Whether the bank holds the order for certain. */
export function isHeld(payment: Payment): payment is HeldPayment {
  return payment.outcome === 'known' && payment.bankPaymentId !== null
}

/** Whether the bank may or may not hold the order. */
export function isOutcomeUnknown({ outcome }: Pick<Payment, 'outcome'>): boolean {
  return outcome === 'asked' || outcome === 'unknown'
}

/** Whether money was bought for it that its partner cannot give back any more, even if the bank wants another signature. */
export function isExchangeKept({ exchange, signed }: Pick<Payment, 'exchange' | 'signed'>): boolean {
  return exchange !== null && (signed || standsFirm(exchange))
}

/** Whether the status is expected to stay. */
export function isFinal(payment: Pick<Payment, 'status' | 'outcome' | 'exchange'>): boolean {
  return isFinalValue(payment.status) && !isOutcomeUnknown(payment) && !mayStillMove(payment.exchange)
}

/** Whether a user may sign it now: unsigned, or waiting for one more signature. */
export function isOpenForSigning(payment: Payment): boolean {
  return isHeld(payment) && permits(payment, 'approve')
}

/**
 * Whether a change is one that banks usually report. An order of which we know that it was signed has been in progress,
 * though the bank was not read at that moment; one in progress of which we do not know it is so by a word unknown to us.
 */
export function isUsualChange(from: StatusAndReason & Pick<Payment, 'signed'>, to: StatusAndReason): boolean {
  const isSame = from.status === to.status && standingOf(from) === standingOf(to)
  const passed = from.signed && from.status === 'Unsigned' ? [from.status, 'InProgress' as const] : [from.status]
  const wasGuessed = !from.signed && from.status === 'InProgress' && to.status === 'Unsigned'
  const next = standingOf(to)
  return (
    isSame ||
    wasGuessed ||
    (next !== undefined && passed.some((status) => statusTable[status].usuallyNext.includes(next)))
  )
}

/** Undefined for a status that wants a reason and has none. A reason beside any other status changes nothing. */
function standingOf({ status, statusReason }: StatusAndReason): Standing | undefined {
  return status === 'CustomerActionRequired' ? (statusReason ?? undefined) : status
}

/** The status as partners see it. */
export function shownStatus(payment: {
  readonly status: PaymentStatusValue
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  readonly statusAt: Temporal.Instant
}): PaymentStatusShown {
  const { status, statusReason, statusReasonText, statusAt } = payment
  return {
    status,
    ...(statusReason === null ? {} : { statusReason }),
    ...(statusReasonText === null ? {} : { statusReasonText }),
    timestamp: printTimestamp(statusAt),
  }
}
