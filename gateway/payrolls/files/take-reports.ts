/** Takes what a bank has put out for us: reports in the order in which they were written, each once. */
import type { Bank } from '../../banks/bank.ts'
import type { FileProduct, FileReport, FileSeen } from '../../banks/file-product.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../foundation/ids.ts'
import { findOrderOf } from '../../payments/find-payments.ts'
import { knownPayouts } from '../../payments/payroll-order/known-payouts.ts'
import { recordStatus } from '../../payments/record-status.ts'
import { findFileByMessage, moveFile, noteReported } from './file-store.ts'
import type { PaymentFile } from './payment-file.ts'
import { isTaken, leaveFile, listLeft, noteTaken } from './report-store.ts'
import { standingOfReport } from './standing-of-report.ts'

/** Read at once; each may tell of ten thousand payouts. */
const FILES_PER_LOOK = 20

type Read = { readonly file: FileSeen; readonly digest: string; readonly report: FileReport }

/** How many reports were taken. */
export async function takeReports(context: Context, bank: Bank, product: FileProduct): Promise<number> {
  const listed = await product.list(bank)
  const left = await listLeft(context.database, bank.bic, listed)
  const fresh = listed.filter(({ name }) => !left.has(name)).slice(0, FILES_PER_LOOK)
  const read: Read[] = []
  const failures: unknown[] = []
  // One that cannot be taken keeps no other waiting: it comes again at the next look.
  const unlessFailing = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => failures.push(error))
  }
  for (const file of fresh) {
    await unlessFailing(async () => {
      const { digest, report } = await product.read(bank, file.name)
      if (report === null) {
        await leave(context, bank, file)
      } else {
        read.push({ file, digest, report })
      }
    })
  }
  const ordered = read.toSorted((one, other) =>
    Temporal.Instant.compare(one.report.reportedAt, other.report.reportedAt),
  )
  for (const one of ordered) {
    await unlessFailing(() => take(context, bank, product, one))
  }
  if (failures.length > 0) {
    throw failures[0]
  }
  return ordered.length
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
    await record(context, ours, report)
    await noteTaken(database, bank.bic, digest, clock.real())
  }
  await product.putAway(bank, file.name, newId())
}

async function record(context: Context, file: PaymentFile, report: FileReport): Promise<void> {
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
  await moveFile(database, file, { from: 'prepared', to: 'sent', dueAt: null })
  await noteReported(database, file, report.reportedAt)
}

/** Statements, reports on files of others: somebody else's, and not to be read again. */
async function leave({ clock, database, log }: Context, { bic }: Bank, file: FileSeen): Promise<void> {
  await leaveFile(database, bic, file, clock.real())
  log.info({ bic }, 'a bank has put out a file that is no report on a file of ours; it is left as it is')
}
