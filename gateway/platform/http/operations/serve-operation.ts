/** Serves an operation as its contract entry says: admission, idempotency, validation, answer, failures. */
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { CODED_REFUSALS, isRefusalCode, listsCode } from '../../../../contract/errors/coded-errors.ts'
import type { Operation } from '../../../../contract/operation.ts'
import type { IdempotentRequest } from '../../../foundation/http/idempotency.ts'
import { inMediaType, inTermsOf, isPlain } from '../../../foundation/http/own-terms.ts'
import { serveOnce } from '../../../foundation/http/serve-once.ts'
import { Refusal, type RefusalKind, refuse } from '../errors/api-error.ts'
import { asRefusal } from '../errors/framework-error.ts'
import { isFailureCode, type RenderedAnswer, renderFailure, renderOAuthFailure } from '../errors/render-error.ts'
import { BODY_BYTES_MAX, sendRendered } from '../server.ts'
import { checkRequest, checksOf, requireMediaType, type Serving } from '../validation/validate-request.ts'
import { admit, admitCaller, idempotencyKeyOf } from './authorise-request.ts'
import { formOf } from './negotiate-media-type.ts'
import type { PartnerIdentity, Serve, ServeSettings, Stream } from './served-operation.ts'
import { begun, CallerStalled, type StreamedAnswer, sendStreamed } from './streamed-response.ts'

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
      // It would have all of an answer made, and send nothing of it.
      ...('stream' in how ? { exposeHeadRoute: false } : {}),
      ...(operation.bodyBytesMax === undefined ? {} : takingLargeBodies(settings, operation, operation.bodyBytesMax)),
      // What cannot be parsed never reaches the handler.
      errorHandler: (error, request, reply) => {
        sendRendered(reply, inMediaType(operation, renderAnyError(settings, operation, request, error)))
      },
      handler: async (request, reply) => {
        const answer = await answerOf(settings, serving, request, reply)
        return 'body' in answer
          ? sendRendered(reply, inMediaType(operation, answer))
          : sendStreamed(
              reply,
              answer,
              (error) => reportBroken(settings, operation, request, error),
              settings.stalledMillisecondsMax,
            )
      },
    })
  }
}

/** A body that others would not be let send is read only from those who may call; whoever may is asked once more with it. */
function takingLargeBodies<Partner extends PartnerIdentity, Consent>(
  { gatekeepers }: ServeSettings<Partner, Consent>,
  operation: Operation,
  bodyLimit: number,
): Pick<RouteShorthandOptions, 'bodyLimit' | 'onRequest'> {
  return {
    bodyLimit,
    onRequest: async (request, reply) => {
      const length = Number(request.headers['content-length'] ?? Number.NaN)
      const isAnswered = length <= BODY_BYTES_MAX || length > bodyLimit
      if (!isAnswered) {
        await admitCaller(gatekeepers, operation, request, reply)
      }
    },
  }
}

async function answerOf<O extends Operation, Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
  serving: Serving<O, Partner, Consent>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RenderedAnswer | StreamedAnswer> {
  const { operation, how } = serving
  const renderError = (error: unknown) => renderAnyError(settings, operation, request, error)
  try {
    requireMediaType(operation, request)
    const mediaType = formOf(operation, request.headers)
    const admitted = await admit(settings, operation, request, reply)
    if ('stream' in how) {
      const call = await checkRequest(serving, admitted, request)
      return await streamed(serving, mediaType, how.stream({ ...call, idempotent: null }, mediaType))
    }
    const key = await idempotencyKeyOf(operation, admitted, request)
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
  const translated = inTermsOf(operation, settings.gatekeepers.translate(asRefusal(error)))
  const answer =
    operation.errorFormat === 'oauth'
      ? renderOAuthFailure(translated)
      : renderFailure(listed(operation, translated), request.id)
  if (answer.status === 500) {
    settings.reportFault({ requestId: request.id, operation: operation.id, error })
  }
  return translated instanceof Error && isPlain(operation, answer) ? { ...answer, body: translated.message } : answer
}

/** Once an answer has begun nothing can be refused any more; a fault of ours is told as ever, a reader's is none. */
function reportBroken<Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
  operation: Operation,
  request: FastifyRequest,
  error: unknown,
): void {
  if (!(error instanceof CallerStalled)) {
    renderAnyError(settings, operation, request, error)
  }
  settings.reportBroken({ requestId: request.id, operation: operation.id, error })
}

/** The work continues after the answer (RFC 9110, 15.3.3). */
const ACCEPTED = 202

const kindWithoutCode = { 403: 'forbidden', 404: 'not-found', 409: 'conflict' } as const satisfies Record<
  number,
  RefusalKind
>

/** A code that the operation does not list is told in words alone: a bank brought it up, or the interface gives it none there. */
function listed(operation: Operation, error: unknown): unknown {
  if (!(error instanceof Refusal)) {
    return error
  }
  const { reasonCode, message, extras } = error
  if (isFailureCode(reasonCode)) {
    return operation.failures.includes(reasonCode) ? error : refuse('bad-request', message, extras)
  }
  return isRefusalCode(reasonCode) && !listsCode(operation, reasonCode)
    ? refuse(kindWithoutCode[CODED_REFUSALS[reasonCode].status], message, extras)
    : error
}

async function streamed<O extends Operation, Partner extends PartnerIdentity, Consent>(
  { operation, how }: Serving<O, Partner, Consent>,
  mediaType: string,
  pieces: ReturnType<Stream<O, Partner, Consent>>,
): Promise<StreamedAnswer> {
  const varying = operation.answer.otherForms === undefined ? {} : { vary: 'accept' }
  const headers = { 'content-type': `${mediaType}; charset=utf-8`, ...varying, ...how.headers }
  return { status: operation.answer.status, headers, pieces: await begun(pieces) }
}

function render<O extends Operation, Partner extends PartnerIdentity, Consent>(
  { operation, how }: Serving<O, Partner, Consent>,
  answer: unknown,
): RenderedAnswer {
  const { schema, continuesWith } = operation.answer
  const continues =
    continuesWith !== undefined && typeof answer === 'object' && answer !== null && continuesWith in answer
  const status = continues ? ACCEPTED : operation.answer.status
  return { status, headers: how.headers ?? {}, body: schema === null ? '' : JSON.stringify(answer) }
}
