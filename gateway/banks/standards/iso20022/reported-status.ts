/** Translates the statuses (ISO 20022 ExternalPaymentTransactionStatus1Code) and reasons of reports. */
import { describeReason } from '../../connector/bank-codes.ts'
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
