/** Processes the reports of a bank in the order of their creation, each once. */

import { type Bank, endToEndIdAt } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import {
  type FileProduct,
  type FileReport,
  type ListedFile,
  UnreadableFileError,
} from '../../banks/connector/file-product.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { listRetryTimes } from '../../platform/jobs/failed-row-store.ts'
import { type AttemptedRow, NO_PARTNER_ID, processRow } from '../../platform/jobs/process-row.ts'
import { findOrderOf } from '../find-orders.ts'
import { answerExpectedAt, type PaymentFile } from '../payment-file.ts'
import {
  isReportProcessed,
  listUnprocessedFiles,
  recordFileFailure,
  recordReportProcessed,
  skipFile,
  type UnprocessedFile,
} from '../store/bank-report-store.ts'
import { changeFileState, findFileByMessage, recordReportTime } from '../store/payment-file-store.ts'
import { listKnownPayrollTransactions } from '../store/payroll-transaction-store.ts'
import { applyBankReport } from './apply-bank-report.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

/** The sweep that polls banks for reports; its rows are banks and their files. */
export const BANK_REPORTS = 'bank reports'

/** Limits memory: each report may cover ten thousand transactions. */
const FILES_PER_POLL = 20

const FILE_ID_CHARACTERS = 16

/** After this a poll starts no further file, so that it ends well before its lease expires. */
const POLL_TIME_LIMIT = { seconds: 300 }

type Candidate = UnprocessedFile & { readonly row: AttemptedRow }
type Read = Candidate & { readonly digest: string; readonly report: FileReport }
type ReportPoll = { readonly bank: Bank; readonly until: Temporal.Instant }

/** Returns the number of processed reports. Throws the first error of the bank after processing everything else. */
export async function processBankReports(context: Context, bank: Bank, product: FileProduct): Promise<number> {
  const poll = { bank, until: context.clock.real().add(POLL_TIME_LIMIT) }
  const candidates = await withoutPutBack(
    context,
    bank,
    await listUnprocessedFiles(context.database, bank.bic, await product.list(bank)),
  )
  const errors: unknown[] = []
  const read: Read[] = []
  const first = candidates.slice(0, FILES_PER_POLL)
  // A file that can be read has not been processed yet: it may still fail as before.
  const reading = first.map((candidate) => ({ ...candidate, row: { ...candidate.row, hasFailed: false } }))
  await forEachUntilDeadline(context, poll, reading, errors, async (candidate) => {
    const { digest, report } = await product.read(bank, candidate.file.name)
    if (report === null) {
      await skipForeignFile(context, bank, candidate.file)
    } else {
      const { row } = first[reading.indexOf(candidate)] ?? candidate
      read.push({ ...candidate, row, digest, report })
    }
  })
  const ordered = read.toSorted((one, other) =>
    Temporal.Instant.compare(one.report.reportedAt, other.report.reportedAt),
  )
  await forEachUntilDeadline(
    context,
    poll,
    ordered,
    errors,
    async (candidate) => await processReport(context, bank, product, candidate),
  )
  if (errors.length > 0) {
    throw errors[0]
  }
  return ordered.length
}

/** A file that fails does not block the others: it is retried after them. */
async function forEachUntilDeadline<Turn extends Candidate>(
  context: Context,
  { bank, until }: ReportPoll,
  candidates: readonly Turn[],
  errors: unknown[],
  work: (candidate: Turn) => Promise<void>,
): Promise<void> {
  for (const candidate of candidates) {
    if (Temporal.Instant.compare(context.clock.real(), until) > 0) {
      return
    }
    await processRow(
      context,
      candidate.row,
      async () => {
        try {
          await work(candidate)
        } catch (error) {
          if (!(error instanceof BankError)) {
            throw error
          }
          if (!(error instanceof UnreadableFileError)) {
            errors.push(error)
          }
          await recordReadFailure(context, bank, candidate, error)
        }
      },
      () => recordFileFailure(context.database, bank.bic, candidate.file, context.clock.real()),
    )
  }
}

