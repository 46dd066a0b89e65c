/** Summarises a bank's answer for the log of calls, with the statuses in it that no table knows. */
import { redactAccountNumbers } from '../../../connector/bank-text.ts'
import type { AnswerDeviation, BankResponse } from '../../../connector/connector-dependencies.ts'
import type { Dialect } from '../dialect.ts'
import { CONSENT_STATUSES } from '../translate-consent.ts'
import { isKnownPaymentStatus } from '../translate-payment-status.ts'
import { parseBankErrors } from './bank-errors.ts'

/** Read without parsing: every call for a payment is summarised. */
const STATUS = /"(?:transactionStatus|scaStatus)"\s*:\s*"(\w{1,35})"/g
const ERROR_STATUS_MIN = 400
const ERRORS_MAX = 3

/** Null for an answer that says neither. Account numbers and national ids are redacted. */
export function summariseAnswer({ status, body }: BankResponse): string | null {
  const parts =
    status < ERROR_STATUS_MIN
      ? [...body.matchAll(STATUS)].map(([, word = '']) => word)
      : parseBankErrors(body)
          .slice(0, ERRORS_MAX)
          .map(({ code, text }) => redactAccountNumbers([code, text ?? ''].filter((part) => part !== '').join(': ')))
  return parts.length === 0 ? null : parts.join(', ')
}

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
