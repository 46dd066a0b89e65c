/** Translates the standard's statuses of payments. */
import { outcomeByStatus, type StatusObservation } from '../../connector/bank-order.ts'
import { redactAccountNumbers, statedText } from '../../connector/bank-text.ts'
import type { Dialect } from './dialect.ts'
import { type BankMessages, messageFields, type PaymentCreated, type PaymentStatus } from './wire.ts'

/** The links that start another authorisation. */
const START_LINK = /^(sca(Redirect|OAuth)|startAuthorisation.*)$/

/** The meaning of a payment status; `signed`: all authorisations that we know of are completed. */
export function toStatusObservation(answer: PaymentStatus, signed: boolean, dialect: Dialect): StatusObservation {
  const bankStatus = answer.transactionStatus
  const status = standardStatus(bankStatus, dialect)
  const mayBeUnsigned = dialect.unsignedStatuses.some((unsigned) => unsigned === status)
  const codes = messageFields(answer, 'code')
  const lacksFunds = answer.fundsAvailable === false || codes.includes('FUNDS_NOT_AVAILABLE')
  let outcome = outcomeByStatus.get(status)
  if (mayBeUnsigned && !signed) {
    outcome = { status: 'Unsigned', statusReason: null }
  } else if (mayBeUnsigned && Object.keys(answer._links ?? {}).some((name) => START_LINK.test(name))) {
    // A bank without `PATC` offers the start of another authorisation after the first one.
    outcome = { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }
  }
  if (outcome === undefined) {
    const shown = redactAccountNumbers(bankStatus)
    const text = bankMessageOf(answer) ?? shown
    return { status: null, statusReason: null, statusReasonText: text, bankStatus: shown }
  }
  if (outcome.status === 'Rejected' || outcome.status === 'Cancelled') {
    const text = bankReasonOf(answer) ?? (redactAccountNumbers(codes.join(', ')) || null)
    const statusReason = lacksFunds && outcome.status === 'Rejected' ? 'InsufficientFunds' : null
    return { ...outcome, statusReason, statusReasonText: text, bankStatus }
  }
  const isOpen = outcome.status === 'Unsigned' || outcome.status === 'InProgress'
  if (isOpen && dialect.heldForSmsCode !== null && codes.includes(dialect.heldForSmsCode)) {
    outcome = { status: 'CustomerActionRequired', statusReason: 'SmsConfirmationRequired' }
  } else if (outcome.status === 'InProgress' && lacksFunds) {
    outcome = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }
  }
  return { ...outcome, statusReasonText: bankMessageOf(answer), bankStatus }
}

/** The acknowledgement itself says that the bank has received the order. */
const RECEIVED = 'RCVD'
/** Checked, not executed: the first statuses of an order that needs no SCA. */
const ACCEPTED_UNSIGNED: ReadonlySet<string> = new Set(['ACTC', 'ACCP', 'ACFC', 'ACWC', 'ACSP', 'ACWP', 'ACSC', 'ACCC'])

/**
 * The meaning of the status after initiation. The order is exempt from SCA where the bank has checked it and indicates no
 * authentication. An unknown status means Unsigned where SCA is required.
 */
export function toInitiationObservation(created: PaymentCreated, dialect: Dialect): StatusObservation {
  const { transactionStatus = RECEIVED } = created
  const needsSca = requiresSca(created)
  const isExempt = !needsSca && ACCEPTED_UNSIGNED.has(standardStatus(transactionStatus, dialect))
  const observed = toStatusObservation({ ...created, transactionStatus }, isExempt, dialect)
  return observed.status === null && needsSca ? { ...observed, status: 'Unsigned' } : observed
}

/** Body fields that are only present when the user has to authenticate. */
const AUTHENTICATION_SIGNS = ['scaStatus', 'scaMethods', 'chosenScaMethod', 'challengeData'] as const
/** The same for links: each starts, continues or shows an authentication. */
const AUTHENTICATION_LINK =
  /^(sca(Redirect|OAuth|Status)|startAuthorisation.*|update.*|selectAuthenticationMethod|authoriseTransaction|confirmation)$/

/** Whether an answer requires the user to sign. */
export function requiresSca(created: Pick<PaymentCreated, '_links' | (typeof AUTHENTICATION_SIGNS)[number]>): boolean {
  const isExempt = created.scaStatus === 'exempted'
  const isSignedFor = AUTHENTICATION_SIGNS.some((name) => created[name] !== undefined) && !isExempt
  return isSignedFor || Object.keys(created._links ?? {}).some((name) => AUTHENTICATION_LINK.test(name))
}

/** The standard status of a proprietary one. */
export function standardStatus(status: string, { ownStatuses = {} }: Dialect): string {
  return Object.hasOwn(ownStatuses, status) ? (ownStatuses[status] ?? status) : status
}

/** The bank's message to the PSU, otherwise its messages to the TPP. */
export function bankMessageOf(answer: BankMessages): string | null {
  return redactAccountNumbers(statedText(answer.psuMessage) ?? messageFields(answer, 'text').join(' ')) || null
}

/**
 * Why something ended. The messages to the TPP come first: the one to the PSU often says only that it did, and is cut
 * where there is no room for both.
 */
export function bankReasonOf(answer: BankMessages): string | null {
  const reason = messageFields(answer, 'text').join(' ')
  const psuMessage = statedText(answer.psuMessage) ?? ''
  const both = [reason, psuMessage].filter((text) => text !== '').join(' – ')
  return redactAccountNumbers(reason.includes(psuMessage) ? reason : both) || null
}
