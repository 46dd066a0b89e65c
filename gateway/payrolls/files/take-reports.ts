/** Takes what a bank has put out for us: reports in the order in which they were written, each once. */
import type { Bank } from '../../banks/directory/bank.ts'
import { type FileProduct, type FileReport, type FileSeen, FileUnreadable } from '../../banks/file-product.ts'
import type { Context } from '../../context.ts'
import { findOrderOf } from '../../orders/find-payments.ts'
import { recordStatus } from '../../orders/status/record-payment-status.ts'
import { knownPayouts } from '../../payments/payroll-order/known-payouts.ts'
import { newId } from '../../platform/ids.ts'
import { type FileTurn, isTaken, leaveFile, listTurns, noteFailed, noteTaken } from './bank-report-store.ts'
import { answerExpectedAt, type PaymentFile } from './payment-file.ts'
import { findFileByMessage, moveFile, noteReported } from './payment-file-store.ts'
import { standingOfReport } from './standing-of-report.ts'

/** Read at once; each may tell of ten thousand payouts. */
const FILES_PER_LOOK = 20

/** After this a look begins nothing more; what it has begun is done well before the look is somebody else's. */
const LOOK_BEGINS = { seconds: 300 }

type Read = FileTurn & { readonly digest: string; readonly report: FileReport }
type Looking = { readonly bank: Bank; readonly product: FileProduct; readonly until: Temporal.Instant }

/** How many reports were taken. Throws what went wrong with the way to the bank, once everything else was taken. */
export async function takeReports(context: Context, bank: Bank, product: FileProduct): Promise<number> {
  const looking = { bank, product, until: context.clock.real().add(LOOK_BEGINS) }
  const turns = await listTurns(context.database, bank.bic, await product.list(bank))
  const failures: unknown[] = []
  const read: Read[] = []
  await eachInTime(context, looking, turns.slice(0, FILES_PER_LOOK), failures, async (turn) => {
    const { digest, report } = await product.read(bank, turn.file.name)
    if (report === null) {
      await leave(context, bank, turn.file)
    } else {
      read.push({ ...turn, digest, report })
    }
  })
  const ordered = read.toSorted((one, other) =>
    Temporal.Instant.compare(one.report.reportedAt, other.report.reportedAt),
  )
  await eachInTime(context, looking, ordered, failures, async (one) => await take(context, bank, product, one))
  if (failures.length > 0) {
    throw failures[0]
  }
  return ordered.length
}

/** One that cannot be taken keeps no other waiting: it comes again after them. */
async function eachInTime<Turn extends FileTurn>(
  context: Context,
  { bank, until }: Looking,
  turns: readonly Turn[],
  failures: unknown[],
  work: (turn: Turn) => Promise<void>,
): Promise<void> {
  for (const turn of turns) {
    if (Temporal.Instant.compare(context.clock.real(), until) > 0) {
      return
    }
    try {
      await work(turn)
    } catch (error) {
      if (!(error instanceof FileUnreadable)) {
        failures.push(error)
      }
      await noteFailure(context, bank, turn, error)
    }
  }
}

/** People learn once of a file that cannot be read; its name may be anything, and is not told. */
async function noteFailure(
  { clock, database, log, metrics }: Context,
  { bic }: Bank,
  { file, hasFailed }: FileTurn,
  error: unknown,
): Promise<void> {
  const isForGood = error instanceof FileUnreadable && error.forGood
  await (isForGood ? leaveFile : noteFailed)(database, bic, file, clock.real())
  if (error instanceof FileUnreadable && !hasFailed) {
    metrics.unreadableFiles.inc({ bank: bic })
    log.error({ bic, why: error.message }, 'a bank has put out a file that cannot be read')
  }
}

/** A death before it is noted has it taken again, which changes nothing: it says the same of the same. */
async function take(context: Context, bank: Bank, product: FileProduct, { file, digest, report }: Read): Promise<void> {
  const { clock, database } = context
  if (!(await isTaken(database, bank.bic, digest))) {
    const ours = await findFileByMessage(database, bank.bic, report.messageId)
    if (ours === undefined) {
      await leave(context, bank, file)
      return
    }
    await record(context, bank, ours, report)
    await noteTaken(database, bank.bic, digest, clock.real())
  }
  await product.putAway(bank, file.name, newId())
}

async function record(context: Context, bank: Bank, file: PaymentFile, report: FileReport): Promise<void> {
  const { database } = context
  const payment = await findOrderOf(context, file.partnerId, file.id)
  const { status, statusReason, statusReasonText, bankStatus } = payment
  const order = { status, statusReason, statusReasonText, bankStatus: bankStatus ?? '' }
  const elements = await knownPayouts({ database }, payment)
  const isLate = file.reportedAt !== null && Temporal.Instant.compare(report.reportedAt, file.reportedAt) < 0
  const observation = standingOfReport(report, { order, elements, isLate })
  const recorded = await recordStatus(context, payment, observation)
  if (observation.status !== null && recorded.status !== observation.status) {
    throw new Error(`A report on the file ${file.messageId} was overtaken; it is read again`)
  }
  // Whoever reports on a file has it, though a death may have kept us from noting that.
  await moveFile(database, file, { from: 'prepared', to: 'sent', dueAt: answerExpectedAt(payment, bank) })
  await noteReported(database, file, report.reportedAt)
}

/** Statements, reports on files of others: somebody else's, and not to be read again. */
async function leave({ clock, database, log }: Context, { bic }: Bank, file: FileSeen): Promise<void> {
  await leaveFile(database, bic, file, clock.real())
  log.info({ bic }, 'a bank has put out a file that is no report on a file of ours; it is left as it is')
}
