/** Sends a payment file to its bank once: uploads it outside the bank's inbox, records that, and moves it in one step. */

import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { FileProduct } from '../../banks/connector/file-product.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { newId } from '../../platform/ids.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { nextAttemptAt } from '../../platform/jobs/retry-backoff.ts'
import { findPayrollOrderOf } from '../find-orders.ts'
import { buildOrderFile } from '../parse/stored-order.ts'
import { isFinal, type PayrollPayment } from '../payment.ts'
import {
  answerExpectedAt,
  type FileState,
  type PaymentFile,
  SEND_RETRY_DELAY,
  UNSENT_TASK_AFTER,
} from '../payment-file.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { changeFileState, findFile, postponeFile } from '../store/payment-file-store.ts'
import { isPayrollHeld } from './maintain-payroll.ts'

/** How often a file is looked at that is held after a restore of the database. */
const HELD_FOR = { minutes: 1 }

/** A file, its order, and its destination. */
type Sending = {
  readonly file: PaymentFile
  readonly payment: PayrollPayment
  readonly bank: Bank
  readonly product: FileProduct
}

/**
 * Processes one file that is due. `submitOnce` is for orders whose submission cannot be repeated; here every step can, so
 * no outcome is unknown (decision 0091).
 */
export async function processPaymentFile(context: Context, key: RowKey): Promise<void> {
  const file = await findFile(context.database, key)
  if (file === undefined) {
    return
  }
  const payment = await findPayrollOrderOf(context, file)
  if (file.state === 'sent') {
    await checkForReport(context, file, payment)
    return
  }
  const isHeld = await isPayrollHeld(context, { partnerId: file.partnerId, payrollId: payment.ordered.payrollId })
  if (isHeld) {
    await postponeFile(context.database, file, context.clock.now().add(HELD_FOR))
    return
  }
  try {
    const outcome = await send(context, await sendingContextOf(context, file, payment))
    await resolveTaskAutomatically(context, paymentTask(file, 'FileNotSent'), `the file was ${outcome}`)
  } catch (error) {
    await recordFailure(context, file, error)
  }
}

async function sendingContextOf({ banks }: Context, file: PaymentFile, payment: PayrollPayment): Promise<Sending> {
  const bank = await banks.find(file.bic)
  const product = bank && banks.connectorOf(bank).files
  if (bank === undefined || product === undefined) {
    throw new BankError('unavailable', `The bank ${file.bic} does not accept files at the moment`)
  }
  return { file, payment, bank, product }
}

/** After it is recorded as prepared, the file is never uploaded again; the remaining move can succeed only once. */
async function send(context: Context, sending: Sending): Promise<'sent' | 'withdrawn'> {
  const { bank, file, payment, product } = sending
  if (file.state === 'withdrawn') {
    return await completeCancelledFile(context, sending)
  }
  const isLate = Temporal.PlainDate.compare(context.clock.today(bank.profile.timeZone), payment.dueDate) > 0
  if (file.state === 'prepared' && file.attempt !== null) {
    if (isLate) {
      return await withdrawFile(context, sending, file.attempt)
    }
    await product.submitFile(bank, file.messageId, file.attempt)
    return await recordSent(context, sending)
  }
  if (isLate) {
    return await cancelUnsentFile(context, sending, 'waiting')
  }
  const attempt = newId()
  await product.prepare(bank, await buildOrderFile(context, bank, file, payment), attempt)
  const prepared = { from: 'waiting', to: 'prepared', attempt, dueAt: context.clock.now() } as const
  // The due date may have passed during the upload.
  if (await changeFileState(context.database, file, prepared)) {
    return await send(context, { ...sending, file: { ...file, state: 'prepared', attempt } })
  }
  // Another worker prepared it meanwhile, and may not have submitted its upload yet: only this attempt is cleared.
  await clear(context, sending, attempt)
  return 'sent'
}

