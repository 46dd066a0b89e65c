/** Sends a file to its bank, once: prepared where the bank does not look, kept as that, and handed over in one step. */

import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { FileProduct } from '../../banks/file-product.ts'
import type { Context } from '../../context.ts'
import { raiseTask, settleTask } from '../../operators/raise-task.ts'
import { findOrderOf } from '../../orders/find-payments.ts'
import { isFinal, type PayrollPayment } from '../../orders/payment.ts'
import { recordStatus } from '../../orders/status/record-payment-status.ts'
import { newId } from '../../platform/ids.ts'
import { retryAt } from '../../platform/jobs/retry-backoff.ts'
import { orderFileOf } from './build-order-file.ts'
import { answerExpectedAt, type FileState, type PaymentFile, SEND_AGAIN, UNSENT_TOLD_AFTER } from './payment-file.ts'
import { type FileKey, findFile, moveFile, postponeFile } from './payment-file-store.ts'

/** A file, the order in it, and where it goes. */
type Sending = {
  readonly file: PaymentFile
  readonly payment: PayrollPayment
  readonly bank: Bank
  readonly product: FileProduct
}

/** Sees to one file whose time has come. */
export async function seeToFile(context: Context, key: FileKey): Promise<void> {
  const file = await findFile(context.database, key)
  const payment = file && (await findOrderOf(context, file.partnerId, file.id))
  if (file === undefined || payment?.type !== 'Payroll') {
    return
  }
  if (file.state === 'sent') {
    await lookForAnswer(context, file, payment)
    return
  }
  try {
    const went = await send(context, await sendingOf(context, file, payment))
    await settleTask(context, { ...subjectOf(file), kind: 'FileNotSent' }, `the file was ${went}`)
  } catch (error) {
    await noteFailure(context, file, error)
  }
}

async function sendingOf({ banks }: Context, file: PaymentFile, payment: PayrollPayment): Promise<Sending> {
  const bank = await banks.find(file.bic)
  const product = bank && banks.connectorOf(bank).files
  if (bank === undefined || product === undefined) {
    throw new BankRefusal('unavailable', `The bank ${file.bic} takes no files at this moment`)
  }
  return { file, payment, bank, product }
}

/** Once it is kept as prepared, nobody writes it again: what is left is a step that happens once. */
async function send(context: Context, sending: Sending): Promise<'sent' | 'withdrawn'> {
  const { bank, file, payment, product } = sending
  if (file.state === 'withdrawn') {
    return await endWithdrawn(context, sending)
  }
  const isLate = Temporal.PlainDate.compare(context.clock.today(bank.profile.timeZone), payment.dueDate) > 0
  if (file.state === 'prepared' && file.attempt !== null) {
    return isLate ? await takeBack(context, sending, file.attempt) : await handOver(context, sending, file.attempt)
  }
  if (isLate) {
    return await withdraw(context, sending, 'waiting')
  }
  const attempt = newId()
  await product.prepare(bank, await orderFileOf(context, bank, file, payment), attempt)
  const prepared = { from: 'waiting', to: 'prepared', attempt, dueAt: context.clock.now() } as const
  // Its day may have ended while it was written.
  if (await moveFile(context.database, file, prepared)) {
    return await send(context, { ...sending, file: { ...file, state: 'prepared', attempt } })
  }
  // Somebody else prepared it meanwhile, and may not have handed over theirs.
  await clear(context, sending, attempt)
  return 'sent'
}

async function handOver(context: Context, sending: Sending, attempt: string): Promise<'sent'> {
  const { bank, file, product } = sending
  await product.handOver(bank, file.messageId, attempt)
  return await noteSent(context, sending)
}

async function noteSent(context: Context, sending: Sending): Promise<'sent'> {
  const { bank, file, payment } = sending
  const sent = { from: 'prepared', to: 'sent', dueAt: answerExpectedAt(payment, bank) } as const
  if (await moveFile(context.database, file, sent)) {
    context.log.info({ bic: bank.bic, paymentId: file.id }, 'a file was handed to its bank')
    await clear(context, sending)
  }
  return 'sent'
}

