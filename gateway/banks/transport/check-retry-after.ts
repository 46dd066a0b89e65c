/** Logs a `Retry-After` that cannot be obeyed as it stands. */
import { readRetryAfter } from '../../platform/http/retry-after.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { BankResponse, SendBankRequest } from '../connector/connector-dependencies.ts'

const LOGGED_CHARACTERS_MAX = 60

/** Wraps `fetch` with the check. */
export function checkRetryAfter<Answer extends BankResponse>(
  fetch: SendBankRequest<Answer>,
  log: Pick<Log, 'warn'>,
): SendBankRequest<Answer> {
  return async (bank, request) => {
    const response = await fetch(bank, request)
    const { fault } = readRetryAfter(response.headers)
    if (fault !== null) {
      const retryAfter = response.headers['retry-after']?.slice(0, LOGGED_CHARACTERS_MAX)
      const { operation } = request
      log.warn({ bank: bank.bic, operation, retryAfter, fault }, 'a bank sent a Retry-After that is not obeyed')
    }
    return response
  }
}
