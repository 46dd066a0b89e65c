/** The XS2A server: every bank of the world under its own base path, every answer in the form of the standard. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { invalidTexts } from '../../../gateway/platform/http/validation/validate-strings.ts'
import { isId, newId } from '../../../gateway/platform/ids.ts'
import { parseJson } from '../../../gateway/platform/parse-json.ts'
import { accountRoutes } from '../accounts/routes.ts'
import { pageOf } from '../accounts/transaction-query.ts'
import type { BankContext } from '../bank-context.ts'
import { basketRoutes } from '../baskets/routes.ts'
import { bulkRoutes } from '../bulks/routes.ts'
import { consentRoutes } from '../consents/routes.ts'
import type { BankProfile } from '../fixture.ts'
import { type TrustSettings, trustedServer } from '../identity/mtls-server.ts'
import { clientOf, type IdentityDemands, requireIdentity } from '../identity/require-identity.ts'
import { certificatesIn } from '../identity/validate-certificate.ts'
import { requireToken } from '../oauth/require-token.ts'
import { tokenRoutes } from '../oauth/token-routes.ts'
import { faultOfCall } from '../outcomes/simulate-call-faults.ts'
import { paymentRoutes } from '../payments/routes.ts'
import { refuse, Xs2aRefusal } from '../refusal.ts'
import { strikeAfter, strikeBefore, type WithheldAnswers } from './inject-fault.ts'
import { type Inspector, inspectAnswers } from './inspect-answers.ts'
import { renderRefusal } from './render-error.ts'
import { readHeaders, requireBankParts, type Xs2aAnswer, type Xs2aRoute } from './xs2a-call.ts'

/** No order of one payment comes near this. */
const BODY_BYTES_MAX = 256 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Services of the standard that the banks here do not offer. */
const UNOFFERED = ['periodic-payments', 'funds-confirmations', 'card-accounts']

type Parts = Readonly<Record<string, string | undefined>>
type Request = FastifyRequest<{ Params: Parts; Querystring: Parts }>

export type Xs2aSettings = {
  readonly inspector?: Inspector | undefined
  readonly trust?: TrustSettings | undefined
}

/** Builds the server; it does not listen yet. */
export function xs2aServer(context: BankContext, { inspector, trust }: Xs2aSettings = {}): FastifyInstance {
  const server = fastify({
    ...(trust === undefined ? {} : { serverFactory: trustedServer(trust) }),
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    logger: false,
  })
  const withheld: WithheldAnswers = new Set()
  server.addHook('preClose', async () => {
    for (const response of withheld) {
      response.destroy()
    }
  })
  readJsonOnly(server)
  server.addHook('onRequest', async (request, reply) => nameAnswer(context, request, reply))
  if (trust !== undefined) {
    requireIdentity(server, demandsOf(context, trust))
  }
  if (inspector !== undefined) {
    inspectAnswers(server, inspector)
  }
  server.setErrorHandler((error, request, reply) => sendRefusal(context, error, request, reply))
  server.setNotFoundHandler((request, reply) =>
    sendRefusal(context, refuse(404, 'RESOURCE_UNKNOWN', 'The bank has nothing at this address'), request, reply),
  )
  const routes = [paymentRoutes, bulkRoutes, consentRoutes, accountRoutes, basketRoutes].flatMap((of) => of(context))
  for (const route of routes) {
    serve(context, server, route, withheld)
  }
  refuseOtherMethods(server, routes)
  server.register(async (scope) => tokenRoutes(context, scope, trust === undefined ? () => undefined : clientOf))
  refuseUnofferedServices(server)
  return server
}

function demandsOf(context: BankContext, { clientAuthorities }: TrustSettings): IdentityDemands {
  return {
    authorities: certificatesIn(clientAuthorities),
    isRevoked: (serialNumber) => context.revoked.has(BigInt(`0x${serialNumber}`).toString(16)),
    now: () => context.clock.real(),
    signsDate: (request) => bankOf(context, request)?.signsDate === true,
  }
}

