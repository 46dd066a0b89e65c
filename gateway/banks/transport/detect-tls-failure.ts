/** Detects banks with which no TLS connection can be made, and logs it for operators. */
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankResponse, SendBankRequest } from '../connector/connector-dependencies.ts'

/** Wraps `fetch`: each failure is counted, and logged once until a call to the bank is answered again. */
export function detectTlsFailure<Answer extends BankResponse>(
  fetch: SendBankRequest<Answer>,
  { log, metrics }: { readonly log: Pick<Log, 'error' | 'info'>; readonly metrics: Pick<Metrics, 'bankTlsFailures'> },
): SendBankRequest<Answer> {
  const reasonByBic = new Map<string, string>()
  return async (bank, request) => {
    const { bic } = bank
    try {
      const response = await fetch(bank, request)
      if (reasonByBic.delete(bic)) {
        log.info({ bank: bic }, 'TLS connections with the bank can be made again')
      }
      return response
    } catch (error) {
      const reason = error instanceof BankUnreachable ? error.tlsCode : null
      if (reason !== null) {
        metrics.bankTlsFailures.inc({ bank: bic, reason })
        if (reasonByBic.get(bic) !== reason) {
          reasonByBic.set(bic, reason)
          const { operation } = request
          log.error({ bank: bic, operation, reason }, 'no TLS connection can be made with a bank: all calls to it fail')
        }
      }
      throw error
    }
  }
}
