/** Wraps `fetch` so that every request is signed as the bank requires, as the last step. */
import type { BankResponse, ConnectorDependencies, SendBankRequest } from '../../../connector/connector-dependencies.ts'
import { dialectOf } from '../dialect.ts'
import { signMessage } from './message-signature.ts'
import { STANDARD_SIGNATURE } from './signature-settings.ts'

/**
 * Returns `fetch` with signatures. Requests stay unsigned without a QSEAL, at a bank that accepts no signatures, and
 * without TLS, which is only possible for a bank on this machine.
 */
export function signRequests<Answer extends BankResponse>(
  { now, qseal }: Pick<ConnectorDependencies, 'now' | 'qseal'>,
  fetch: SendBankRequest<Answer>,
): SendBankRequest<Answer> {
  return async (bank, request) => {
    const certificate = qseal?.(bank) ?? null
    const { signature = STANDARD_SIGNATURE } = dialectOf(bank.profile)
    return certificate === null || signature === 'none' || !request.url.startsWith('https:')
      ? await fetch(bank, request)
      : await fetch(bank, await signMessage(request, certificate, signature, now()))
  }
}
