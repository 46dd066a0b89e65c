/** Serves an operation as its contract entry says: admission, idempotency, validation, answer, failures. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../contract/operation.ts'
import { admit, idempotencyKeyOf } from './admit.ts'
import { checkRequest, checksOf, requireMediaType, type Serving } from './check-request.ts'
import { asRefusal } from './framework-refusal.ts'
import type { IdempotentRequest } from './idempotency.ts'
import { Refusal, refuse } from './refusal.ts'
import { isFailureCode, type RenderedAnswer, renderFailure } from './render-failure.ts'
import { serveOnce } from './serve-once.ts'
import type { PartnerIdentity, Serve, ServeSettings } from './served-operation.ts'
import { sendRendered } from './server.ts'

/** Makes the function with which rooms register their operations. */
export function serveWith<Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
): Serve<Partner, Consent> {
  return (operation, served) => {
    const how = typeof served === 'function' ? { handle: served } : served
    const serving = { operation, how, checks: checksOf(operation) }
    settings.server.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(how.bodyBytesMax === undefined ? {} : { bodyLimit: how.bodyBytesMax }),
      handler: async (request, reply) => sendRendered(reply, await answerOf(settings, serving, request, reply)),
    })
  }
}

async function answerOf<O extends Operation, Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
  serving: Serving<O, Partner, Consent>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RenderedAnswer> {
  const { operation, how } = serving
  const renderError = (error: unknown) => renderAnyError(settings, operation, request, error)
  try {
    requireMediaType(operation, request)
    const admitted = await admit(settings, operation, request, reply)
    const key = idempotencyKeyOf(operation, admitted, request)
    const carryOut = async (idempotent: IdempotentRequest | null) => {
      const call = await checkRequest(serving, admitted, request)
      return render(serving, await how.handle({ ...call, idempotent }))
    }
    if (key === undefined) {
      return await carryOut(null)
    }
    const { idempotency: tools } = settings
    const keepsAnswer = how.keepsAnswer === true
    return await serveOnce({ tools, key, keepsAnswer, renderError, successStatus: operation.answer.status }, carryOut)
  } catch (error) {
    return renderError(error)
  }
}

function renderAnyError<Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
  operation: Operation,
  request: FastifyRequest,
  error: unknown,
): RenderedAnswer {
  const translated = settings.gatekeepers.translate(asRefusal(error))
  const answer = renderFailure(listed(operation, translated), request.id)
  if (answer.status === 500) {
    settings.reportFault({ requestId: request.id, operation: operation.id, error })
  }
  return answer
}

/** A code that the operation does not list, which only a bank can bring up, is told in words alone. */
function listed(operation: Operation, error: unknown): unknown {
  const isUnlisted =
    error instanceof Refusal && isFailureCode(error.reasonCode) && !operation.failures.includes(error.reasonCode)
  return isUnlisted ? refuse('bad-request', error.message, error.extras) : error
}

function render<O extends Operation, Partner extends PartnerIdentity, Consent>(
  { operation, how }: Serving<O, Partner, Consent>,
  answer: unknown,
): RenderedAnswer {
  const { status, schema } = operation.answer
  return { status, headers: how.headers ?? {}, body: schema === null ? '' : JSON.stringify(answer) }
}
