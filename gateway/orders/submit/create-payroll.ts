/** Stores a payroll with its encrypted terms, its transactions and related rows in one transaction. */

import type { Bank } from '../../banks/directory/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { requireOpenBulk } from '../../payrolls/bulks/create-bulk.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import type { PayrollInstruction } from '../parse/payroll-instruction.ts'
import { isSubmittedIndividually, type Payroll, type SubmissionMode } from '../payroll.ts'
import { insertPayrollContents, sealPayrollContents } from '../store/payroll-contents.ts'
import { insertPayroll } from '../store/payroll-store.ts'
import { sealPayrollTerms } from '../store/payroll-terms.ts'
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
