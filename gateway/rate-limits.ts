/** Sets how often each client may call which operation. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operations } from '../contract/operations.ts'
import { readBasicCredentials } from './auth/basic-credentials.ts'
import type { Config } from './config.ts'
import { type LimitRate, openRateLimit } from './foundation/http/rate-limit.ts'
import type { Gatekeepers, PartnerIdentity } from './foundation/http/served-operation.ts'

/** A QR code is fetched each second; twice that leaves room for a page that is open twice. */
const APPROVAL_READS_PER_SECOND = 2

/** Makes the limits of a server: tokens by client id, approvals by their address, everything else by client. */
export function rateLimiter(
  server: FastifyInstance,
  config: Pick<Config, 'tokenRequestsPerMinute' | 'requestsPerSecond'>,
): Gatekeepers<PartnerIdentity, unknown>['limitRate'] {
  const tokens = openRateLimit(server, { name: 'token', max: config.tokenRequestsPerMinute, windowSeconds: 60 })
  const calls = openRateLimit(server, { name: 'calls', max: config.requestsPerSecond, windowSeconds: 1 })
  const approvals: LimitRate = openRateLimit(server, {
    name: 'approval',
    max: APPROVAL_READS_PER_SECOND,
    windowSeconds: 1,
  })
  return async (operation, request, reply, partner) => {
    if (operation.id === operations.issueToken.id) {
      await tokens(request, reply, clientIdOf(request) ?? request.ip)
      return
    }
    await calls(request, reply, partner?.clientId ?? request.ip)
    if (operation.id === operations.getPaymentApproval.id) {
      await approvals(request, reply, `${partner?.partnerId} ${request.url}`)
    }
  }
}

function clientIdOf({ body, headers }: FastifyRequest): string | undefined {
  const inForm = body instanceof URLSearchParams ? (body.get('client_id') ?? undefined) : undefined
  return readBasicCredentials(headers.authorization)?.clientId ?? inForm
}
