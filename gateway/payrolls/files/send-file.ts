/** Sends a file to its bank, once: prepared where the bank does not look, kept as that, and handed over in one step. */
import type { Bank } from '../../banks/bank.ts'
import { BankRefusal } from '../../banks/bank-refusal.ts'
import type { FileProduct } from '../../banks/file-product.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../foundation/ids.ts'
import { retryAt } from '../../foundation/retry-delay.ts'
import { raiseTask, settleTask } from '../../operators/raise-task.ts'
import { findOrderOf } from '../../payments/find-payments.ts'
import { isFinal, type PayrollPayment } from '../../payments/payment.ts'
import { recordStatus } from '../../payments/record-status.ts'
import { type FileKey, findFile, moveFile, postponeFile } from './file-store.ts'
import { orderFileOf } from './order-file-of.ts'
import { ANSWER_EXPECTED_DAYS, type PaymentFile, SEND_AGAIN, UNSENT_TOLD_AFTER } from './payment-file.ts'

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
  if (file.state === 'sent' || file.state === 'withdrawn') {
    await lookForAnswer(context, file, payment)
    return
  }
  try {
    await send(context, await sendingOf(context, file, payment))
    await settleTask(context, { ...subjectOf(file), kind: 'FileNotSent' }, 'the file was sent')
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
async function send(context: Context, sending: Sending): Promise<void> {
  const { bank, file, payment, product } = sending
  if (file.state === 'prepared' && file.attempt !== null) {
    await handOver(context, sending, file.attempt)
  } else if (Temporal.PlainDate.compare(context.clock.today(bank.profile.timeZone), payment.dueDate) > 0) {
    await withdraw(context, sending)
  } else {
    const attempt = newId()
    await product.prepare(bank, await orderFileOf(context, bank, file, payment), attempt)
    const prepared = { from: 'waiting', to: 'prepared', attempt, dueAt: context.clock.now() } as const
    if (await moveFile(context.database, file, prepared)) {
      await handOver(context, sending, attempt)
    }
  }
}

async function handOver(context: Context, { bank, file, payment, product }: Sending, attempt: string): Promise<void> {
  await product.handOver(bank, file.messageId, attempt)
  const expected = payment.dueDate.add({ days: ANSWER_EXPECTED_DAYS }).toZonedDateTime(bank.profile.timeZone)
  await moveFile(context.database, file, { from: 'prepared', to: 'sent', dueAt: expected.toInstant() })
  context.log.info({ bic: bank.bic, paymentId: file.id }, 'a file was handed to its bank')
}

/** Its day is over, and the bank has never had it: nobody is paid a day late without having been asked. */
async function withdraw(context: Context, { file, payment }: Sending): Promise<void> {
  if (await moveFile(context.database, file, { from: 'waiting', to: 'withdrawn', dueAt: null })) {
    await recordStatus(context, payment, {
      status: 'Cancelled',
      statusReason: null,
      statusReasonText: 'The file could not be sent before its due day was over',
      bankStatus: 'UNSENT',
    })
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
