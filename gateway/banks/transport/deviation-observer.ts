/** Counts and logs how banks' answers differ from their standard, without any part of an answer. */
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
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
      if (loggedAt.size >= LOGGED_MAX) {
        loggedAt.clear()
      }
      loggedAt.set(key, at)
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

/** Wraps `fetch` with the check. Each process logs each bank once. */
export function checkRequestIdEcho<Answer extends BankResponse>(
  fetch: SendBankRequest<Answer>,
  log: Pick<Log, 'info'>,
): SendBankRequest<Answer> {
  const logged = new Set<string>()
  return async (bank, request) => {
    const response = await fetch(bank, request)
    const sent = request.headers[REQUEST_ID]
    const isEchoed = sent === undefined || response.headers[REQUEST_ID]?.toLowerCase() === sent.toLowerCase()
    if (!isEchoed && !logged.has(bank.bic)) {
      logged.add(bank.bic)
      log.info(
        { bank: bank.bic },
        'a bank does not return our X-Request-ID: refer to the id in this log when contacting it',
      )
    }
    return response
  }
}

const CLIENT_ERRORS = { first: 400, last: 499 }
/** The standard's codes for a rejected identity, in both of its error formats. */
const REJECTED_IDENTITY = /"code"\s*:\s*"((?:CERTIFICATE|SIGNATURE)_[A-Z]{1,20}|ROLE_INVALID|TIMESTAMP_INVALID)"/

/** Wraps `fetch`: each rejection is counted, and logged once until the bank accepts a call again. */
export function detectIdentityRejection<Answer extends BankResponse>(
  fetch: SendBankRequest<Answer>,
  {
    log,
    metrics,
  }: { readonly log: Pick<Log, 'error' | 'info'>; readonly metrics: Pick<Metrics, 'identityRejections'> },
): SendBankRequest<Answer> {
  const codeByBic = new Map<string, string>()
  return async (bank, request) => {
    const response = await fetch(bank, request)
    const { status, body } = response
    // Mostly 401; a rejected time stamp is 400 in the standard.
    const isRejected = status >= CLIENT_ERRORS.first && status <= CLIENT_ERRORS.last
    const code = isRejected ? REJECTED_IDENTITY.exec(body)?.[1] : undefined
    if (code !== undefined) {
      metrics.identityRejections.inc({ bank: bank.bic, code })
      if (codeByBic.get(bank.bic) !== code) {
        codeByBic.set(bank.bic, code)
        const requestId = request.headers['x-request-id']
        log.error(
          { bank: bank.bic, code, requestId },
          'a bank rejects our certificate, signature or role: all calls to it fail until that is corrected',
        )
      }
    } else if (status < CLIENT_ERRORS.first && codeByBic.delete(bank.bic)) {
      log.info({ bank: bank.bic }, 'the bank accepts our certificate and signature again')
    }
    return response
  }
}
