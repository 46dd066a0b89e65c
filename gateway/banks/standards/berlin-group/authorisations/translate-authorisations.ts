/** Translates what banks say of authorisations: how one stands, or how it ended as what was signed tells. */

import { redact } from '../../../connector/redact.ts'
import type { AuthorisationState } from '../../../connector/sca-authorisation.ts'
import type { Dialect } from '../dialect.ts'
import { consentState, observe, remarkOf } from '../translate-status.ts'
import type { Authorisation, Consent, PaymentStatus } from '../wire.ts'

/** What a bank's word on an authorisation means. A word of the bank's own counts as open: only three words are final. */
export function authorisationState(answer: Authorisation, dialect: Dialect): AuthorisationState {
  const text = remarkOf(answer)
  const state = stateByScaStatus.get(answer.scaStatus) ?? 'open'
  const end = state === 'refused' ? failedEnd(text ?? '', dialect) : state
  return {
    ...OVER,
    state: end,
    scaStatus: redact(answer.scaStatus),
    text,
    unconfirmed: answer.scaStatus === UNCONFIRMED,
  }
}

/**
 * How the authorisation of an order ended, as the order tells: one that did not move on was refused or left. An order
 * that was partly signed before and is so still may have been signed by one more of several, but nothing proves it.
 */
export function endedWith(
  answer: PaymentStatus,
  dialect: Dialect,
  before: { readonly partlySigned: boolean },
): AuthorisationState {
  const { status, statusReason, bankStatus, statusReasonText: text } = observe(answer, false, dialect)
  const scaStatus = `over, order ${bankStatus}`
  if (status === null) {
    return { ...OVER, state: 'open', scaStatus, text }
  }
  const asBefore = before.partlySigned && statusReason === 'PartlySigned'
  const movedOn = status === 'InProgress' || status === 'CustomerActionRequired' || status === 'Completed'
  return { ...OVER, state: movedOn && !asBefore ? 'signed' : unsignedEnd(text, dialect), scaStatus, text }
}

/** The same of a consent. */
export function consentEndedWith(answer: Consent, dialect: Dialect): AuthorisationState {
  const text = remarkOf(answer)
  const scaStatus = `over, consent ${redact(answer.consentStatus)}`
  const state = consentState(answer)?.state
  if (state === undefined) {
    return { ...OVER, state: 'open', scaStatus, text }
  }
  const isSigned = state === 'valid' || answer.consentStatus === 'partiallyAuthorised'
  return { ...OVER, state: isSigned ? 'signed' : unsignedEnd(text, dialect), scaStatus, text }
}

/**
 * How the authorisation of a withdrawal ended, as the order tells: only one that is withdrawn was signed. One that is
 * not may be so in a moment, unless it is done with, or the bank says that the user left.
 */
export function cancellationEndedWith(answer: PaymentStatus, dialect: Dialect): AuthorisationState {
  const { status, bankStatus, statusReasonText: text } = observe(answer, false, dialect)
  const scaStatus = `over, order ${bankStatus}`
  const isDone = status === 'Completed' || status === 'Rejected'
  const end = text === null ? 'refused' : failedEnd(text, dialect)
  const unsigned = isDone ? unsignedEnd(text, dialect) : end === 'refused' ? 'open' : end
  const state = status === 'Cancelled' ? 'signed' : unsigned
  return { ...OVER, state, scaStatus, text, ...(state === 'open' ? { isOver: true } : {}) }
}

/** The user is done, and the bank waits for the code that the browser brings back. */
const UNCONFIRMED = 'unconfirmed'

/** The same of a basket: what is tied in it is signed with it. */
export function basketEndedWith(answer: PaymentStatus, dialect: Dialect): AuthorisationState {
  const word = answer.transactionStatus
  const text = remarkOf(answer)
  const scaStatus = `over, basket ${redact(word)}`
  const unsigned = UNSIGNED_BASKET.has(word) ? unsignedEnd(text, dialect) : 'open'
  return { ...OVER, state: SIGNED_BASKET.has(word) ? 'signed' : unsigned, scaStatus, text }
}

/** `PATC`: signed by one of several. */
const SIGNED_BASKET: ReadonlySet<string> = new Set(['PATC', 'ACTC', 'ACCP', 'ACFC', 'ACWC', 'ACSP', 'ACSC', 'ACCC'])
const UNSIGNED_BASKET: ReadonlySet<string> = new Set(['RCVD', 'CANC', 'RJCT'])

/** There is nothing to scan or to confirm. */
const OVER = { qr: null, unconfirmed: false } as const

/** Without a word from the bank, nobody refused. */
function unsignedEnd(text: string | null, dialect: Dialect): FailedEnd {
  return text === null ? 'cancelled' : failedEnd(text, dialect)
}

type FailedEnd = 'refused' | 'cancelled' | 'lapsed'

function failedEnd(text: string, { cancelledText, lapsedText }: Dialect): FailedEnd {
  if (new RegExp(lapsedText, 'i').test(text)) {
    return 'lapsed'
  }
  return new RegExp(cancelledText, 'i').test(text) ? 'cancelled' : 'refused'
}

/** A map, because a plain object would know words such as `constructor`. */
const stateByScaStatus: ReadonlyMap<string, AuthorisationState['state']> = new Map(
  Object.entries({ finalised: 'signed', exempted: 'exempt', failed: 'refused' } as const),
)
