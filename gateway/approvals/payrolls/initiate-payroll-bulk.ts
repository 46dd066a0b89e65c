/** Takes several payrolls at once, hands each to its bank, and starts one approval over all of them: all of it, or nothing. */
import type { PayrollBulkAsked } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollBulkInitiated, PayrollInitiated } from '../../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { RowKey } from '../../foundation/due-rows.ts'
import { goOnOrdering, keepBulk, noteBulkTaken } from '../../payrolls/bulks/keep-bulk.ts'
import { initiatePayroll } from '../../payrolls/initiate-payroll.ts'
import { wayAt } from '../../payrolls/payroll.ts'
import type { PayrollInitiation } from '../../payrolls/payroll-initiation.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { Invalid, refuse } from '../../platform/http/errors/api-error.ts'
import { keepAnswerOf } from '../../platform/http/idempotency/idempotency-store.ts'
import { preferredOf } from '../../signing/signed-in-app.ts'
import type { ApprovalStarted } from '../begin-approval.ts'
import { beginPayrollApproval } from './begin-payroll-approval.ts'
import { endBulk } from './end-bulk.ts'

/** With what each payroll of a bulk is ordered; the key is of all of them together. */
export type BulkTools = Omit<PayrollInitiation, 'bulkId'>

/**
 * The bulk is kept with its key first. Whatever goes wrong with one payroll has all of it withdrawn: whoever orders the
 * bulk again pays nobody twice. Throws what ordering a payroll throws, and what beginning an approval does; of what is
 * carried out all the same, or may be, the id.
 */
export async function initiatePayrollBulk(
  context: Context,
  caller: ConsentCaller,
  asked: PayrollBulkAsked,
  tools: BulkTools,
): Promise<PayrollBulkInitiated> {
  const { bank, idempotent } = tools
  if (wayAt(bank) !== 'bulk') {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} takes no bulks of payrolls here; order each by itself`)
  }
  const bulk = await keepBulk(context, caller, bank, idempotent)
  const payrolls: PayrollInitiated[] = []
  let kept: PayrollBulkInitiated | undefined
  try {
    await orderAll(context, caller, asked, { tools, bulk, payrolls })
    const started = await beginOver(context, caller, asked, {
      ...{ bulk, bank, payrolls },
      within: async (transaction, begun) => {
        kept = answerOf(bulk, payrolls, begun)
        await noteBulkTaken(transaction, bulk, idempotent, kept)
      },
    })
    return noteKept(idempotent, await finalAnswer(context, tools, kept, answerOf(bulk, payrolls, started)))
  } catch (error) {
    return noteKept(idempotent, await endBulk(context, { bulk, payrolls, kept, error }))
  }
}

function noteKept(idempotent: BulkTools['idempotent'], answer: PayrollBulkInitiated): PayrollBulkInitiated {
  if (idempotent !== null) {
    idempotent.answerKept = true
  }
  return answer
}

type Ordering = {
  readonly tools: BulkTools
  readonly bulk: RowKey
  /** Those that the bank has taken, in their order. */
  readonly payrolls: PayrollInitiated[]
}

async function orderAll(
  context: Context,
  caller: ConsentCaller,
  { payrolls: asked }: PayrollBulkAsked,
  { tools, bulk, payrolls }: Ordering,
): Promise<void> {
  for (const [n, payroll] of asked.entries()) {
    await goOnOrdering(context, bulk)
    const initiation = { ...tools, idempotent: null, bulkId: bulk.id }
    const initiated = await initiatePayroll(context, caller, payroll, initiation).catch((error: unknown) => {
      throw ofPayroll(n, error)
    })
    payrolls.push(initiated)
  }
  await goOnOrdering(context, bulk)
}

/** What the bank finds wrong with a payroll is wrong at its place in the bulk. */
function ofPayroll(n: number, error: unknown): unknown {
  return error instanceof Invalid
    ? new Invalid(error.problems.map((problem) => ({ ...problem, path: `.payrolls[${n}]${problem.path}` })))
    : error
}

type Ordered = Pick<BulkTools, 'bank'> & {
  readonly bulk: RowKey
  readonly payrolls: readonly PayrollInitiated[]
  readonly within: (transaction: Queryable, started: ApprovalStarted) => Promise<void>
}

/** The approval has the id of the bulk. */
async function beginOver(
  context: Context,
  caller: ConsentCaller,
  { callbackUrl, preferredScaMethod }: PayrollBulkAsked,
  { bank, bulk, payrolls, within }: Ordered,
): Promise<ApprovalStarted> {
  return await beginPayrollApproval(context, caller, {
    ...{ bank, callbackUrl, within },
    id: bulk.id,
    preferred: preferredOf(preferredScaMethod),
    payrolls: payrolls.map(({ payrollId }, n) => ({ id: payrollId, path: `.payrolls[${n}]` })),
  })
}

function answerOf(
  { id }: RowKey,
  payrolls: readonly PayrollInitiated[],
  { approval: { status }, sca }: ApprovalStarted,
): PayrollBulkInitiated {
  return { id, payrolls: [...payrolls], status, ...(sca?.type === 'redirect' ? { sca: { redirect: sca } } : {}) }
}

/** An approval that needs no signature has come further since it was kept. */
async function finalAnswer(
  context: Context,
  { idempotent }: BulkTools,
  kept: PayrollBulkInitiated | undefined,
  answer: PayrollBulkInitiated,
): Promise<PayrollBulkInitiated> {
  if (idempotent !== null && kept?.status !== answer.status) {
    await keepAnswerOf(context.database, idempotent.answerOf(answer))
  }
  return answer
}
