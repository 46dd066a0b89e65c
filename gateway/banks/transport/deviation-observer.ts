/** Counts and logs how banks' answers differ from their standard and reject us, without any part of an answer. */

import { setMostRecent } from '../../platform/collections.ts'
import { readRetryAfter } from '../../platform/http/response-parser.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type {
  AnswerDeviation,
  BankResponse,
  DeviationObserver,
  SendBankRequest,
} from '../connector/connector-dependencies.ts'

/** The same deviation is logged again after this time, so that a bank that always deviates does not fill the log. */
const LOGGED_AGAIN_AFTER_MILLISECONDS = 3_600_000
/** More than all fields of all operations of a bank. */
const LOGGED_MAX = 10_000
const INDEX = /\[\d+\]/g

type Dependencies = {
  readonly log: Pick<Log, 'warn' | 'info'>
  readonly metrics: Pick<Metrics, 'bankAnswerDeviations'>
  readonly now: () => Temporal.Instant
}

/** Every deviation is counted; each kind of a bank is logged once an hour in each process. */
export function createDeviationObserver({ log, metrics, now }: Dependencies): DeviationObserver {
  const loggedAt = new Map<string, number>()
  const isLogged = (key: string): boolean => {
    const at = now().epochMilliseconds
    const before = loggedAt.get(key)
    const isRecent = before !== undefined && at - before < LOGGED_AGAIN_AFTER_MILLISECONDS
    if (!isRecent) {
      setMostRecent(loggedAt, [key, at], LOGGED_MAX)
    }
    return isRecent
  }
  return ({ bank, operation }, deviations) => {
    for (const { path, reason, effect } of deviations) {
      metrics.bankAnswerDeviations.inc({ bank, operation, effect })
      const field = path.replace(INDEX, '[]')
      if (!isLogged([bank, operation, effect, field].join(' '))) {
        const level = effect === 'ignored' ? 'info' : 'warn'
        log[level]({ bank, operation, field, reason, effect }, MESSAGES[effect])
      }
    }
  }
}

const MESSAGES: Readonly<Record<AnswerDeviation['effect'], string>> = {
  ignored: 'a bank sends a field in another form than its standard: the field is ignored',
  dropped: 'a bank sends a damaged element of a list: the element is left out',
  unreadable: 'a bank sends an answer that cannot be read',
  'unknown-status': 'a bank reports a status that its standard does not have',
}

const REQUEST_ID = 'x-request-id'
const CLIENT_ERRORS = { first: 400, last: 499 }
/** The standard's codes for a rejected identity, in both of its error formats. */
const REJECTED_IDENTITY = /"code"\s*:\s*"((?:CERTIFICATE|SIGNATURE)_[A-Z]{1,20}|ROLE_INVALID|TIMESTAMP_INVALID)"/
/** What is logged of one. */
const RETRY_AFTER_CHARACTERS_MAX = 60

/**
 * Wraps `fetch`. Failures of TLS and rejections of our identity are counted, and logged once until the bank answers, or
 * accepts, a call again. A `Retry-After` that cannot be obeyed as it stands is logged, and once for each bank in each
 * process that it does not return our X-Request-ID.
 */
export function checkAnswers<Answer extends BankResponse>(
  fetch: SendBankRequest<Answer>,
  {
    log,
    metrics,
  }: {
    readonly log: Pick<Log, 'error' | 'warn' | 'info'>
    readonly metrics: Pick<Metrics, 'bankTlsFailures' | 'identityRejections'>
  },
): SendBankRequest<Answer> {
  const tlsFailureByBic = new Map<string, string>()
  const rejectionByBic = new Map<string, string>()
  const withoutEcho = new Set<string>()
  const isNew = (known: Map<string, string>, bank: string, reason: string) => {
    const before = known.get(bank)
    known.set(bank, reason)
    return before !== reason
  }
  return async (to, request) => {
    const { bic: bank } = to
    const { operation, headers } = request
    const response = await fetch(to, request).catch((error: unknown) => {
      const reason = error instanceof BankUnreachable ? error.tlsCode : null
      if (reason !== null) {
        metrics.bankTlsFailures.inc({ bank, reason })
        if (isNew(tlsFailureByBic, bank, reason)) {
          log.error({ bank, operation, reason }, 'no TLS connection can be made with a bank: all calls to it fail')
        }
      }
      throw error
    })
    if (tlsFailureByBic.delete(bank)) {
      log.info({ bank }, 'TLS connections with the bank can be made again')
    }
    // Mostly of a 401; a rejected time stamp is 400 in the standard.
    const isRejection = response.status >= CLIENT_ERRORS.first && response.status <= CLIENT_ERRORS.last
    const code = isRejection ? REJECTED_IDENTITY.exec(response.body)?.[1] : undefined
    if (code !== undefined) {
      metrics.identityRejections.inc({ bank, code })
      if (isNew(rejectionByBic, bank, code)) {
        const text = 'a bank rejects our certificate, signature or role: all calls to it fail until that is corrected'
        log.error({ bank, code, requestId: headers[REQUEST_ID] }, text)
      }
    } else if (response.status < CLIENT_ERRORS.first && rejectionByBic.delete(bank)) {
      log.info({ bank }, 'the bank accepts our certificate and signature again')
    }
    const { fault } = readRetryAfter(response.headers)
    if (fault !== null) {
      const retryAfter = response.headers['retry-after']?.slice(0, RETRY_AFTER_CHARACTERS_MAX)
      log.warn({ bank, operation, retryAfter, fault }, 'a bank sent a Retry-After that is not obeyed')
    }
    const sent = headers[REQUEST_ID]?.toLowerCase()
    if (sent !== undefined && response.headers[REQUEST_ID]?.toLowerCase() !== sent && !withoutEcho.has(bank)) {
      withoutEcho.add(bank)
      log.info({ bank }, 'a bank does not return our X-Request-ID: refer to the id in this log when contacting it')
    }
    return response
  }
}
