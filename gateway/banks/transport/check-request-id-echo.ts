/** Notices banks that do not repeat our request's id. Their answers are taken all the same; the log tells of it once. */
import type { Log } from '../../platform/observability/log.ts'
import type { BankResponse, BankWay } from '../connector/connector-dependencies.ts'

const REQUEST_ID = 'x-request-id'

/** The same way of fetching, with an eye on the ids. A process tells of each bank once. */
export function watchEchoes<Answer extends BankResponse>(
  fetch: BankWay<Answer>,
  log: Pick<Log, 'info'>,
): BankWay<Answer> {
  const told = new Set<string>()
  return async (bank, request) => {
    const response = await fetch(bank, request)
    const sent = request.headers[REQUEST_ID]
    const isEchoed = sent === undefined || response.headers[REQUEST_ID]?.toLowerCase() === sent.toLowerCase()
    if (!isEchoed && !told.has(bank.bic)) {
      told.add(bank.bic)
      log.info(
        { bank: bank.bic },
        'a bank does not repeat our X-Request-ID: give it the id from our log when asking it',
      )
    }
    return response
  }
}
