/** Logs once when a bank does not return our X-Request-ID; the answer is accepted nevertheless. */
import type { Log } from '../../platform/observability/log.ts'
import type { BankResponse, SendBankRequest } from '../connector/connector-dependencies.ts'

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
