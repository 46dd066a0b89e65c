/** Finds statuses in an answer that the standard and the bank's dialect do not have. */

import type { AnswerDeviation } from '../../../connector/connector-dependencies.ts'
import { redactAccountNumbers } from '../../../connector/redact-account-numbers.ts'
import type { Dialect } from '../dialect.ts'
import { CONSENT_STATUSES } from '../translate-consent.ts'
import { isKnownPaymentStatus } from '../translate-payment-status.ts'

const SCA_STATUSES: readonly string[] = [
  ...['received', 'psuIdentified', 'psuAuthenticated', 'scaMethodSelected', 'started', 'unconfirmed'],
  ...['finalised', 'failed', 'exempted'],
]
const CHARACTERS_MAX = 35

const isKnownByField: Readonly<Record<string, (status: string, dialect: Dialect) => boolean>> = {
  transactionStatus: isKnownPaymentStatus,
  scaStatus: (status) => SCA_STATUSES.includes(status),
  consentStatus: (status) => CONSENT_STATUSES.includes(status),
}

/** Of the answer itself, and of the payments in a bulk. */
export function findUnknownStatuses(answer: unknown, dialect: Dialect): readonly AnswerDeviation[] {
  const payments: unknown = Object(answer).payments
  const inBulk = Array.isArray(payments)
    ? payments.flatMap((payment) => statusesIn(payment, 'payments[].', dialect))
    : []
  return [...statusesIn(answer, '', dialect), ...inBulk]
}

function statusesIn(answer: unknown, before: string, dialect: Dialect): readonly AnswerDeviation[] {
  return Object.entries(isKnownByField).flatMap(([field, isKnown]) => {
    const status: unknown = Object(answer)[field]
    if (typeof status !== 'string' || isKnown(status, dialect)) {
      return []
    }
    const reason = `is "${redactAccountNumbers(status.slice(0, CHARACTERS_MAX))}", which has no meaning in the standard`
    return [{ path: `${before}${field}`, reason, effect: 'unknown-status' as const }]
  })
}