function serve(context: BankContext, server: FastifyInstance, route: Xs2aRoute, withheld: WithheldAnswers): void {
  const { method, path, operation, bodyBytesMax = BODY_BYTES_MAX } = route
  server.route({
    method,
    url: `/:bank/v1${path}`,
    bodyLimit: bodyBytesMax,
    handler: async (request: Request, reply) => {
      const bank = requireBank(context, request)
      requireJsonAnswer(request)
      const { params, query, body } = request
      const fault =
        context.faults.take(bank.bic, operation, pageOf(query)) ??
        (await faultOfCall(context, { bank: bank.bic, operation, params, body }))
      if (await strikeBefore(fault, reply, context.faults.untilCleared())) {
        return reply
      }
      const headers = readHeaders(request.headers)
      requireBankParts({ bank, headers, query })
      await requireToken(context, { bank, headers, params, path })
      const answer = await route.handle({ bank, headers, params, query, body })
      return strikeAfter(fault, reply, { answer, withheld }) ? reply : await sendAnswer(reply, answer)
    },
  })
}

async function sendAnswer(
  reply: FastifyReply,
  { status, headers = {}, body, stream }: Xs2aAnswer,
): Promise<FastifyReply> {
  const answer = reply.code(status).headers(headers)
  return await (stream === undefined ? answer.send(body) : answer.type('application/json').send(stream))
}

function requireBank(context: BankContext, request: FastifyRequest): BankProfile {
  const bank = bankOf(context, request)
  if (bank === undefined) {
    throw refuse(404, 'RESOURCE_UNKNOWN', 'No bank has this base path')
  }
  return bank
}

function bankOf({ world }: BankContext, request: FastifyRequest): BankProfile | undefined {
  const [, basePath] = request.url.split('/')
  return world.banks.find((bank) => bank.basePath === basePath)
}

function requireJsonAnswer(request: FastifyRequest): void {
  const { accept = '*/*' } = request.headers
  if (!/\*\/\*|application\/(\*|json|problem\+json)/.test(accept)) {
    throw refuse(406, 'REQUESTED_FORMATS_INVALID', 'The bank answers in JSON')
  }
}

/** The request's own id, as the standard asks for; some banks have another. */
function nameAnswer(context: BankContext, request: FastifyRequest, reply: FastifyReply): void {
  const given = request.headers['x-request-id']
  const isEchoed = bankOf(context, request)?.echoesRequestId !== false
  reply.header('X-Request-ID', isEchoed && typeof given === 'string' && isId(given) ? given : newId())
}

async function sendRefusal(
  context: BankContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = asRefusal(error)
  if (!(refusal instanceof Xs2aRefusal)) {
    context.log.error({ err: error, method: request.method, path: request.routeOptions.url }, 'a call failed')
  }
  const { status, contentType, body } = renderRefusal(refusal, bankOf(context, request)?.errorFormat ?? 'A')
  return await reply.code(status).type(contentType).send(JSON.stringify(body))
}

/** What the framework itself refuses, in words of the standard. */
function asRefusal(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  switch (status) {
    case 413:
      return refuse(400, 'FORMAT_ERROR', 'The body is too large')
    case 415:
      return refuse(415, 'FORMAT_ERROR', 'The bank reads application/json')
    default:
      return error
  }
}

/** Reads JSON whose absence means an empty object: some third parties start an authorisation without a body. */
function readJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, text: string) => {
    const body = text === '' ? {} : parsed(text)
    const [invalid] = await invalidTexts(body, 1)
    if (invalid !== undefined) {
      throw refuse(400, 'FORMAT_ERROR', `${invalid.path}: ${invalid.reason}`)
    }
    return body
  })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw refuse(400, 'FORMAT_ERROR', 'The body is not JSON')
  }
}

function refuseOtherMethods(server: FastifyInstance, routes: readonly Xs2aRoute[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const used = new Set<string>(routes.filter((route) => route.path === path).map((route) => route.method))
    server.route({
      method: METHODS.filter((method) => !used.has(method)),
      url: `/:bank/v1${path}`,
      handler: (_request, reply) => {
        reply.header('Allow', [...used].join(', '))
        throw refuse(405, 'SERVICE_INVALID', `Here only ${[...used].join(', ')} is possible`)
      },
    })
  }
}

function refuseUnofferedServices(server: FastifyInstance): void {
  for (const service of UNOFFERED) {
    for (const url of [`/:bank/v1/${service}`, `/:bank/v1/${service}/*`]) {
      server.route({
        method: [...METHODS],
        url,
        handler: () => {
          throw refuse(405, 'SERVICE_INVALID', `The bank does not offer ${service}`)
        },
      })
    }
  }
}
