/** Submits several payrolls to the bank and starts one approval over all of them; if any part fails, all are cancelled. */
import type { PayrollBulkRequest } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollBulkInitiated, PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import { type Bank, preferredApproachOf } from '../banks/connector/bank.ts'
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { PayrollInstruction } from '../orders/parse/payroll-orders.ts'
import { submissionModeOf } from '../orders/payroll.ts'
import type { ApprovalResult } from '../orders/sign/begin-approval.ts'
import { type BulkSchedule, changeBulkState, insertBulk } from '../orders/store/bulk-store.ts'
import { bulkTimeoutError, type PayrollInitiation } from '../orders/submit/store-payroll.ts'
import { conflictErrorOf } from '../orders/submit/submission.ts'
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import { apiError, InvalidRequestError } from '../platform/http/errors/api-error.ts'
import type { IdempotentRequest } from '../platform/http/idempotency/idempotency.ts'
import { insertOpenRequest, updateWithAnswer } from '../platform/http/idempotency/idempotency-store.ts'
import { newId } from '../platform/ids.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { beginPayrollApproval } from './approve-payrolls.ts'
import { failBulk } from './cancel-bulk.ts'
import { initiatePayroll } from './initiate-payroll.ts'

/** Submitting a payroll or starting an approval takes fewer calls; a bulk whose step takes longer is cancelled by the sweep. */
const CALLS_PER_STEP = 20

/** Throws `conflict` while another request under the same key is open. */
async function createBulk(
  context: Context,
  { partnerId }: { readonly partnerId: string },
  { bic }: Pick<Bank, 'bic'>,
  idempotent: IdempotentRequest | null,
): Promise<RowKey> {
  const id = newId()
  const begun = idempotent?.startRowFor(id) ?? null
  const idempotency = { idempotencyOperation: begun?.operation ?? null, idempotencyKey: begun?.key ?? null }
  const bulk = { partnerId, id, bic, state: 'submitting', createdAt: context.clock.now(), ...idempotency } as const
  try {
    await inTransaction(context, async (context) => {
      await (begun && insertOpenRequest(context.database, begun))
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
  if (
    !(await changeBulkState(transaction, bulk, {
      from: 'submitting',
      to: 'submitted',
      nextRunAt: null,
      leaseUntil: null,
    }))
  ) {
    throw bulkTimeoutError()
  }
  await (idempotent && updateWithAnswer(transaction, idempotent.answerOf(answer)))
}

function nextBulkSchedule({ clock, config }: Context): BulkSchedule & { readonly nextRunAt: Temporal.Instant } {
  const seconds = CALLS_PER_STEP * callSecondsMax(config)
  return { nextRunAt: clock.now().add({ seconds }), leaseUntil: clock.real().add({ seconds }) }
}

/** The parameters of each payroll of a bulk; the idempotency key belongs to the bulk. */
export type BulkInitiation = Omit<PayrollInitiation, 'bulkId'> & {
  /** The payrolls of the request. */
  readonly instructions: readonly PayrollInstruction[]
}

/**
 * Stores the bulk with its idempotency key first. An error of one payroll cancels all of them, so that ordering the bulk
 * again pays nothing twice. Throws what `initiatePayroll` and `beginPayrollApproval` throw; the error names a payroll that
 * is executed nevertheless, or may be.
 */
export async function initiatePayrollBulk(
  context: Context,
  caller: ConsentCaller,
  request: PayrollBulkRequest,
  tools: BulkInitiation,
): Promise<PayrollBulkInitiated> {
  const { bank, idempotent } = tools
  if (submissionModeOf(bank) !== 'bulk') {
    throw apiError(
      'UNSUPPORTED_PRODUCT_BY_BANK',
      `${bank.name} does not accept bulks of payrolls here; order each payroll separately`,
    )
  }
  const bulk = await createBulk(context, caller, bank, idempotent)
  const payrolls: PayrollInitiated[] = []
  let response: PayrollBulkInitiated | undefined
  try {
    await initiatePayrolls(context, caller, { tools, bulk, payrolls })
    const started = await beginBulkApproval(context, caller, request, {
      ...{ bulk, bank, payrolls },
      within: async (transaction, begun) => {
        response = responseOf(bulk, payrolls, begun)
        await recordBulkAccepted(transaction, bulk, idempotent, response)
      },
    })
    return markResponseStored(
      idempotent,
      await storeFinalResponse(context, tools, response, responseOf(bulk, payrolls, started)),
    )
  } catch (error) {
    return markResponseStored(idempotent, await failBulk(context, { bulk, payrolls, response, error }))
  }
}

function markResponseStored(
  idempotent: BulkInitiation['idempotent'],
  answer: PayrollBulkInitiated,
): PayrollBulkInitiated {
  if (idempotent !== null) {
    idempotent.answerStored = true
  }
  return answer
}

type BulkProgress = {
  readonly tools: BulkInitiation
  readonly bulk: RowKey
  /** Those that the bank has accepted, in request order. */
  readonly payrolls: PayrollInitiated[]
}

async function initiatePayrolls(
  context: Context,
  caller: ConsentCaller,
  { tools: { instructions, ...tools }, bulk, payrolls }: BulkProgress,
): Promise<void> {
  for (const [n, payroll] of instructions.entries()) {
    await extendBulkLease(context, bulk)
    const initiation = { ...tools, idempotent: null, bulkId: bulk.id }
    const initiated = await initiatePayroll(context, caller, payroll, initiation).catch((error: unknown) => {
      throw withPayrollPath(n, error)
    })
    payrolls.push(initiated)
  }
  await extendBulkLease(context, bulk)
}

/** Prefixes the paths of validation errors with the position of the payroll in the bulk. */
function withPayrollPath(n: number, error: unknown): unknown {
  return error instanceof InvalidRequestError
    ? new InvalidRequestError(
        error.validationErrors.map((validationError) => ({
          ...validationError,
          path: `.payrolls[${n}]${validationError.path}`,
        })),
      )
    : error
}

type BulkToApprove = Pick<BulkInitiation, 'bank'> & {
  readonly bulk: RowKey
  readonly payrolls: readonly PayrollInitiated[]
  readonly within: (transaction: Queryable, started: ApprovalResult) => Promise<void>
}

/** The approval has the id of the bulk. */
async function beginBulkApproval(
  context: Context,
  caller: ConsentCaller,
  { callbackUrl, preferredScaMethod }: PayrollBulkRequest,
  { bank, bulk, payrolls, within }: BulkToApprove,
): Promise<ApprovalResult> {
  return await beginPayrollApproval(context, caller, {
    ...{ bank, callbackUrl, within },
    id: bulk.id,
    preferred: preferredApproachOf(preferredScaMethod),
    payrolls: payrolls.map(({ payrollId }, n) => ({ id: payrollId, path: `.payrolls[${n}]` })),
  })
}

function responseOf(
  { id }: RowKey,
  payrolls: readonly PayrollInitiated[],
  { approval: { status }, sca }: ApprovalResult,
): PayrollBulkInitiated {
  return { id, payrolls: [...payrolls], status, ...(sca?.type === 'redirect' ? { sca: { redirect: sca } } : {}) }
}

/** An SCA-exempt approval may have changed its status since its response was stored. */
async function storeFinalResponse(
  context: Context,
  { idempotent }: BulkInitiation,
  response: PayrollBulkInitiated | undefined,
  answer: PayrollBulkInitiated,
): Promise<PayrollBulkInitiated> {
  if (idempotent !== null && response?.status !== answer.status) {
    await updateWithAnswer(context.database, idempotent.answerOf(answer))
  }
  return answer
}
