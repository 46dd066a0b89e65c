/** The XS2A server: every bank of the fixture under its own base path, with the standard's response format. */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { findInvalidStrings } from '../../gateway/platform/http/validation/validate-strings.ts'
import { isId, newId } from '../../gateway/platform/ids.ts'
import { parseJson } from '../../gateway/platform/parse-json.ts'
import { accountRoutes } from './accounts/routes.ts'
import { pageOf } from './accounts/transaction-query.ts'
import { basketRoutes } from './baskets/routes.ts'
import { consentRoutes } from './consents/routes.ts'
import type { Context } from './context.ts'
import type { BankProfile } from './fixture.ts'
import type { MtlsSettings } from './identity/mtls-server.ts'
import { parseCertificates } from './identity/read-certificate.ts'
import { clientOf, requireIdentity } from './identity/require-identity.ts'
import { requireToken } from './oauth/require-token.ts'
import { tokenRoutes } from './oauth/token-routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { scriptedFaultOfCall } from './payments/simulate-call-faults.ts'
import { injectFaultAfter, injectFaultBefore, type WithheldAnswers } from './xs2a/inject-fault.ts'
import { type Inspector, inspectAnswers } from './xs2a/inspect-answers.ts'
import { readBody } from './xs2a/read-body.ts'
import { readHeaders, requireBankParameters, type Xs2aAnswer, type Xs2aRoute } from './xs2a/xs2a-call.ts'
import { renderXs2aError, Xs2aError, xs2aError } from './xs2a-error.ts'

/** No order of one payment has a body near this size. */
const BODY_BYTES_MAX = 256 * 1024
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Services of the standard that the banks here do not offer. */
const UNOFFERED_SERVICES = ['periodic-payments', 'funds-confirmations', 'card-accounts']

type Parts = Readonly<Record<string, string | undefined>>
type Request = FastifyRequest<{ Params: Parts; Querystring: Parts }>

/** A longer id than any is one of a resource that does not exist; the server's own limit is 100, with an error of its own. */
const ID_CHARACTERS_MAX = 10_000

export type Xs2aSettings = {
  readonly inspector?: Inspector | undefined
  readonly trust?: MtlsSettings | undefined
}

/** Routes the requests of the banks' ports; it does not listen itself. */
export function xs2aServer(context: Context, { inspector, trust }: Xs2aSettings = {}): FastifyInstance {
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: ID_CHARACTERS_MAX },
    exposeHeadRoutes: false,
    logger: false,
    // A URL that cannot be decoded reaches no route.
    frameworkErrors: (_error, request, reply) => {
      setResponseHeaders(context, request, reply)
      void sendXs2aError(context, xs2aError(400, 'FORMAT_ERROR', 'The URL is not valid'), request, reply)
    },
  })
  const withheld: WithheldAnswers = new Set()
  server.addHook('preClose', async () => {
    for (const response of withheld) {
      response.destroy()
    }
  })
  readJsonOnly(server)
  server.addHook('onRequest', async (request, reply) => setResponseHeaders(context, request, reply))
  if (trust !== undefined) {
    requireIdentity(server, {
      authorities: parseCertificates(trust.clientAuthorities),
      isRevoked: (serialNumber) => context.revoked.has(serialNumber),
      now: () => context.clock.real(),
      signsDate: (request) => bankOf(context, request)?.signsDate === true,
    })
  }
  if (inspector !== undefined) {
    inspectAnswers(server, inspector)
  }
  server.setErrorHandler((error, request, reply) => sendXs2aError(context, error, request, reply))
  server.setNotFoundHandler((request, reply) =>
    sendXs2aError(context, xs2aError(404, 'RESOURCE_UNKNOWN', 'The bank has no such path'), request, reply),
  )
  const routes = [paymentRoutes, consentRoutes, accountRoutes, basketRoutes].flatMap((of) => of(context))
  for (const route of routes) {
    serve(context, server, route, withheld)
  }
  rejectOtherMethods(server, routes)
  server.register(async (scope) => tokenRoutes(context, scope, trust === undefined ? () => undefined : clientOf))
  rejectUnofferedServices(server)
  return server
}

