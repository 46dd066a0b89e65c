/** The server of the provider's public API: sessions, rate limit, faults and validation for each operation. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../../gateway/platform/ids.ts'
import type { Sweep } from '../due-rows.ts'
import { type Context, inTransaction } from './context.ts'
import type { Fault } from './faults.ts'
import { operations } from './operations.ts'
import type { Operation } from './protocol/operation-call.ts'
import {
  authFailed,
  errorBody,
  internalError,
  ProviderApiError,
  tooManyRequests,
  unavailable,
} from './protocol/provider-api-error.ts'
import { validateParameters } from './protocol/validate-parameters.ts'

/** Inspects every response before it is sent; only in tests. */
export type Inspector = (answer: InspectedAnswer) => void

type ServerParts = { readonly context: Context; readonly sweep: Sweep; readonly inspect: Inspector }

/** Registers every operation below `/v2`. */
export function publicRoutes(context: Context, sweep: Sweep, inspect: Inspector, scope: FastifyInstance): void {
  // A form that was parsed into an object has lost repeated parameters.
  scope.removeContentTypeParser('application/x-www-form-urlencoded')
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, text)
  })
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('X-Request-Id', newId())
  })
  for (const operation of operations) {
    scope.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: (request, reply) => serve({ context, sweep, inspect }, operation, request, reply),
    })
  }
}

async function serve(served: ServerParts, operation: Operation, request: FastifyRequest, reply: FastifyReply) {
  const { context, inspect } = served
  const name = `${operation.method} ${operation.path}`
  context.calls.set(name, (context.calls.get(name) ?? 0) + 1)
  const fault = context.faults.consumeCallFault(name)
  if (injectFaultBefore(fault, context, reply)) {
    return reply
  }
  const answer = await answerOf(served, operation, request, fault)
  inspect({ operation: name, ...answer })
  if (fault?.effect === 'slow') {
    await delay(fault.milliseconds ?? SLOW_MILLISECONDS, undefined, { ref: false })
  }
  return injectFaultAfter(fault, reply, answer.body) ? reply : await reply.code(answer.status).send(answer.body)
}

const SLOW_MILLISECONDS = 3_000

/** The faults that reject a call before it is carried out. */
const errorByFault: ReadonlyMap<Fault['effect'], ProviderApiError> = new Map([
  ['too-many-requests', tooManyRequests],
  ['server-error', internalError],
  ['unavailable', unavailable],
])

type Answer = { readonly status: number; readonly body: object }

async function answerOf(
  served: ServerParts,
  operation: Operation,
  request: FastifyRequest,
  fault: Fault | undefined,
): Promise<Answer> {
  try {
    const rejection = fault && errorByFault.get(fault.effect)
    if (rejection !== undefined) {
      throw rejection
    }
    return { status: 200, body: await carryOut(served, operation, request) }
  } catch (error) {
    if (error instanceof ProviderApiError) {
      return { status: error.status, body: errorBody(error) }
    }
    served.context.log.error({ err: error }, 'a call failed')
    return { status: 500, body: errorBody(internalError) }
  }
}

/** Everything that changes the database runs in `runExclusive`. */
async function carryOut(
  { context, sweep }: ServerParts,
  operation: Operation,
  request: FastifyRequest,
): Promise<object> {
  const token = String(request.headers['x-auth-token'] ?? '')
  requireRateLimit(context)
  if (operation.open !== true && !context.sessions.use(token)) {
    throw authFailed
  }
  const { parameters, lists } = formOf(request)
  const validationErrors = validateParameters(`${operation.method} ${operation.path}`, parameters)
  if (validationErrors.length > 0) {
    throw new ProviderApiError(400, operation.errorCode, validationErrors)
  }
  const work = () =>
    inTransaction(context, async (context) => operation.verb({ context, at: context.clock.now(), parameters, lists }))
  return operation.method === 'GET' ? await work() : await sweep.runExclusive(work)
}

function formOf(request: FastifyRequest) {
  const [, query = ''] = request.url.split('?')
  const { parameters, lists } = parseForm(request.method === 'GET' ? query : String(request.body ?? ''))
  return { parameters: { ...parameters, ...pathParameters(request.params) }, lists }
}

function pathParameters(parameters: unknown): Readonly<Record<string, string>> {
  return typeof parameters === 'object' && parameters !== null
    ? Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
    : {}
}

/** The limit applies to each minute of wall time. */
function requireRateLimit({ limits, clock }: Context): void {
  const now = clock.real()
  if (limits.since === null || Temporal.Instant.compare(now, limits.since.add({ minutes: 1 })) >= 0) {
    limits.since = now
    limits.taken = 0
  }
  limits.taken += 1
  if (limits.taken > limits.perMinute) {
    throw tooManyRequests
  }
}

type Form = {
  readonly parameters: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** The first element of a list is also a parameter, so that the API's own table can validate it. */
function parseForm(text: string): Form {
  const parameters: Record<string, string> = {}
  const lists: Record<string, string[]> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[[0-9]*\]$/, '')
    if (name !== key) {
      lists[name] = [...(lists[name] ?? []), value]
    }
    parameters[name] ??= value
  }
  return { parameters, lists }
}

/** Returns whether the call has ended. */
function injectFaultBefore(fault: Fault | undefined, { sessions }: Context, reply: FastifyReply): boolean {
  switch (fault?.effect) {
    // `down` is here for a request that came in just before the port was closed.
    case 'down':
    case 'drop-request':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'session-lost':
      sessions.deleteAll()
      return false
    default:
      return false
  }
}

/** Returns whether the response is withheld. */
function injectFaultAfter(fault: Fault | undefined, reply: FastifyReply, body: object): boolean {
  switch (fault?.effect) {
    case 'lose-answer':
      reply.hijack()
      reply.raw.destroy()
      return true
    case 'cut-answer': {
      const text = JSON.stringify(body)
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      reply.raw.write(text.slice(0, text.length / 2), () => reply.raw.destroy())
      return true
    }
    default:
      return false
  }
}

export type InspectedAnswer = {
  /** E.g. `POST /conversions/create`. */
  readonly operation: string
  readonly status: number
  readonly body: object
}

/** Returns the violations in a response. */
export type AnswerValidator = (answer: InspectedAnswer) => readonly string[]
