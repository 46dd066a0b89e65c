/** The connector interface for banks that accept files: upload of order files and download of reports. */
import type { Money } from '../../platform/money.ts'
import type { Bank } from './bank.ts'
import { BankError } from './bank-error.ts'
import type { BulkTransaction, DomesticOrder, StatusObservation } from './bank-order.ts'

/**
 * Uploads files to a bank and reads its reports. There is no answer: until a report names a file, it is only known that
 * the file is in the bank's inbox. Errors are thrown as `BankError`.
 */
export type FileProduct = {
  /**
   * Writes a file to a place that the bank does not read. Attempts for one file are independent of each other. A failed
   * attempt deletes what it has written, unless the connection is lost; the bank ignores such remains.
   */
  prepare(bank: Bank, file: OrderFile, attempt: string): Promise<void>
  /**
   * Moves a prepared file to the bank's inbox, atomically and once. Repeating it after a lost answer has no effect,
   * because a prepared file can be moved only once.
   */
  submitFile(bank: Bank, messageId: string, attempt: string): Promise<void>
  /**
   * Cancels a prepared file atomically, so that it can no longer be submitted. `gone` if it was submitted before.
   * Repeating it returns the same, until `clear`.
   */
  withdrawFile(bank: Bank, messageId: string, attempt: string): Promise<'withdrawn' | 'gone'>
  /** Deletes unsubmitted remains of all attempts at a file, or of one: they contain salaries. */
  clear(bank: Bank, messageId: string, attempt?: string): Promise<void>
  /** The files in our outbox at the bank, reports or not, sorted by name. */
  list(bank: Bank): Promise<readonly ListedFile[]>
  /** Throws `UnreadableFileError` where the file itself cannot be read, rather than the connection failing. */
  read(bank: Bank, name: string): Promise<DownloadedFile>
  /**
   * Archives a report once its content is stored; idempotent. `mark` makes the archived name unique, because banks reuse
   * names.
   */
  archiveFile(bank: Bank, name: string, mark: string): Promise<void>
}

/** Thrown for an unreadable file of the bank; `isPermanent` where only a new version of it can be read. */
export class UnreadableFileError extends BankError {
  readonly isPermanent: boolean

  constructor(message: string, isPermanent: boolean, cause?: unknown) {
    super('misconfigured', message, [], cause)
    this.isPermanent = isPermanent
  }
}

/** A listed file. Its version changes while it is being written, and when it is overwritten. */
export type ListedFile = { readonly name: string; readonly version: string }

/** The content of one order file: payments from one account on one day. */
export type OrderFile = {
  /** Our unique id of at most 35 letters and digits: reports refer to the file by it. */
  readonly messageId: string
  readonly createdAt: Temporal.Instant
  readonly organisationNumber: string
  /** The customer's agreement id for files at the bank. */
  readonly agreement: string
  readonly debtor: DomesticOrder['debtor']
  readonly dueDate: Temporal.PlainDate
  /** Requests one account entry instead of one per payment. */
  readonly batchBooking: boolean
  readonly count: number
  readonly total: Money
  /** The payments in order, in batches of some hundred. */
  readonly payments: AsyncIterable<readonly BulkTransaction[]> | Iterable<readonly BulkTransaction[]>
}

/** A file from the bank; the digest identifies its content whatever its name. */
export type DownloadedFile = {
  readonly digest: string
  /** Null where it is not a complete payment report: a statement, or a file that is still being written. */
  readonly report: FileReport | null
}

export type FileReport = {
  /** Message id of the order file. */
  readonly messageId: string
  readonly reportedAt: Temporal.Instant
  /** The status of every payment that is not listed; null where the report has none. */
  readonly whole: StatusObservation | null
  readonly payments: readonly ReportedPayment[]
  /** How many listed payments have no status, neither their own nor that of all. */
  readonly withoutStatus: number
}

/** The reported status of one payment, with the fields that identify it. */
export type ReportedPayment = StatusObservation & {
  /** Its index in the file, from 0; null where the bank does not return it. */
  readonly position: number | null
  readonly endToEndId: string | null
}
