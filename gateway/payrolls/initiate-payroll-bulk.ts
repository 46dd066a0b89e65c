/** Submits several payrolls to the bank and starts one approval over all of them; if any part fails, all are cancelled. */
import type { PayrollBulkRequest } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollBulkInitiated, PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import { type Bank, preferredApproachOf } from '../banks/connector/bank.ts'
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { PayrollInstruction } from '../orders/parse/payroll-orders.ts'
import { pathBelow } from '../orders/parse/validate-payroll.ts'
import type { ApprovalResult } from '../orders/sign/begin-approval.ts'
import { type BulkSchedule, changeBulkState, insertBulk } from '../orders/store/bulk-store.ts'
import { bulkTimeoutError } from '../orders/submit/store-payroll.ts'
import { conflictErrorOf, type Initiation } from '../orders/submit/submission.ts'
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import { InvalidRequestError } from '../platform/http/errors/api-error.ts'
import type { IdempotentRequest } from '../platform/http/idempotency/idempotency.ts'
import { insertRequest, updateWithAnswer } from '../platform/http/idempotency/idempotency-store.ts'
import { newId } from '../platform/ids.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { beginPayrollApproval } from './approve-payrolls.ts'
import { failBulk } from './cancel-bulk.ts'
import { initiatePayroll } from './initiate-payroll.ts'

/** Submitting a payroll or starting an approval takes fewer calls; a bulk whose step takes longer is cancelled by the sweep. */
const CALLS_PER_STEP = 20

/** The parameters of each payroll of a bulk; the idempotency key belongs to the bulk. */
export type BulkInitiation = Initiation & { readonly instructions: readonly PayrollInstruction[] }

/**
 * Stores the bulk with its idempotency key first. An error of one payroll cancels all of them, so that ordering the bulk
 * again pays nothing twice. Throws what `initiatePayroll` and `beginPayrollApproval` throw; the error names a payroll that
 * is executed nevertheless, or may be.
 */
export async function initiatePayrollBulk(
  context: Context,
  caller: ConsentCaller,
  { callbackUrl, preferredScaMethod }: PayrollBulkRequest,
  { bank, idempotent, instructions }: BulkInitiation,
): Promise<PayrollBulkInitiated> {
  const bulk = await createBulk(context, caller, bank, idempotent)
  // Those that the bank has accepted, in request order.
  const payrolls: PayrollInitiated[] = []
  const stored: { response?: PayrollBulkInitiated } = {}
  try {
    for (const [n, payroll] of instructions.entries()) {
      await extendBulkLease(context, bulk)
      const initiation = { bank, idempotent: null, bulkId: bulk.id }
      const initiated = await initiatePayroll(context, caller, payroll, initiation).catch((error: unknown) => {
        throw withPayrollPath(n, error)
      })
      payrolls.push(initiated)
    }
    await extendBulkLease(context, bulk)
    const started = await beginPayrollApproval(context, caller, {
      // The approval has the id of the bulk.
      ...{ bank, callbackUrl, id: bulk.id, preferred: preferredApproachOf(preferredScaMethod) },
      payrolls: payrolls.map(({ payrollId }, n) => ({ id: payrollId, path: `.payrolls[${n}]` })),
      within: async (transaction, begun) => {
        stored.response = responseOf(bulk, payrolls, begun)
        await recordBulkAccepted(transaction, bulk, idempotent, stored.response)
      },
    })
    const answer = responseOf(bulk, payrolls, started)
    // An SCA-exempt approval may have changed its status since its response was stored.
    if (idempotent !== null && stored.response?.status !== answer.status) {
      await updateWithAnswer(context.database, idempotent.answerOf(answer))
    }
    return markResponseStored(idempotent, answer)
  } catch (error) {
    return markResponseStored(idempotent, await failBulk(context, { bulk, payrolls, response: stored.response, error }))
  }
}

/** Throws `conflict` while another request under the same key is open. */
async function createBulk(
  context: Context,
  { partnerId }: { readonly partnerId: string },
  { bic }: Pick<Bank, 'bic'>,
  idempotent: IdempotentRequest | null,
): Promise<RowKey> {
  const id = newId()
  const begun = idempotent?.startRowFor(id) ?? null
  const { idempotencyOperation = null, idempotencyKey = null } = begun ?? {}
  const idempotency = { idempotencyOperation, idempotencyKey }
  const bulk = { partnerId, id, bic, state: 'submitting', createdAt: context.clock.now(), ...idempotency } as const
  try {
    await inTransaction(context, async (context) => {
      await (begun && insertRequest(context.database, begun, null))
      await insertBulk(context.database, bulk, nextBulkSchedule(context))
    })
  } catch (error) {
    throw await conflictErrorOf(context, error)
  }
  return { partnerId, id }
}

/** Extends the lease by one step. Throws 503 if a sweep has cancelled the bulk. */
async function extendBulkLease(context: Context, bulk: RowKey): Promise<void> {
  const move = { from: 'submitting', to: 'submitting', ...nextBulkSchedule(context) } as const
  if (!(await changeBulkState(context.database, bulk, move))) {
    throw bulkTimeoutError()
  }
}

/** In the transaction that stores the approval: marks the bulk as accepted and stores the response of its idempotency key. */
async function recordBulkAccepted(
  transaction: Queryable,
  bulk: RowKey,
  idempotent: IdempotentRequest | null,
  answer: unknown,
): Promise<void> {
  const move = { from: 'submitting', to: 'submitted', nextRunAt: null, leaseUntil: null } as const
  if (!(await changeBulkState(transaction, bulk, move))) {
    throw bulkTimeoutError()
  }
  await (idempotent && updateWithAnswer(transaction, idempotent.answerOf(answer)))
}

function nextBulkSchedule({ clock, config }: Context): BulkSchedule & { readonly nextRunAt: Temporal.Instant } {
  const seconds = CALLS_PER_STEP * callSecondsMax(config)
  return { nextRunAt: clock.now().add({ seconds }), leaseUntil: clock.real().add({ seconds }) }
}

/** Prefixes the paths of validation errors with the position of the payroll in the bulk. */
function withPayrollPath(n: number, error: unknown): unknown {
  return error instanceof InvalidRequestError
    ? new InvalidRequestError(
        error.validationErrors.map((validationError) => ({
          ...validationError,
          path: pathBelow(`.payrolls[${n}]`, validationError.path),
        })),
      )
    : error
}

function responseOf(
  { id }: RowKey,
  payrolls: readonly PayrollInitiated[],
  { approval: { status }, sca }: ApprovalResult,
): PayrollBulkInitiated {
  return { id, payrolls: [...payrolls], status, ...(sca?.type === 'redirect' ? { sca: { redirect: sca } } : {}) }
}

function markResponseStored(idempotent: IdempotentRequest | null, answer: PayrollBulkInitiated): PayrollBulkInitiated {
  if (idempotent !== null) {
    idempotent.answerStored = true
  }
  return answer
}