function serve(context: Context, server: FastifyInstance, route: Xs2aRoute, withheld: WithheldAnswers): void {
  const { method, path, operation, bodyBytesMax = BODY_BYTES_MAX } = route
  server.route({
    method,
    url: `/:bank/v1${path}`,
    bodyLimit: bodyBytesMax,
    handler: async (request: Request, reply) => {
      const bank = requireBank(context, request)
      requireJsonAnswer(request)
      const { params, query, body } = request
      const call = { bank: bank.bic, operation, page: pageOf(query), resources: Object.values(params) }
      const scripted = await scriptedFaultOfCall(context, { ...call, params, body })
      const fault = context.faults.takeBefore(call) ?? scripted
      if (await injectFaultBefore(fault, reply, context.faults.untilCleared())) {
        return reply
      }
      const headers = readHeaders(request.headers)
      requireBankParameters({ bank, headers, query })
      await requireToken(context, { bank, headers, params, path })
      const answer = await route.handle({ bank, headers, params, query, body })
      const lost = context.faults.takeOnResponse(call) ?? scripted
      return injectFaultAfter(lost, reply, { answer, withheld }) ? reply : await sendAnswer(reply, answer)
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

function requireBank(context: Context, request: FastifyRequest): BankProfile {
  const bank = bankOf(context, request)
  if (bank === undefined) {
    throw xs2aError(404, 'RESOURCE_UNKNOWN', 'No bank has this base path')
  }
  return bank
}

function bankOf({ fixture }: Context, request: FastifyRequest): BankProfile | undefined {
  const [, basePath] = request.url.split('/')
  return fixture.banks.find((bank) => bank.basePath === basePath)
}

function requireJsonAnswer(request: FastifyRequest): void {
  const { accept = '*/*' } = request.headers
  if (!/\*\/\*|application\/(\*|json|problem\+json)/.test(accept)) {
    throw xs2aError(406, 'REQUESTED_FORMATS_INVALID', 'The bank answers in JSON')
  }
}

/** Repeats the request's id, as the standard requires; some banks return another. */
function setResponseHeaders(context: Context, request: FastifyRequest, reply: FastifyReply): void {
  const given = request.headers['x-request-id']
  const isEchoed = bankOf(context, request)?.echoesRequestId !== false
  reply.header('X-Request-ID', isEchoed && typeof given === 'string' && isId(given) ? given : newId())
}

async function sendXs2aError(
  context: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const rejection = toXs2aError(error)
  if (!(rejection instanceof Xs2aError)) {
    context.log.error({ err: error, method: request.method, path: request.routeOptions.url }, 'a call failed')
  }
  const { status, contentType, body } = renderXs2aError(rejection, bankOf(context, request)?.errorFormat ?? 'A')
  return await reply.code(status).type(contentType).send(JSON.stringify(body))
}

/** Converts errors of the framework into those of the standard. */
function toXs2aError(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  switch (status) {
    case 413:
      return xs2aError(400, 'FORMAT_ERROR', 'The body is too large')
    case 415:
      return xs2aError(415, 'FORMAT_ERROR', 'The bank reads application/json')
    default:
      return error
  }
}

/** An absent JSON body is an empty object: some third parties start an authorisation without a body. */
function readJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const text = (await readBody(request)).toString()
    const body = text === '' ? {} : parsed(text)
    const [invalid] = await findInvalidStrings(body, 1)
    if (invalid !== undefined) {
      throw xs2aError(400, 'FORMAT_ERROR', `${invalid.path}: ${invalid.reason}`)
    }
    return body
  })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw xs2aError(400, 'FORMAT_ERROR', 'The body is not JSON')
  }
}

function rejectOtherMethods(server: FastifyInstance, routes: readonly Xs2aRoute[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const used = new Set<string>(routes.filter((route) => route.path === path).map((route) => route.method))
    server.route({
      method: METHODS.filter((method) => !used.has(method)),
      url: `/:bank/v1${path}`,
      handler: (_request, reply) => {
        reply.header('Allow', [...used].join(', '))
        throw xs2aError(405, 'SERVICE_INVALID', `Here only ${[...used].join(', ')} is possible`)
      },
    })
  }
}

function rejectUnofferedServices(server: FastifyInstance): void {
  for (const service of UNOFFERED_SERVICES) {
    for (const url of [`/:bank/v1/${service}`, `/:bank/v1/${service}/*`]) {
      server.route({
        method: [...METHODS],
        url,
        handler: () => {
          throw xs2aError(405, 'SERVICE_INVALID', `The bank does not offer ${service}`)
        },
      })
    }
  }
}
