/** Stores a payroll with its encrypted terms, its transactions and its orders in one transaction; calls no bank. */
import type { DebtorAccount } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import { newId } from '../../platform/ids.ts'
import type { PayrollInstruction } from '../parse/payroll-orders.ts'
import { isSubmittedIndividually, type Payroll } from '../payroll.ts'
import type { PayrollProduct, TransactionRange } from '../payroll-order.ts'
import { lockOpenBulk } from '../store/bulk-store.ts'
import { insertPayroll, sealPayrollContents, sealPayrollTerms } from '../store/payroll-store.ts'
import { linkTransactionsToOrder } from '../store/payroll-transaction-store.ts'
import { createSubmissionInTransaction, type NewOrder } from '../store/submission-store.ts'
import { endOfDueDay } from './maintain-payroll.ts'
import { type Initiation, newSubmission, type StoredSubmission, submissionRowOf } from './submission.ts'

/** The parameters of an initiation; `bulkId` is the bulk that it belongs to. */
export type PayrollInitiation = Initiation & { readonly bulkId?: string }

/** The parameters of each submission mode. */
export type PayrollInitiationParameters = PayrollInitiation & {
  readonly submissionMode: Payroll['submissionMode']
  readonly account: DebtorAccount
}

/** A bulk order or a file is one order, stored by `storeOrders` in the same transaction, so its state is `submitted` at once. Throws 503 if its bulk was cancelled. */
export async function storePayroll<Result>(
  context: Context,
  payroll: Payroll,
  { ordered, total }: PayrollInstruction,
  storeOrders: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { partnerId, id, bulkId } = payroll
  const { from, purposeCode } = ordered
  const termsSealed = sealPayrollTerms(context.seal, payroll, { from, purposeCode, total })
  const sealed = { termsSealed, ...(await sealPayrollContents(context, { partnerId, payrollId: id }, ordered)) }
  return await inTransaction(context, async (context) => {
    // The bulk stays locked until the payroll is added to it.
    if (bulkId !== null && !(await lockOpenBulk(context.database, { partnerId, id: bulkId }))) {
      throw bulkTimeoutError()
    }
    await insertPayroll(context.database, payroll, sealed)
    return await storeOrders(context)
  })
}

/** Returns the payroll to store. */
export async function newPayroll(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  { ordered: { transactions }, debtor, currency, dueDate }: PayrollInstruction,
  { bank, submissionMode, bulkId }: Pick<PayrollInitiationParameters, 'bank' | 'submissionMode' | 'bulkId'>,
): Promise<Payroll> {
  const now = context.clock.now()
  const isSubmittedLater = isSubmittedIndividually({ submissionMode })
  return {
    partnerId,
    id: newId(),
    bulkId: bulkId ?? null,
    consentId: consent.id,
    bic: bank.bic,
    countryCode: bank.countryCode,
    organisationNumber: consent.organisationNumber,
    debtorBban: debtor.bban,
    currency,
    dueDate,
    submissionMode,
    transactionCount: transactions.length,
    state: isSubmittedLater ? 'submitting' : 'submitted',
    stateText: null,
    status: 'Unsigned',
    createdAt: now,
    changedAt: now,
    nextRunAt: isSubmittedLater ? await endOfDueDay(context, { bic: bank.bic, dueDate }) : null,
    submitAt: isSubmittedLater ? now : null,
    submissionConsentId: consent.id,
    submissionFailedSince: null,
  }
}

export function bulkTimeoutError(): Error {
  return apiError(
    'unavailable',
    'Ordering the bulk took too long, so it was cancelled. None of it is executed. Send it again',
  )
}

/** What an order of a payroll consists of; `digest` is that of its contents, by which equal orders are found. */
export type PayrollOrderParts = {
  readonly as: PayrollProduct
  readonly range: TransactionRange
  /** The endToEndId of the first transaction. */
  readonly endToEndId: string
  readonly digest: string
}

/** Returns a new order of a payroll. Its amount and creditors are sealed with the payroll's contents. */
export function newPayrollOrder(payroll: Payroll, { as, range, endToEndId, digest }: PayrollOrderParts): NewOrder {
  const { partnerId, id: payrollId, bic, countryCode, organisationNumber, debtorBban, currency, dueDate } = payroll
  return {
    type: 'Payroll',
    ordered: { payrollId, ...range, as, from: { account: { bban: debtorBban }, currency } },
    ...{ partnerId, payrollId, bic, countryCode, organisationNumber, debtorBban, dueDate, endToEndId },
    id: newId(),
    consentId: payroll.submissionConsentId,
    amount: { minor: 0n, currency },
    creditorBban: digest,
  }
}

/** The transactions belong to an order already: another process has submitted them, or is about to. */
export class AlreadySubmittedError extends Error {}

/**
 * Stores the submission of an order of a payroll within a transaction. A constraint rejects one that equals an order with an
 * unknown outcome. Throws `AlreadySubmittedError`.
 */
export async function storePayrollOrder(
  context: Context,
  order: NewOrder,
  idempotent: IdempotentRequest | null = null,
): Promise<StoredSubmission> {
  const submission = newSubmission(context, order)
  const { transactions } = submission
  const row = submissionRowOf(context, order, submission, idempotent)
  const { duplicateOf } = await createSubmissionInTransaction(context.database, row)
  if (
    transactions &&
    (await linkTransactionsToOrder(context.database, transactions, order.id)) !== transactions.count
  ) {
    throw new AlreadySubmittedError(`Transactions of payroll ${transactions.payrollId} belong to another order already`)
  }
  return { submission, duplicateOf }
}
