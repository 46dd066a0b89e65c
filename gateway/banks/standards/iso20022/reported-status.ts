/** Translates the statuses (ISO 20022 ExternalPaymentTransactionStatus1Code) and reasons of reports. */
import type { StatusObservation } from '../../connector/order-at-bank.ts'
import { redactAccountNumbers } from '../../connector/redact-account-numbers.ts'
import type { FileDialect } from './file-dialect.ts'

/** A status in a report, with its reasons. */
export type ReportedStatus = {
  readonly code: string
  /** Reason codes; their texts are left out, because they may name the creditor of a salary. */
  readonly reasons: readonly string[]
}

type Outcome = Pick<StatusObservation, 'status' | 'statusReason'>

const IN_PROGRESS: Outcome = { status: 'InProgress', statusReason: null }
const UNSIGNED: Outcome = { status: 'Unsigned', statusReason: null }

const outcomeByCode: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ['PATC', { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }],
  ['ACSP', IN_PROGRESS],
  ['ACWP', IN_PROGRESS],
  ['ACSC', { status: 'Completed', statusReason: null }],
  ['ACCC', { status: 'Completed', statusReason: null }],
  ['RJCT', { status: 'Rejected', statusReason: null }],
  ['CANC', { status: 'Cancelled', statusReason: null }],
])

/** Received or checked: the bank's dialect decides whether the user still has to confirm. */
const BEFORE_EXECUTION: ReadonlySet<string> = new Set(['RCVD', 'ACTC', 'ACCP', 'ACWC', 'ACFC', 'PDNG'])

/** Texts of the most common reasons (ISO 20022 ExternalStatusReason1Code). */
const meaningByReason: ReadonlyMap<string, string> = new Map([
  ['AC01', 'the account number is wrong'],
  ['AC04', 'the account is closed'],
  ['AC06', 'the account is blocked'],
  ['AM02', 'the amount is not allowed'],
  ['AM04', 'insufficient funds on the account'],
  ['AM05', 'the bank detected a duplicate'],
  ['BE01', 'name and account do not match'],
  ['CUST', 'requested by the customer'],
  ['DT01', 'the date is invalid'],
  ['FF01', 'the file format is invalid'],
  ['MS03', 'the bank gives no reason'],
  ['NARR', 'the reason is given as text'],
  ['RC01', 'the bank of the creditor is unknown'],
  ['RR04', 'for regulatory reasons'],
])

/** `PART` alone says nothing about a single payment. */
export function appliesToAllPayments({ code }: ReportedStatus): boolean {
  return code !== 'PART'
}

/** The translated status; null for an unknown code. */
export function toReportedObservation({ code, reasons }: ReportedStatus, dialect: FileDialect): StatusObservation {
  const statusReasonText = reasons.map(describeReason).join('; ') || null
  const outcome = outcomeOf(code, dialect)
  return outcome === undefined
    ? { status: null, statusReason: null, statusReasonText, bankStatus: redactAccountNumbers(code) }
    : { ...withFunds(outcome, reasons), statusReasonText, bankStatus: code }
}

function outcomeOf(code: string, { unsignedStatuses }: FileDialect): Outcome | undefined {
  if (unsignedStatuses.includes(code)) {
    return UNSIGNED
  }
  return BEFORE_EXECUTION.has(code) ? IN_PROGRESS : outcomeByCode.get(code)
}

/** Insufficient funds are reported as the reason, for pending and for rejected payments. */
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

function describeReason(reason: string): string {
  const meaning = meaningByReason.get(reason)
  return meaning === undefined ? reason : `${reason}: ${meaning}`
}