async function recordSent(context: Context, sending: Sending): Promise<'sent'> {
  const { bank, file, payment } = sending
  const sent = { from: 'prepared', to: 'sent', dueAt: answerExpectedAt(payment, bank) } as const
  if (await changeFileState(context.database, file, sent)) {
    context.log.info({ bic: bank.bic, paymentId: file.id }, 'a payment file was sent to its bank')
    await clear(context, sending)
  }
  return 'sent'
}

/** A late file is taken back rather than paid after its due date. If it is gone, it was submitted and the answer was lost. */
async function withdrawFile(context: Context, sending: Sending, attempt: string): Promise<'sent' | 'withdrawn'> {
  const { bank, file, product } = sending
  return (await product.withdrawFile(bank, file.messageId, attempt)) === 'withdrawn'
    ? await cancelUnsentFile(context, sending, 'prepared')
    : await recordSent(context, sending)
}

/** The due date has passed and the bank never received it. The sweep retries until its payments are recorded as cancelled. */
async function cancelUnsentFile(
  context: Context,
  sending: Sending,
  from: 'waiting' | 'prepared',
): Promise<'withdrawn'> {
  const { database, clock } = context
  const changedFrom = async (was: FileState) =>
    await changeFileState(database, sending.file, { from: was, to: 'withdrawn', dueAt: clock.now() })
  // A file that was taken back was not submitted, even if another worker concluded from its absence that it was.
  const isWithdrawn = (await changedFrom(from)) || (from === 'prepared' && (await changedFrom('sent')))
  return isWithdrawn ? await completeCancelledFile(context, sending) : 'withdrawn'
}

async function completeCancelledFile(context: Context, sending: Sending): Promise<'withdrawn'> {
  const { bank, file, payment } = sending
  if (!isFinal(payment)) {
    await recordPaymentStatus(context, payment, UNSENT)
  }
  const now = context.clock.now()
  const isOverdue = Temporal.Instant.compare(now, answerExpectedAt(payment, bank)) >= 0
  const isClear = (await clear(context, sending)) || isOverdue
  await postponeFile(context.database, file, isClear ? null : nextAttemptAt(file.createdAt, now, SEND_RETRY_DELAY))
  return 'withdrawn'
}

const UNSENT = {
  status: 'Cancelled',
  statusReason: null,
  statusReasonText: 'The file could not be sent before its due day was over',
  bankStatus: 'UNSENT',
} as const

/** Deletes the uploads of crashed attempts, which contain salaries, from the bank's server. Returns whether that succeeded. */
async function clear({ log }: Context, { bank, file, product }: Sending, attempt?: string): Promise<boolean> {
  try {
    await product.clear(bank, file.messageId, attempt)
    return true
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    log.warn(
      { bic: bank.bic, paymentId: file.id, errorKind: error.kind },
      'deleting the uploads of earlier attempts failed',
    )
    return false
  }
}

/** The bank answers only by reports; without one that is final, an operator must ask the bank. */
async function checkForReport(context: Context, file: PaymentFile, payment: PayrollPayment): Promise<void> {
  if (!isFinal(payment)) {
    const detail = { bank: file.bic, messageId: file.messageId, status: payment.status }
    await raiseTask(context, { ...paymentTask(file, 'FileUnanswered'), detail })
  }
  await postponeFile(context.database, file, null)
}

async function recordFailure(context: Context, file: PaymentFile, error: unknown): Promise<void> {
  const { clock, database, log } = context
  if (!(error instanceof BankError)) {
    throw error
  }
  const now = clock.now()
  log.warn({ bic: file.bic, paymentId: file.id, errorKind: error.kind }, 'a file could not be sent')
  const isLong = Temporal.Instant.compare(now, file.createdAt.add(UNSENT_TASK_AFTER)) >= 0
  if (isLong || isBankError(error, 'misconfigured')) {
    const detail = { bank: file.bic, messageId: file.messageId, error: error.message }
    await raiseTask(context, { ...paymentTask(file, 'FileNotSent'), detail })
  }
  await postponeFile(database, file, nextAttemptAt(file.createdAt, now, SEND_RETRY_DELAY))
}
