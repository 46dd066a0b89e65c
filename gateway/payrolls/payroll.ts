/** What a payroll is: payouts from one account on one day, how its bank takes them, and what becomes of the whole. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { Bank, PayrollWay } from '../banks/directory/bank.ts'
import { isFinalValue } from '../orders/payment.ts'
import { WHOLE_STATUS_ORDER } from '../orders/payroll/payroll-order.ts'
import type { Money } from '../platform/money.ts'

/** As what a bank takes payrolls. */
export type Way = PayrollWay

/**
 * placing: some orders are yet to be handed over. placed: none is. failing: the bank refused one, and those that it
 * holds are withdrawn. failed: none is left there, or none that we can withdraw; people are told of those.
 */
export type PayrollState = 'placing' | 'placed' | 'failing' | 'failed'

/** A payroll as it is kept, its payouts apart. */
export type Payroll = {
  readonly partnerId: string
  readonly id: string
  /** The bulk that it came in; null for one that came alone. */
  readonly bulkId: string | null
  readonly consentId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly debtorBban: string
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
  readonly way: Way
  readonly transactionCount: number
  readonly state: PayrollState
  /** Why it is being placed no further, or has failed. */
  readonly stateText: string | null
  /** That of the whole. */
  readonly status: PaymentStatusValue
  readonly createdAt: Temporal.Instant
  /** When the status of a payout changed last. */
  readonly changedAt: Temporal.Instant
  readonly workAt: Temporal.Instant | null
}

/** What is sealed of a payroll as a whole. */
export type PayrollTerms = Pick<PayrollAsked, 'from' | 'purposeCode'> & { readonly total: Money }

/** What the sealed terms are bound to. */
export function payrollPurpose({ partnerId, id }: Pick<Payroll, 'partnerId' | 'id'>): string {
  return `payroll terms ${partnerId} ${id}`
}

/** How payrolls reach a bank; undefined where it takes none. */
export function wayAt({ profile }: Pick<Bank, 'profile'>): Way | undefined {
  return profile.products.includes('PAYROLL') ? profile.payroll?.way : undefined
}

/** The status of a whole whose parts have these: the first in the order of the table that one of them has. */
export function statusOfPayroll(parts: readonly PaymentStatusValue[]): PaymentStatusValue {
  return WHOLE_STATUS_ORDER.find((status) => parts.includes(status)) ?? 'Unsigned'
}

/** The status of a payout that no order carries. */
export function statusUncarried(state: PayrollState): PaymentStatusValue {
  return state === 'failing' || state === 'failed' ? 'Cancelled' : 'Unsigned'
}

/** Whether every status is expected to stay: what is open comes before what is final. */
export function isFinalPayroll(
  { status, state }: Pick<Payroll, 'status' | 'state'>,
  isOutcomeUnknown: boolean,
): boolean {
  return isFinalValue(status) && !isOutcomeUnknown && state !== 'placing' && state !== 'failing'
}
