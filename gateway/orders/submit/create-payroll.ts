/** Stores a payroll with its encrypted terms, its transactions and related rows in one transaction. */
import type { Bank } from '../../banks/connector/bank.ts'
import type { FindCompany } from '../../companies/require-company.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { FindAccount } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import { newId } from '../../platform/ids.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { findPayrollOfOpenOrder, type OpenOrderQuery } from '../find-orders.ts'
import type { PayrollInstruction } from '../parse/payroll-orders.ts'
import { isSubmittedIndividually, type Payroll, type SubmissionMode } from '../payroll.ts'
import { lockOpenBulk } from '../store/bulk-store.ts'
import { insertPayrollContents, sealPayrollContents, sealPayrollTerms } from '../store/payroll-contents.ts'
import { insertPayroll } from '../store/payroll-store.ts'
import type { WriteAcknowledgement } from '../store/submission-store.ts'
import { endOfDueDay } from './maintain-payroll.ts'

/** How a payroll is stored; `within` runs in the same transaction. */
export type PayrollCreation<Result> = {
  readonly bank: Bank
  readonly submissionMode: SubmissionMode
  /** The bulk that it belongs to. */
  readonly bulkId?: string | undefined
  readonly within: (context: Context, payroll: Payroll) => Promise<Result>
}

/** Makes no call to the bank. A bulk order or a file is one order, stored with the payroll, so its state is `submitted` at once. */
export async function createPayroll<Result>(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  { bank, submissionMode, bulkId, within }: PayrollCreation<Result>,
): Promise<{ readonly payroll: Payroll; readonly result: Result }> {
  const payroll = await newPayroll(context, caller, instruction, { bank, submissionMode, bulkId: bulkId ?? null })
  const { partnerId, id } = payroll
  const { ordered, total } = instruction
  const { from, purposeCode, transactions } = ordered
  const terms = sealPayrollTerms(context.seal, payroll, { from, purposeCode, total })
  const chunks = await sealPayrollContents(context, { partnerId, payrollId: id }, ordered)
  const endToEndIds = transactions.map(({ metadata }) => metadata.endToEndId)
  const result = await inTransaction(context, async (context) => {
    await (bulkId !== undefined && requireOpenBulk(context.database, { partnerId, id: bulkId }))
    await insertPayroll(context.database, payroll, terms)
    await insertPayrollContents(context.database, { partnerId, payrollId: id }, { slices: chunks, endToEndIds })
    return await within(context, payroll)
  })
  return { payroll, result }
}

async function newPayroll(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  { ordered: { transactions }, debtor, currency, dueDate }: PayrollInstruction,
  {
    bank,
    submissionMode,
    bulkId,
  }: { readonly bank: Bank; readonly submissionMode: SubmissionMode; readonly bulkId: string | null },
): Promise<Payroll> {
  const now = context.clock.now()
  const isSubmittedLater = isSubmittedIndividually({ submissionMode })
  return {
    partnerId,
    id: newId(),
    bulkId,
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

/** Locks the bulk until the payroll is added to it. Throws 503 if the bulk was cancelled. */
async function requireOpenBulk(transaction: Queryable, bulk: RowKey): Promise<void> {
  if (!(await lockOpenBulk(transaction, bulk))) {
    throw bulkTimeoutError()
  }
}

export function bulkTimeoutError(): Error {
  return apiError(
    'unavailable',
    'Ordering the bulk took too long, so it was cancelled. None of it is executed. Send it again',
  )
}

/** Any other error is returned unchanged. */
export async function toPayrollConflictError(
  context: Context,
  order: OpenOrderQuery | undefined,
  error: unknown,
): Promise<unknown> {
  if (isConstraintViolation(error, 'idempotency_pkey')) {
    return apiError('conflict', 'The first request with this Idempotency-Key is still running')
  }
  if (order === undefined || !isConstraintViolation(error, 'payments_open_outcome')) {
    return error
  }
  const payrollId = await findPayrollOfOpenOrder(context, order)
  return apiError(
    'conflict',
    'A payroll with the same transactions was submitted to the bank and its outcome is unknown. Follow the payroll with this payrollId',
    payrollId === undefined ? {} : { payrollId },
  )
}

/** Lookups that concurrent requests share, and the data of this request. */
export type PayrollInitiation = {
  readonly bank: Bank
  readonly findCompany: FindCompany
  readonly findAccount: FindAccount
  readonly writeAcknowledgement: WriteAcknowledgement
  readonly idempotent: IdempotentRequest | null
  /** The bulk that it belongs to. */
  readonly bulkId?: string
}

/** The parameters of each submission mode. */
export type PayrollInitiationParameters = PayrollInitiation & {
  readonly submissionMode: SubmissionMode
  readonly account: ConsentAccount
}