/** Nobody is paid a day late without having been asked. One that is gone was handed over, its answer lost. */
async function takeBack(context: Context, sending: Sending, attempt: string): Promise<'sent' | 'withdrawn'> {
  const { bank, file, product } = sending
  return (await product.takeBack(bank, file.messageId, attempt)) === 'taken'
    ? await withdraw(context, sending, 'prepared')
    : await noteSent(context, sending)
}

/** Its day is over, and the bank has never had it. It is seen to until its payments are told so. */
async function withdraw(context: Context, sending: Sending, from: 'waiting' | 'prepared'): Promise<'withdrawn'> {
  const { database, clock } = context
  const moved = async (was: FileState) =>
    await moveFile(database, sending.file, { from: was, to: 'withdrawn', dueAt: clock.now() })
  // What was taken back was not handed over, whatever another worker made of its being gone.
  const isMine = (await moved(from)) || (from === 'prepared' && (await moved('sent')))
  return isMine ? await endWithdrawn(context, sending) : 'withdrawn'
}

async function endWithdrawn(context: Context, sending: Sending): Promise<'withdrawn'> {
  const { bank, file, payment } = sending
  const ended = isFinal(payment) ? payment : await recordStatus(context, payment, UNSENT)
  if (!isFinal(ended)) {
    throw new Error(`What was said of the file ${file.messageId} was overtaken; it is seen to again`)
  }
  const now = context.clock.now()
  const isEnough = Temporal.Instant.compare(now, answerExpectedAt(payment, bank)) >= 0
  const isClear = (await clear(context, sending)) || isEnough
  await postponeFile(context.database, file, isClear ? null : retryAt(file.createdAt, now, SEND_AGAIN))
  return 'withdrawn'
}

const UNSENT = {
  status: 'Cancelled',
  statusReason: null,
  statusReasonText: 'The file could not be sent before its due day was over',
  bankStatus: 'UNSENT',
} as const

/** Attempts that died have left people's salaries in the bank's folder. Whether nothing is left of them, or of this one. */
async function clear({ log }: Context, { bank, file, product }: Sending, attempt?: string): Promise<boolean> {
  try {
    await product.clear(bank, file.messageId, attempt)
    return true
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    log.warn(
      { bic: bank.bic, paymentId: file.id, refusal: error.kind },
      'what attempts at a file have left stays behind',
    )
    return false
  }
}

/** The bank answers in reports alone; where none came, or none that ends it, people ask. */
async function lookForAnswer(context: Context, file: PaymentFile, payment: PayrollPayment): Promise<void> {
  if (!isFinal(payment)) {
    const detail = { bank: file.bic, messageId: file.messageId, status: payment.status }
    await raiseTask(context, { ...subjectOf(file), kind: 'FileUnanswered', detail })
  }
  await postponeFile(context.database, file, null)
}

async function noteFailure(context: Context, file: PaymentFile, error: unknown): Promise<void> {
  const { clock, database, log } = context
  if (!(error instanceof BankRefusal)) {
    throw error
  }
  const now = clock.now()
  log.warn({ bic: file.bic, paymentId: file.id, refusal: error.kind }, 'a file could not be sent')
  const isLong = Temporal.Instant.compare(now, file.createdAt.add(UNSENT_TOLD_AFTER)) >= 0
  if (isLong || error.kind === 'misconfigured') {
    const detail = { bank: file.bic, messageId: file.messageId, refusal: error.message }
    await raiseTask(context, { ...subjectOf(file), kind: 'FileNotSent', detail })
  }
  await postponeFile(database, file, retryAt(file.createdAt, now, SEND_AGAIN))
}

function subjectOf({ partnerId, id }: PaymentFile) {
  return { partnerId, subjectType: 'payment', subjectId: id } as const
}
