/** Detects banks that reject our certificate, signature or role, and logs it for operators, who have to correct it. */
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import type { BankResponse, SendBankRequest } from '../connector/connector-dependencies.ts'

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
