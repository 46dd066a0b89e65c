/** Translates the words of reports: a status (ISO 20022 ExternalPaymentTransactionStatus1Code) and why it is so. */
import type { StatusObservation } from '../../connector/order-at-bank.ts'
import { redact } from '../../connector/redact.ts'
import type { FileDialect } from './file-dialect.ts'

/** What a report says at one place. */
export type Reported = {
  readonly word: string
  /** Codes of reasons; texts beside them are left out, because they may name whom a salary is for. */
  readonly reasons: readonly string[]
}

type Outcome = Pick<StatusObservation, 'status' | 'statusReason'>

const IN_PROGRESS: Outcome = { status: 'InProgress', statusReason: null }
const UNSIGNED: Outcome = { status: 'Unsigned', statusReason: null }

const outcomeByWord: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ['PATC', { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }],
  ['ACSP', IN_PROGRESS],
  ['ACWP', IN_PROGRESS],
  ['ACSC', { status: 'Completed', statusReason: null }],
  ['ACCC', { status: 'Completed', statusReason: null }],
  ['RJCT', { status: 'Rejected', statusReason: null }],
  ['CANC', { status: 'Cancelled', statusReason: null }],
])

/** Received or checked: whether a user has still to confirm it is told by the bank's dialect. */
const BEFORE_EXECUTION: ReadonlySet<string> = new Set(['RCVD', 'ACTC', 'ACCP', 'ACWC', 'ACFC', 'PDNG'])

/** The commonest reasons (ISO 20022 ExternalStatusReason1Code) in words of ours. */
const meaningByReason: ReadonlyMap<string, string> = new Map([
  ['AC01', 'the account number is wrong'],
  ['AC04', 'the account is closed'],
  ['AC06', 'the account is blocked'],
  ['AM02', 'the amount is not allowed'],
  ['AM04', 'the account lacks funds'],
  ['AM05', 'the bank holds the same already'],
  ['BE01', 'name and account do not belong together'],
  ['CUST', 'the customer asked for it'],
  ['DT01', 'the date is not possible'],
  ['FF01', 'the file is not as the bank wants it'],
  ['MS03', 'the bank gives no reason'],
  ['NARR', 'the bank gives its reason in words'],
  ['RC01', 'the bank of the receiver is not known'],
  ['RR04', 'for reasons of law'],
])

/** `PART` tells nothing of any payment by itself. */
export function tellsOfAll({ word }: Reported): boolean {
  return word !== 'PART'
}

/** What a bank's word means. */
export function observed({ word, reasons }: Reported, dialect: FileDialect): StatusObservation {
  const statusReasonText = reasons.map(worded).join('; ') || null
  const outcome = outcomeOf(word, dialect)
  return outcome === undefined
    ? { status: null, statusReason: null, statusReasonText, bankStatus: redact(word) }
    : { ...withFunds(outcome, reasons), statusReasonText, bankStatus: word }
}

function outcomeOf(word: string, { unsignedStatuses }: FileDialect): Outcome | undefined {
  if (unsignedStatuses.includes(word)) {
    return UNSIGNED
  }
  return BEFORE_EXECUTION.has(word) ? IN_PROGRESS : outcomeByWord.get(word)
}

/** Money that is missing is said in the reason, with a payment that waits as with one that is rejected. */
function withFunds(outcome: Outcome, reasons: readonly string[]): Outcome {
  if (!reasons.includes('AM04')) {
    return outcome
  }
  if (outcome.status === 'Rejected') {
    return { ...outcome, statusReason: 'InsufficientFunds' }
  }
  return outcome.status === 'InProgress'
    ? { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }
    : outcome
}

function worded(reason: string): string {
  const meaning = meaningByReason.get(reason)
  return meaning === undefined ? reason : `${reason}: ${meaning}`
}
