/** Summarises what a bank's answer says, for the log of bank calls: its status, or its errors in the bank's own words. */
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import { redactAccountNumbers } from '../../../connector/redact-account-numbers.ts'
import { parseBankErrors } from './parse-bank-errors.ts'

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
