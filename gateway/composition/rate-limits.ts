/** Sets how often each client may call which operation. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ParamsOf } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { readBasicCredentials } from '../auth/basic-credentials.ts'
import type { Config } from '../config/config.ts'
import { clientNetwork } from '../platform/http/client-network.ts'
import type { Gatekeepers, PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import { type LimitRate, openRateLimit } from '../platform/http/rate-limit.ts'

/** A QR code is fetched each second, be it of an approval or a cancellation; twice that leaves room for a page that is open twice. */
const SIGNING_READS_PER_SECOND = 2

/** Tests of webhooks call out at a partner's word, and each is kept in the log: more than this nobody looks at. */
const WEBHOOK_TESTS_PER_MINUTE = 30

/** So many clients at one address may each ask for tokens as often as one may: whoever makes names up is stopped. */
const CLIENTS_PER_ADDRESS = 10

/** Makes the limits of a server: tokens by address and claimed client, requests without a valid token by address, approvals and cancellations by their id, tests of webhooks by partner, all else by client. */
export function rateLimiter(
  server: FastifyInstance,
  config: Pick<Config, 'tokenRequestsPerMinute' | 'requestsPerSecond'>,
): Pick<Gatekeepers<PartnerIdentity, unknown>, 'limitRate' | 'limitUnauthenticated'> {
  const tokens = openRateLimit(server, { name: 'token', max: config.tokenRequestsPerMinute, windowSeconds: 60 })
  const claims = openRateLimit(server, {
    name: 'claim',
    max: config.tokenRequestsPerMinute * CLIENTS_PER_ADDRESS,
    windowSeconds: 60,
  })
  const unauthenticated = openRateLimit(server, {
    name: 'unauthenticated',
    max: config.tokenRequestsPerMinute * CLIENTS_PER_ADDRESS,
    windowSeconds: 60,
  })
  const calls = openRateLimit(server, { name: 'calls', max: config.requestsPerSecond, windowSeconds: 1 })
  const approvals: LimitRate = openRateLimit(server, {
    name: 'approval',
    max: SIGNING_READS_PER_SECOND,
    windowSeconds: 1,
  })
  const cancellations: LimitRate = openRateLimit(server, {
    name: 'cancellation',
    max: SIGNING_READS_PER_SECOND,
    windowSeconds: 1,
  })
  const webhookTests = openRateLimit(server, { name: 'webhook test', max: WEBHOOK_TESTS_PER_MINUTE, windowSeconds: 60 })
  const limitRate: ReturnType<typeof rateLimiter>['limitRate'] = async (operation, request, reply, partner) => {
    if (operation.id === operations.issueToken.id) {
      // Anybody can claim to be a client: alone, the claim would let a stranger use up a partner's window.
      await claims(request, reply, clientNetwork(request.ip))
      await tokens(request, reply, `${request.ip} ${clientIdOf(request)}`)
      return
    }
    await calls(request, reply, partner?.clientId ?? clientNetwork(request.ip))
    if (operation.id === operations.getPaymentApproval.id) {
      await approvals(request, reply, `${partner?.partnerId} ${approvalIdOf(request)}`)
    } else if (operation.id === operations.getPaymentCancellation.id) {
      await cancellations(request, reply, `${partner?.partnerId} ${cancellationIdOf(request)}`)
    } else if (operation.id === operations.testWebhookSubscription.id) {
      await webhookTests(request, reply, partner?.partnerId ?? request.ip)
    }
  }
  return {
    limitRate,
    limitUnauthenticated: (request, reply) => unauthenticated(request, reply, clientNetwork(request.ip)),
  }
}

/** As it is looked up: neither a query nor capital letters make another approval of it. */
function approvalIdOf({ params }: FastifyRequest): string {
  const { approvalId } = params as ParamsOf<typeof operations.getPaymentApproval>
  return approvalId.toLowerCase()
}

function cancellationIdOf({ params }: FastifyRequest): string {
  const { id } = params as ParamsOf<typeof operations.getPaymentCancellation>
  return id.toLowerCase()
}

function clientIdOf({ body, headers }: FastifyRequest): string | undefined {
  const inForm = body instanceof URLSearchParams ? (body.get('client_id') ?? undefined) : undefined
  return readBasicCredentials(headers.authorization)?.clientId ?? inForm
}