/** The files that are not put back because processing them failed. Names may contain anything: the log has keyed digests. */
async function withoutPutBack(
  { clock, database, digest }: Context,
  { bic }: Bank,
  files: readonly UnprocessedFile[],
): Promise<readonly Candidate[]> {
  const rows = { sweep: BANK_REPORTS, partnerId: NO_PARTNER_ID }
  const rowIds = await Promise.all(
    files.map(async ({ file }) => `${bic} ${(await digest(file.name, 'bank file')).slice(0, FILE_ID_CHARACTERS)}`),
  )
  const retryTimes = await listRetryTimes(database, rows, rowIds)
  const now = clock.real()
  return files.flatMap((file, index) => {
    const rowId = rowIds[index] ?? ''
    const retryAt = retryTimes.get(rowId) ?? now
    const row = { ...rows, rowId, hasFailed: retryTimes.has(rowId) }
    return Temporal.Instant.compare(retryAt, now) > 0 ? [] : [{ ...file, row }]
  })
}

/** Logs an unreadable file once, without its name, which may contain anything. */
async function recordReadFailure(
  { clock, database, log, metrics }: Context,
  { bic }: Bank,
  { file, hasFailed }: UnprocessedFile,
  error: unknown,
): Promise<void> {
  const isPermanent = error instanceof UnreadableFileError && error.isPermanent
  await (isPermanent ? skipFile : recordFileFailure)(database, bic, file, clock.real())
  if (error instanceof UnreadableFileError && !hasFailed) {
    metrics.unreadableFiles.inc({ bank: bic })
    log.error({ bic, why: error.message }, 'a file from a bank cannot be parsed')
  }
}

/** A crash before the last step repeats the processing, which is idempotent. */
async function processReport(
  context: Context,
  bank: Bank,
  product: FileProduct,
  { file, digest, report }: Read,
): Promise<void> {
  const { clock, database } = context
  const keyedDigest = await context.digest(digest, `report of ${bank.bic}`)
  if (!(await isReportProcessed(database, bank.bic, keyedDigest))) {
    const paymentFile = await findFileByMessage(database, bank.bic, report.messageId)
    if (paymentFile === undefined) {
      await skipForeignFile(context, bank, file)
      return
    }
    await record(context, bank, paymentFile, report)
    await recordReportProcessed(database, bank.bic, keyedDigest, clock.real())
  }
  await product.archiveFile(bank, file.name, newId())
}

async function record(context: Context, bank: Bank, file: PaymentFile, report: FileReport): Promise<void> {
  const { database } = context
  const payment = await findOrderOf(context, file.partnerId, file.id)
  const { status, statusReason, statusReasonText, bankStatus } = payment
  const order = { status, statusReason, statusReasonText, bankStatus: bankStatus ?? '' }
  const ordered = await listKnownPayrollTransactions(database, payment)
  // Reports have the ids of the file.
  const elements = ordered.map((element) => ({ ...element, endToEndId: endToEndIdAt(bank, element.endToEndId) }))
  const isLate = file.reportedAt !== null && Temporal.Instant.compare(report.reportedAt, file.reportedAt) < 0
  // Where a concurrent update comes first, this fails and the report is read again.
  await recordPaymentStatus(context, payment, applyBankReport(report, { order, elements, isLate }))
  // A report proves that the bank has the file, even if a crash prevented us from recording that it was sent.
  await changeFileState(database, file, { from: 'prepared', to: 'sent', dueAt: answerExpectedAt(payment, bank) })
  await recordReportTime(database, file, report.reportedAt)
}

/** Account statements or reports on files of other senders are not read again. */
async function skipForeignFile({ clock, database, log }: Context, { bic }: Bank, file: ListedFile): Promise<void> {
  await skipFile(database, bic, file, clock.real())
  log.info({ bic }, 'a file from a bank is not a report on one of our files; it is skipped')
}
