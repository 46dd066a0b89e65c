/** Configures the rate limits: of tokens by address and client, of approvals by id, of everything else by client. */
import type { FastifyRequest } from 'fastify'
import { operations } from '../../contract/operations.ts'
import { readBasicCredentials } from '../../gateway/auth/authenticate-client.ts'
import type { Config } from '../../gateway/config/config.ts'
import { clientNetwork } from '../../gateway/platform/http/ip-address.ts'
import type { PartnerIdentity, RequestGuards } from '../../gateway/platform/http/operations/served-operation.ts'
import { openRateLimit } from '../../gateway/platform/http/rate-limit.ts'

/** The operations that pages repeat while a user signs, with the parameter whose value is limited. */
const POLLED: ReadonlyMap<string, string> = new Map([
  [operations.getPaymentApproval.id, 'approvalId'],
  [operations.getPayrollApproval.id, 'approvalId'],
  [operations.getPaymentCancellation.id, 'id'],
  [operations.getPayrollCancellation.id, 'id'],
])

/** A client fetches a QR code each second; twice that allows for a page that is open twice. */
const SCA_POLLS_PER_SECOND = 2

/** Webhook tests send requests at a partner's request, and each is stored in the delivery log. */
const WEBHOOK_TESTS_PER_MINUTE = 30

/**
 * How many clients at one address may each use the full limit of token requests; stops a caller that makes up client
 * ids.
 */
const CLIENTS_PER_ADDRESS = 10

/**
 * Creates the limits of a server: tokens by address and claimed client, requests without a valid token by address,
 * approvals and cancellations by id, webhook tests by partner, everything else by client.
 */
export function rateLimiter(
  config: Pick<Config, 'tokenRequestsPerMinute' | 'requestsPerSecond'>,
): Pick<RequestGuards<PartnerIdentity, unknown>, 'limitRate' | 'limitUnauthenticated'> {
  const tokens = openRateLimit({ max: config.tokenRequestsPerMinute, windowSeconds: 60 })
  const ofAddress = { max: config.tokenRequestsPerMinute * CLIENTS_PER_ADDRESS, windowSeconds: 60 }
  const [claims, unauthenticated] = [openRateLimit(ofAddress), openRateLimit(ofAddress)]
  const calls = openRateLimit({ max: config.requestsPerSecond, windowSeconds: 1 })
  const polls = openRateLimit({ max: SCA_POLLS_PER_SECOND, windowSeconds: 1 })
  const webhookTests = openRateLimit({ max: WEBHOOK_TESTS_PER_MINUTE, windowSeconds: 60 })
  const limitRate: ReturnType<typeof rateLimiter>['limitRate'] = (operation, request, reply, partner) => {
    if (operation.id === operations.issueToken.id) {
      // A client id is only claimed here: limiting by it alone would let a stranger use up a partner's limit.
      claims(request, reply, clientNetwork(request.ip))
      tokens(request, reply, `${clientNetwork(request.ip)} ${clientIdOf(request)}`)
      return
    }
    calls(request, reply, partner?.clientId ?? clientNetwork(request.ip))
    const polledBy = POLLED.get(operation.id)
    if (polledBy !== undefined) {
      // Normalised as in the look-up: query and case must not create further windows.
      const id = String(Object(request.params)[polledBy]).toLowerCase()
      polls(request, reply, `${partner?.partnerId} ${operation.id} ${id}`)
    } else if (operation.id === operations.testWebhookSubscription.id) {
      webhookTests(request, reply, partner?.partnerId ?? clientNetwork(request.ip))
    }
  }
  return {
    limitRate,
    limitUnauthenticated: (request, reply) => unauthenticated(request, reply, clientNetwork(request.ip)),
  }
}

function clientIdOf({ body, headers }: FastifyRequest): string | undefined {
  const inForm = body instanceof URLSearchParams ? (body.get('client_id') ?? undefined) : undefined
  return readBasicCredentials(headers.authorization)?.clientId ?? inForm
}
