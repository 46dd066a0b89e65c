/** The part of the port for banks that take files: what is put there once, and what is read from their reports once. */
import type { Money } from '../platform/money.ts'
import type { BulkElement } from './bulk-order.ts'
import { BankRefusal } from './connector/bank-error.ts'
import type { DomesticOrder } from './connector/domestic-order.ts'
import type { StatusObservation } from './connector/order-at-bank.ts'
import type { Bank } from './directory/bank.ts'

/**
 * Hands files to a bank, and reads its reports. Nobody is asked and nobody answers: that a file lies where the bank
 * takes it from is all that is known until a report names it. Refusals are thrown as `BankRefusal`.
 */
export type FileProduct = {
  /**
   * Writes a file where the bank does not take it from. Two attempts of one file never disturb each other. One that fails
   * takes away what it has written, unless nothing leads to the bank any more; that is nothing to the bank.
   */
  prepare(bank: Bank, file: OrderFile, attempt: string): Promise<void>
  /**
   * Gives a prepared file to the bank, in one step that happens once. Repeating it after its answer was lost does
   * nothing: what an attempt has prepared can be handed over once, by nobody else.
   */
  handOver(bank: Bank, messageId: string, attempt: string): Promise<void>
  /**
   * Takes a prepared file away, in one step, so that nobody hands it over any more. `gone` where it had been handed over.
   * Repeating it tells the same, until `clear`.
   */
  takeBack(bank: Bank, messageId: string, attempt: string): Promise<'taken' | 'gone'>
  /** Removes what attempts at a file, or one of them, have left that is not at the bank: it holds people's salaries. */
  clear(bank: Bank, messageId: string, attempt?: string): Promise<void>
  /** What the bank has put out for us, whether reports or not, in the order of its names. */
  list(bank: Bank): Promise<readonly FileSeen[]>
  /** Throws `FileUnreadable` where it is the file that cannot be read, and not the way to it. */
  read(bank: Bank, name: string): Promise<PutOut>
  /**
   * Takes a report out of the way once everything of it is kept; one that is gone already counts as put away. `mark` is
   * used once: banks use names again.
   */
  putAway(bank: Bank, name: string, mark: string): Promise<void>
}

/** Thrown for a file of the bank's that cannot be read by itself; `forGood` where only another version of it could be. */
export class FileUnreadable extends BankRefusal {
  readonly forGood: boolean

  constructor(message: string, forGood: boolean, cause?: unknown) {
    super('misconfigured', message, [], cause)
    this.forGood = forGood
  }
}

/** A file as it is listed. Another version means that it was written since, or is still being written. */
export type FileSeen = { readonly name: string; readonly version: string }

/** What is ordered in one file: one account pays on one day. */
export type OrderFile = {
  /** Ours, of at most 35 letters and digits and never used twice: reports name the file by it. */
  readonly messageId: string
  readonly createdAt: Temporal.Instant
  readonly organisationNumber: string
  /** What the bank knows the customer by who agreed to files. */
  readonly agreement: string
  readonly debtor: DomesticOrder['debtor']
  readonly dueDate: Temporal.PlainDate
  /** One line on the account in place of one for each payment. */
  readonly batchBooking: boolean
  readonly count: number
  readonly total: Money
  /** The payments, some hundred at a time, in their order. */
  readonly payments: AsyncIterable<readonly BulkElement[]> | Iterable<readonly BulkElement[]>
}

/** What a file of the bank's is: who has seen it knows it again by its digest, whatever its name. */
export type PutOut = {
  readonly digest: string
  /** Null where it is no whole report on payments: a statement, or something that is still being written. */
  readonly report: FileReport | null
}

/** A report on one file. */
export type FileReport = {
  /** Of the file that is reported on. */
  readonly messageId: string
  readonly reportedAt: Temporal.Instant
  /** What holds of every payment that is not named; null where the report says nothing of them. */
  readonly whole: StatusObservation | null
  /** The payments that are named. */
  readonly payments: readonly PaymentReported[]
}

/** What a report says of one payment, with whatever names it. */
export type PaymentReported = StatusObservation & {
  /** Its place in the file, counted from 0; null where the bank does not repeat it. */
  readonly position: number | null
  readonly endToEndId: string | null
}
