/** Defines a payroll: transactions from one account on one due date, with its states, status and submission mode. */

import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollTransaction } from '../../contract/payrolls/payroll-response.ts'
import type { PayrollSubmissionMode } from '../banks/connector/bank-profile.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { presentFields } from '../platform/collections.ts'
import type { Money } from '../platform/money.ts'
import { isFinalStatus, type Payment } from './payment.ts'
import { PAYROLL_STATUS_PRECEDENCE } from './payroll-order.ts'

/**
 * submitting: some orders are not submitted yet. submitted: all are. failing: the bank rejected one, and those that it
 * has accepted are being cancelled. failed: no order is left that can be cancelled; an operator task lists those at the bank.
 */
export type PayrollState = 'submitting' | 'submitted' | 'failing' | 'failed'

/** A payroll as stored; its transactions are stored separately. */
export type Payroll = {
  readonly partnerId: string
  readonly id: string
  /** The bulk that it belongs to; null for a single payroll. */
  readonly bulkId: string | null
  readonly consentId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly debtorBban: string
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
  /** As what its bank accepts it: one order, baskets or chains of single payments, or a file. */
  readonly submissionMode: PayrollSubmissionMode
  readonly transactionCount: number
  readonly state: PayrollState
  /** Why its submission has stopped or failed. */
  readonly stateText: string | null
  /** The status of the payroll; its transactions have their own. */
  readonly status: PaymentStatusValue
  readonly createdAt: Temporal.Instant
  /** When the status of a transaction last changed. */
  readonly changedAt: Temporal.Instant
  readonly nextRunAt: Temporal.Instant | null
  /** When the rest is submitted; null when nothing is left, or when a request of another user is needed. */
  readonly submitAt: Temporal.Instant | null
  /** The consent under which the rest is submitted. */
  readonly submissionConsentId: string
  /** Since when no order could be submitted; null while they can. */
  readonly submissionFailedSince: Temporal.Instant | null
}

/** The encrypted part of a payroll. */
export type PayrollTerms = Pick<PayrollRequest, 'from' | 'purposeCode'> & { readonly total: Money }

/** The encryption context of the sealed terms. */
export function payrollPurpose({ partnerId, id }: Pick<Payroll, 'partnerId' | 'id'>): string {
  return `payroll terms ${partnerId} ${id}`
}

/** Whether its transactions are submitted one by one, by the worker. */
export function isSubmittedIndividually({ submissionMode }: Pick<Payroll, 'submissionMode'>): boolean {
  return submissionMode === 'baskets' || submissionMode === 'chain'
}

/** The status of a payroll whose transactions have these: the first in order of precedence. */
export function statusOfPayroll(statuses: readonly PaymentStatusValue[]): PaymentStatusValue {
  return PAYROLL_STATUS_PRECEDENCE.find((status) => statuses.includes(status)) ?? 'Unsigned'
}

/** Whether no status will change any more. Open statuses precede final ones, so a final status means that all are final. */
export function isFinalPayroll(
  { status, state }: Pick<Payroll, 'status' | 'state'>,
  isOutcomeUnknown: boolean,
): boolean {
  return isFinalStatus(status) && !isOutcomeUnknown && state !== 'submitting' && state !== 'failing'
}

export type TransactionState = Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'statusAt'>

/** Renders a transaction with its own status or that of its order. */
export function renderPayrollTransaction({
  endToEndId,
  ...state
}: TransactionState & Pick<Payment, 'endToEndId'>): PayrollTransaction {
  const { status, statusReason, statusReasonText, statusAt } = state
  return {
    endToEndId,
    timestamp: formatTimestamp(statusAt),
    payrollStatus: status,
    ...presentFields({ payrollStatusReason: statusReason, payrollStatusReasonText: statusReasonText }),
  }
}
