/** Keeps that a bank is about to be asked to take payouts of a payroll, and forgets it when the bank refused them. */
import type { Context } from '../../context.ts'
import type { IdempotentRequest } from '../../foundation/http/idempotency.ts'
import { settleTask } from '../../operators/raise-task.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import { newBankRequest } from '../submission/bank-request.ts'
import type { Intent } from '../submission/submission.ts'
import { dropIntent, keepIntentWithin } from '../submission/submission-store.ts'
import { type PayoutRange, type PayrollKey, type PayrollProduct, payoutsOrdered } from './payroll-order.ts'
import { linkElements } from './payroll-transaction-store.ts'

/** Of a payroll, what each of its orders is kept with. */
export type PayrollFacts = PayrollKey & {
  readonly consentId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly debtorBban: string
  readonly currency: string
  readonly dueDate: Temporal.PlainDate
}

/** An order that is about to be handed over. */
export type PayoutsToKeep<Order> = {
  /** Of the row; banks know a bulk by it. */
  readonly id: string
  readonly payroll: PayrollFacts
  readonly range: PayoutRange
  readonly as: PayrollProduct
  /** The first payout's. */
  readonly endToEndId: string
  /** As `contentDigest` gives it. */
  readonly digest: string
  readonly order: Order
}

/** An order of payouts that is kept, and that the bank has not been asked to take yet. */
export type PayoutsIntent<Order> = Intent<Order> & PayrollKey

/** Payouts that an order carries already: somebody else has handed them over, or is about to. */
export class AlreadyCarried extends Error {}

const DUPLICATE_WITHIN = { hours: 24 }

/**
 * Keeps an intent within a transaction; `duplicateOf` is an equal order of the last 24 hours. A constraint refuses one
 * that is equal to an order whose outcome is open. Throws `AlreadyCarried`.
 */
export async function keepPayoutsIntent<Order>(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  transaction: Queryable,
  { id, payroll, range, as, endToEndId, digest, order }: PayoutsToKeep<Order>,
  idempotent: IdempotentRequest | null = null,
): Promise<{ readonly intent: PayoutsIntent<Order>; readonly duplicateOf: string | null }> {
  const { partnerId, payrollId, debtorBban, currency } = payroll
  const { bankRequestId, notification, hintHash, recoverAt } = newBankRequest({ clock, config }, { partnerId, id })
  const now = clock.now()
  const { duplicateOf } = await keepIntentWithin(transaction, {
    partner_id: partnerId,
    id,
    type: 'Payroll',
    payroll_id: payrollId,
    consent_id: payroll.consentId,
    bic: payroll.bic,
    country_code: payroll.countryCode,
    organisation_number: payroll.organisationNumber,
    end_to_end_id: endToEndId,
    amount_minor: '0',
    currency,
    debtor_bban: debtorBban,
    creditor_bban: digest,
    due_date: payroll.dueDate.toString(),
    ordered: JSON.stringify(payoutsOrdered(payroll, range, as)),
    bank_request_id: bankRequestId,
    hint_hash: hintHash,
    created_at: now.toString(),
    recover_at: recoverAt.toString(),
    duplicates_since: now.subtract(DUPLICATE_WITHIN).toString(),
    idempotency: idempotent?.intentFor(payrollId) ?? null,
  })
  if ((await linkElements(transaction, payroll, range, id)) !== range.count) {
    throw new AlreadyCarried(`Payouts of payroll ${payrollId} are carried by another order`)
  }
  const intent = { partnerId, paymentId: id, payrollId, order, bankRequestId, notification, warnings: [] }
  return { intent, duplicateOf }
}

/**
 * Forgets an order that its bank refused, together with `besides`; frees its idempotency key. False when the order was
 * settled otherwise: then all of it stays.
 */
export async function forgetPayouts(
  context: Context,
  { partnerId, paymentId }: Pick<Intent, 'partnerId' | 'paymentId'>,
  besides: (transaction: Queryable) => Promise<void>,
): Promise<boolean> {
  return await atomically(context.database, async (transaction) => {
    const before = await dropIntent(transaction, { partnerId, id: paymentId })
    if (before === undefined) {
      return false
    }
    await besides(transaction)
    if (before === 'unknown') {
      const subject = { partnerId, kind: 'UnknownOutcome', subjectId: paymentId } as const
      await settleTask({ ...context, database: transaction }, subject, 'the bank refused the order late')
    }
    return true
  })
}
