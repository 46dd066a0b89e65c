/** Notices banks that refuse our certificate, signature or role: that is for our operators to mend, and for nobody else. */
import type { Log } from '../platform/observability/log.ts'
import type { Metrics } from '../platform/observability/metrics.ts'
import type { BankResponse, BankWay } from './connector/connector-dependencies.ts'

const UNAUTHORISED = 401
/** The standard's words for what we are, in either of its error formats. */
const REFUSED_IDENTITY = /"code"\s*:\s*"((?:CERTIFICATE|SIGNATURE)_[A-Z]{1,20}|ROLE_INVALID|TIMESTAMP_INVALID)"/

/** The same way of fetching, with an eye on such refusals: each is counted, and told of once until the bank takes a call. */
export function watchIdentity<Answer extends BankResponse>(
  fetch: BankWay<Answer>,
  { log, metrics }: { readonly log: Pick<Log, 'error' | 'info'>; readonly metrics: Pick<Metrics, 'identityRefusals'> },
): BankWay<Answer> {
  const refusedBy = new Map<string, string>()
  return async (bank, request) => {
    const response = await fetch(bank, request)
    const code = response.status === UNAUTHORISED ? REFUSED_IDENTITY.exec(response.body)?.[1] : undefined
    if (code !== undefined) {
      metrics.identityRefusals.inc({ bank: bank.bic, code })
      if (refusedBy.get(bank.bic) !== code) {
        refusedBy.set(bank.bic, code)
        const requestId = request.headers['x-request-id']
        log.error(
          { bank: bank.bic, code, requestId },
          'a bank refuses our certificate, signature or role: nothing gets through to it until that is mended',
        )
      }
    } else if (response.status < UNAUTHORISED && refusedBy.delete(bank.bic)) {
      log.info({ bank: bank.bic }, 'the bank takes our certificate and signature again')
    }
    return response
  }
}
