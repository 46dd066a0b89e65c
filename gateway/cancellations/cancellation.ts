/** What a cancellation is: the wish of a user to withdraw one payment, and what its bank says to that. */
import type { CancellationAsked, CancellationRequestStatus } from '../../contract/cancellations.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { isExchangeKept, isFinalValue, type Payment, permits } from '../orders/payment.ts'

/** `ASKED` while the bank's answer is not known; partners see nothing of it but the other three. */
export type CancellationStatus = 'ASKED' | CancellationRequestStatus

/** A cancellation as it is kept. */
export type Cancellation = {
  readonly partnerId: string
  readonly id: string
  readonly paymentId: string
  /** The cancellation of a whole payroll that it is a part of; null for one of a payment. */
  readonly payrollCancellationId: string | null
  readonly bic: string
  /** Whose user wants it, who need not have created the payment. */
  readonly consentId: string
  readonly bankPaymentId: string | null
  /** Whether the payment was signed when the bank was first asked. */
  readonly wasSigned: boolean
  readonly bankRequestId: string
  readonly status: CancellationStatus
  readonly reason: string | null
  readonly createdAt: Temporal.Instant
  /** Wall time. */
  readonly askedAt: Temporal.Instant
}

/** Which statuses may follow which. */
export const cancellationMayBecome: Readonly<Record<CancellationStatus, readonly CancellationStatus[]>> = {
  ASKED: ['AUTHORIZATION_REQUIRED', 'ACCEPTED', 'REJECTED'],
  AUTHORIZATION_REQUIRED: ['ACCEPTED', 'REJECTED'],
  ACCEPTED: [],
  REJECTED: [],
}

/** How a cancellation ends. */
export type CancellationEnd = Pick<Cancellation, 'reason'> & { readonly status: 'ACCEPTED' | 'REJECTED' }

/** What a bank, or the user there, said to the wish: yes, or no with the reason. */
export type Word = { readonly yes: true } | { readonly yes: false; readonly reason: string }

/** What the partner is told without the bank being asked; undefined when it is the bank's to say. */
export function reasonAgainst({ name, profile }: Bank, payment: Payment): string | undefined {
  if (!permits(payment, 'cancel')) {
    return `The payment is ${payment.status} already`
  }
  if (isExchangeKept(payment)) {
    return 'The payment is signed, and its exchange stands: money was bought for it'
  }
  return profile.products.includes('PAYMENT_CANCEL') ? undefined : `${name} lets no third party cancel payments`
}

/**
 * What the wish comes to, by the bank's word and by what it says of the payment after that. A payment that is cancelled is
 * what was wished for, however it came about; one that ended otherwise was quicker, whatever the bank has said. A bank
 * refuses to withdraw again what it let go of when somebody else asked.
 */
export function endOf(
  word: Word,
  { status, signed, withdrawnAt }: Pick<Payment, 'status' | 'signed' | 'withdrawnAt'>,
): CancellationEnd {
  if (status === 'Cancelled') {
    return { status: 'ACCEPTED', reason: null }
  }
  if (!word.yes && (signed || withdrawnAt === null)) {
    return { status: 'REJECTED', reason: word.reason }
  }
  return isFinalValue(status)
    ? { status: 'REJECTED', reason: `The bank took the cancellation, but the payment was ${status} before` }
    : { status: 'ACCEPTED', reason: 'The bank took the cancellation; the payment is Cancelled once it shows that' }
}

/** Whether its user signed the payment, or it was placed anew, after the bank was asked: that is the newer wish. */
export function wasOvertaken({ wasSigned, bankPaymentId }: Cancellation, payment: Payment): boolean {
  return (payment.signed && !wasSigned) || payment.bankPaymentId !== bankPaymentId
}

/** A request to cancel a payment, with whoever made it. */
export type Wish = {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly payment: Payment
  readonly asked: CancellationAsked
  /** Whether the bank may have been asked before, and its answer was lost. */
  readonly isRepeated: boolean
}
