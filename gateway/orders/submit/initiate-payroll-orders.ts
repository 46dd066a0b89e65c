/** Initiates a payroll as its bank accepts it: one order at once, or a file or single payments that jobs submit later. */
import type { PayrollRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { mapYieldingToEventLoop } from '../../platform/concurrency.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { apiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { insertRequest } from '../../platform/http/idempotency/idempotency-store.ts'
import { withListedDebtor } from '../parse/domestic-payment-parts.ts'
import { bulkOrderOf, type PayrollInstruction } from '../parse/payroll-orders.ts'
import { duplicatePayrollWarnings } from '../parse/payroll-rules.ts'
import { type Payroll, renderPayrollTransaction, type TransactionState } from '../payroll.ts'
import { bulkIdOf, contentDigest } from '../payroll-order.ts'
import { insertFile } from '../store/payment-file-store.ts'
import {
  deletePayroll,
  findPayroll,
  lockContentDigest,
  lockPayrollId,
  recordContentDigest,
} from '../store/payroll-store.ts'
import { deleteRejected, NOT_CALLED, rejectSubmission } from './fail-submission.ts'
import { toPayrollApiError } from './order-errors.ts'
import { acknowledgementOf, recordAcknowledgement } from './record-acknowledgement.ts'
import {
  newPayroll,
  newPayrollOrder,
  type PayrollInitiationParameters,
  storePayroll,
  storePayrollOrder,
} from './store-payroll.ts'
import { conflictErrorOf, deleteUnanswered } from './submission.ts'
import { submitRequestedOrder } from './submit-order.ts'

/**
 * Throws `conflict` while an equal order, or the same idempotency key, is open. A rejection of the bank deletes the
 * payroll; any uncertain answer leaves one with an unknown outcome.
 */
export async function initiatePayrollOrders(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  parameters: PayrollInitiationParameters,
): Promise<PayrollInitiated> {
  const storeOrders = storeOrdersByMode[parameters.submissionMode]
  return storeOrders === null
    ? await submitAsBulk(context, caller, instruction, parameters)
    : await storeForLater(context, caller, instruction, { ...parameters, storeOrders })
}

async function submitAsBulk(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  parameters: PayrollInitiationParameters,
): Promise<PayrollInitiated> {
  const { bank, account, idempotent } = parameters
  const { bulkPayments: product } = context.banks.connectorOf(bank)
  if (product === undefined) {
    throw apiError('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} does not accept payrolls here`)
  }
  const { ordered } = instruction
  const payroll = await newPayroll(context, caller, instruction, parameters)
  const order = newPayrollOrder(payroll, { as: 'bulk', ...(await wholePayroll(context, instruction)) })
  // Whatever may fail on our side must fail before anything is stored.
  const batchBooking = bank.profile.payroll?.batchBooking === true
  const bulk = bulkOrderOf(instruction.orders, { bulkId: bulkIdOf(order.id), batchBooking })
  const bankOrder = withListedDebtor(bulk, account)
  const deleteStored = ({ database }: Context) => deletePayroll(database, payroll)
  const storeOrder = (context: Context) => storePayrollOrder(context, order, idempotent)
  const { submission, duplicateOf } = await storePayroll(context, payroll, instruction, storeOrder).catch(
    async (error: unknown) => {
      const stored = { partnerId: order.partnerId, paymentId: order.id }
      deleteUnanswered(context, error, () => deleteRejected(context, stored, NOT_CALLED, deleteStored))
      throw await conflictErrorOf(context, error, order)
    },
  )
  const warnings = [...duplicatePayrollWarnings(duplicateOf), ...instruction.warnings]
  const acknowledged = await submitRequestedOrder(context, caller, submission, {
    bank,
    initiate: (bankCaller, call) => product.initiate(bankCaller, bankOrder, call),
    toApiError: toPayrollApiError,
    onRejected: (error) => rejectSubmission(context, submission, error, deleteStored),
  })
  const acknowledgement = acknowledgementOf(context, submission, bank, acknowledged)
  const answer = await renderInitiated(payroll, ordered, acknowledgement, warnings)
  const { elementIds } = acknowledged
  await recordAcknowledgement(context, submission, acknowledgement, { idempotent, answer, elementIds })
  return answer
}

/** All transactions, as one order. */
async function wholePayroll({ digest }: Context, { orders }: PayrollInstruction) {
  return {
    range: { first: 0, count: orders.length },
    // By which the order is looked up.
    endToEndId: orders[0]?.endToEndId ?? '',
    digest: await contentDigest(digest, orders),
  }
}

/** The bank reports one status for all transactions; before it does, each awaits its signature. */
async function renderInitiated(
  { id: payrollId }: Payroll,
  { transactions }: PayrollRequest,
  state: TransactionState,
  warnings: readonly PayrollWarning[],
): Promise<PayrollInitiated> {
  return {
    payrollId,
    transactions: await mapYieldingToEventLoop(transactions, ({ metadata }) =>
      renderPayrollTransaction({ ...state, endToEndId: metadata.endToEndId }),
    ),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

/** Stores in the same transaction what jobs submit; returns warnings. */
type StoreOrders = (
  context: Context,
  payroll: Payroll,
  whole: Awaited<ReturnType<typeof wholePayroll>>,
) => Promise<readonly PayrollWarning[]>

/** Order and file are stored with the answer, so the file is sent exactly once. */
const storeFile: StoreOrders = async (context, payroll, whole) => {
  const { partnerId, bic, createdAt } = payroll
  const order = newPayrollOrder(payroll, { as: 'file', ...whole })
  const { duplicateOf } = await storePayrollOrder(context, order)
  await insertFile(context.database, { partnerId, id: order.id, bic, createdAt })
  return duplicatePayrollWarnings(duplicateOf)
}

/** The orders are stored one by one when they are submitted. */
const storeDigest: StoreOrders = async ({ database }, payroll, { digest }) =>
  duplicatePayrollWarnings(await recordContentDigest(database, payroll, digest))

/** What is stored for jobs that submit it; null where the order is submitted at once. */
const storeOrdersByMode: Readonly<Record<Payroll['submissionMode'], StoreOrders | null>> = {
  bulk: null,
  file: storeFile,
  baskets: storeDigest,
  chain: storeDigest,
}

/** The answer is stored with the payroll, so that a repeated request is not executed twice. */
async function storeForLater(
  context: Context,
  caller: ConsentCaller,
  instruction: PayrollInstruction,
  { idempotent, storeOrders, ...parameters }: PayrollInitiationParameters & { readonly storeOrders: StoreOrders },
): Promise<PayrollInitiated> {
  const { ordered } = instruction
  const payroll = await newPayroll(context, caller, instruction, parameters)
  const whole = await wholePayroll(context, instruction)
  let answer: PayrollInitiated | undefined
  const stored = storePayroll(context, payroll, instruction, async (context) => {
    const { database } = context
    await lockPayrollId(database, payroll)
    await lockContentDigest(database, payroll, whole.digest)
    const warnings = [...(await storeOrders(context, payroll, whole)), ...instruction.warnings]
    const state = { statusReason: null, statusReasonText: null, status: payroll.status, statusAt: payroll.createdAt }
    answer = await renderInitiated(payroll, ordered, state, warnings)
    await (idempotent && insertRequest(database, idempotent.startRowFor(payroll.id), idempotent.answerOf(answer)))
    return answer
  })
  const initiated = await stored.catch(async (error: unknown) => {
    if (!(error instanceof DatabaseUnavailable) || answer === undefined) {
      throw await conflictErrorOf(context, error)
    }
    await requireCommitted(context, payroll, error)
    return answer
  })
  if (idempotent !== null) {
    idempotent.answerStored = true
  }
  return initiated
}

const COMMIT_UNKNOWN =
  'the payroll may or may not be stored. Poll the payroll named here, and send it again only when it does not exist'

/**
 * After a commit without an answer the database says whether the payroll is stored, from where workers submit it. Throws
 * the error when it is not and will not be, and 503 with its id while the database is away, or still commits.
 */
async function requireCommitted(context: Context, payroll: Payroll, error: DatabaseUnavailable): Promise<void> {
  const find = () =>
    inTransaction(context, async (context) => {
      await lockPayrollId(context.database, payroll)
      return await findPayroll(context.database, payroll)
    })
  const found = await context.outcomes.recordInTime(find).catch(() => {
    throw outcomeUnknown({ payrollId: payroll.id }, COMMIT_UNKNOWN)
  })
  if (found === undefined) {
    throw error
  }
}
