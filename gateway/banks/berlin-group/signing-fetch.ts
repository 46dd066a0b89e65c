/** Has every request signed, the way the bank wants it, as the last thing before it leaves. */
import type { BankResponse, BankWay, ConnectorTools } from '../connector/connector-dependencies.ts'
import { dialectOf } from '../standards/berlin-group/dialect.ts'
import { signed } from '../standards/berlin-group/transport/message-signature.ts'
import { STANDARD_SIGNATURE } from '../standards/berlin-group/transport/signature-settings.ts'

/**
 * The same way of fetching, with signatures; without a QSEAL, or at a bank that takes none, it is the very same. So it is
 * without TLS, which only a bank on this machine is spoken to without: where nobody shows a certificate, nobody signs.
 */
export function signing<Answer extends BankResponse>(
  { now, qseal }: Pick<ConnectorTools, 'now' | 'qseal'>,
  fetch: BankWay<Answer>,
): BankWay<Answer> {
  return async (bank, request) => {
    const certificate = qseal?.() ?? null
    const { signature = STANDARD_SIGNATURE } = dialectOf(bank.profile)
    return certificate === null || signature === 'none' || !request.url.startsWith('https:')
      ? await fetch(bank, request)
      : await fetch(bank, await signed(request, certificate, signature, now()))
  }
}
