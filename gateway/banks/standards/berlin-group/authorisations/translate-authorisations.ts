/** Translates the states of authorisations, and derives outcomes from the status of the authorised resource. */

import { redactAccountNumbers } from '../../../connector/bank-text.ts'
import type { AuthorisationState } from '../../../connector/sca-authorisation.ts'
import type { Dialect } from '../dialect.ts'
import { consentStates } from '../translate-consent.ts'
import { bankMessageOf, bankReasonOf, standardStatus, toStatusObservation } from '../translate-payment-status.ts'
import type { Authorisation, Consent, PaymentStatus } from '../wire.ts'

/** The state for an SCA status. Unknown statuses count as open: only three statuses are final. */
export function toAuthorisationState(answer: Authorisation, dialect: Dialect): AuthorisationState {
  const state = stateByFinalScaStatus.get(answer.scaStatus) ?? 'open'
  const text = state === 'rejected' ? bankReasonOf(answer) : bankMessageOf(answer)
  const end = state === 'rejected' ? failedEnd(text ?? '', dialect) : state
  return {
    ...ENDED,
    state: end,
    scaStatus: redactAccountNumbers(answer.scaStatus),
    text,
    unconfirmed: answer.scaStatus === UNCONFIRMED,
  }
}

/**
 * The outcome of an order's authorisation by the order's status: if it is unchanged, the user declined or left. An
 * order that was partly signed and still is may have got another signature, but that cannot be proven.
 */
export function paymentAuthorisationEnd(
  answer: PaymentStatus,
  dialect: Dialect,
  before: { readonly partlySigned: boolean },
): AuthorisationState {
  const { status, statusReason, bankStatus } = toStatusObservation(answer, false, dialect)
  const text = bankReasonOf(answer)
  const asBefore = before.partlySigned && statusReason === 'PartlySigned'
  const movedOn = status === 'InProgress' || status === 'CustomerActionRequired' || status === 'Completed'
  const known = movedOn && !asBefore ? 'signed' : unsignedEnd(text, dialect)
  return { ...ENDED, state: status === null ? 'open' : known, scaStatus: `over, order ${bankStatus}`, text }
}

/** The same for a consent. */
export function consentAuthorisationEnd(answer: Consent, dialect: Dialect): AuthorisationState {
  const text = bankReasonOf(answer)
  const scaStatus = `over, consent ${redactAccountNumbers(answer.consentStatus)}`
  const consent = consentStates.get(answer.consentStatus)
  const isSigned = consent === 'valid' || answer.consentStatus === 'partiallyAuthorised'
  const known = isSigned ? 'signed' : unsignedEnd(text, dialect)
  return { ...ENDED, state: consent === undefined ? 'open' : known, scaStatus, text }
}

/**
 * The outcome of a cancellation's authorisation by the order's status: only a cancelled order proves the signature.
 * Another one may still become cancelled, unless its status is final or the bank reports that the user left.
 */
export function cancellationAuthorisationEnd(answer: PaymentStatus, dialect: Dialect): AuthorisationState {
  const { status, bankStatus } = toStatusObservation(answer, false, dialect)
  const text = bankReasonOf(answer)
  const scaStatus = `over, order ${bankStatus}`
  const isDone = status === 'Completed' || status === 'Rejected'
  const end = text === null ? 'rejected' : failedEnd(text, dialect)
  const unsigned = isDone ? unsignedEnd(text, dialect) : end === 'rejected' ? 'open' : end
  const state = status === 'Cancelled' ? 'signed' : unsigned
  return { ...ENDED, state, scaStatus, text, ...(state === 'open' ? { isOver: true } : {}) }
}

/** The user has finished, and the bank waits for the confirmation code of the callback. */
const UNCONFIRMED = 'unconfirmed'

/** The same for a basket, which is signed together with its orders. */
export function basketAuthorisationEnd(
  answer: PaymentStatus,
  dialect: Dialect,
  before: { readonly partlySigned: boolean },
): AuthorisationState {
  const status = standardStatus(answer.transactionStatus, dialect)
  const text = bankReasonOf(answer)
  const scaStatus = `over, basket ${redactAccountNumbers(answer.transactionStatus)}`
  const isUnsigned = UNSIGNED_BASKET.has(status) || (before.partlySigned && status === 'PATC')
  const other = SIGNED_BASKET.has(status) ? 'signed' : 'open'
  return { ...ENDED, state: isUnsigned ? unsignedEnd(text, dialect) : other, scaStatus, text }
}

/** `PATC`: partly signed. */
const SIGNED_BASKET: ReadonlySet<string> = new Set(['PATC', 'ACTC', 'ACCP', 'ACFC', 'ACWC', 'ACSP', 'ACSC', 'ACCC'])
const UNSIGNED_BASKET: ReadonlySet<string> = new Set(['RCVD', 'CANC', 'RJCT'])

/** Ended authorisations have no QR code and need no confirmation. */
const ENDED = { qr: null, unconfirmed: false } as const

/** Without a message from the bank it counts as cancelled, not as declined. */
function unsignedEnd(text: string | null, dialect: Dialect): FailedEnd {
  return text === null ? 'cancelled' : failedEnd(text, dialect)
}

type FailedEnd = 'rejected' | 'cancelled' | 'expired'

function failedEnd(text: string, { cancelledText, lapsedText }: Dialect): FailedEnd {
  if (new RegExp(lapsedText, 'i').test(text)) {
    return 'expired'
  }
  return new RegExp(cancelledText, 'i').test(text) ? 'cancelled' : 'rejected'
}

/** A map, because a plain object also has properties such as `constructor`. */
export const stateByFinalScaStatus: ReadonlyMap<string, AuthorisationState['state']> = new Map(
  Object.entries({ finalised: 'signed', exempted: 'exempt', failed: 'rejected' } as const),
)
