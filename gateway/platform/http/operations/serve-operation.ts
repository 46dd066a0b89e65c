/** Serves an operation as its contract entry says: authorisation, idempotency, validation, response, errors. */
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Operation } from '../../../../contract/operation.ts'
import { DatabaseUnavailable } from '../../database/database-unavailable.ts'
import { reserveLargeBody } from '../client-limits.ts'
import { apiError } from '../errors/api-error.ts'
import { applyErrorFormat, completeErrorAnswer, withListedCode } from '../errors/complete-error-answer.ts'
import { asApiError } from '../errors/framework-error.ts'
import {
  isTemporaryError,
  type RenderedAnswer,
  renderErrorResponse,
  renderOAuthErrorResponse,
} from '../errors/render-error.ts'
import { type IdempotentRequest, withOrderOfOpenRequest } from '../idempotency/idempotency.ts'
import { serveIdempotent } from '../idempotency/serve-idempotent.ts'
import { JSON_MEDIA_TYPE, negotiateMediaType } from '../preferences.ts'
import { BODY_BYTES_MAX, sendRendered } from '../server.ts'
import { warningsHeader } from '../validation/unknown-fields.ts'
import { authoriseCaller, authoriseRequest, createCallerIdentifier } from './authorise-request.ts'
import type {
  Handle,
  PartnerIdentity,
  RequestGuards,
  Serve,
  ServedOperation,
  ServeSettings,
} from './served-operation.ts'
import { awaitFirstChunk, CallerStalled, type StreamedAnswer, sendStreamed } from './streamed-response.ts'
import {
  compileChecks,
  findWarnings,
  quotedValueIn,
  type RequestWarnings,
  type Serving,
  validateRequest,
} from './validate-request.ts'

/** The preference for the rejection of unknown fields. */
const STRICT_HANDLING = 'handling=strict'
const ERROR_STATUS_MIN = 400
/** The work continues after the response (RFC 9110, 15.3.3). */
const ACCEPTED = 202
const NO_WARNINGS: RequestWarnings = { unknownFields: [], isStrict: false }

/** Creates the function with which modules register their operations. */
export function createServe<Partner extends PartnerIdentity, Consent>(
  settings: ServeSettings<Partner, Consent>,
): Serve<Partner, Consent> {
  const identifyCaller = createCallerIdentifier(settings.gatekeepers)
  return <const O extends Operation, Parsed>(
    operation: O,
    handleOrServed: ServedOperation<O, Partner, Consent, Parsed> | Handle<O, Partner, Consent>,
  ) => {
    // What the handler gets was validated against its contract entry; `parsed` is what its own rules returned.
    const served = (
      typeof handleOrServed === 'function' ? { handle: handleOrServed } : handleOrServed
    ) as ServedOperation
    const serving = { settings, operation, served, checks: compileChecks(operation) }
    settings.server.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // A HEAD request would produce an entire response, none of which is sent.
      ...('stream' in served ? { exposeHeadRoute: false } : {}),
      ...(operation.bodyBytesMax === undefined
        ? {}
        : largeBodyOptions(settings.gatekeepers, operation, operation.bodyBytesMax)),
      // Requests that cannot be parsed never reach the handler.
      errorHandler: async (error, request, reply) => {
        const answer = renderAnyError(serving, request, error)
        await identifyCaller(request)
        return send(serving, { request, reply, warnings: NO_WARNINGS }, answer)
      },
      handler: async (request, reply) => {
        const received = { request, reply, warnings: await findWarnings(operation, request) }
        return send(serving, received, await answerOf(serving, received))
      },
    })
  }
}

/** Records the exchange, and sends the response with its warnings. */
function send(
  serving: Serving,
  { request, reply, warnings: { unknownFields, isStrict } }: ReceivedRequest,
  answer: RenderedAnswer | StreamedAnswer,
): FastifyReply {
  const { settings, operation } = serving
  const { body, caller } = request
  const milliseconds = Math.round(reply.elapsedTime * 10) / 10
  settings.recordExchange?.({ request, body, caller, operation, answer, unknownFields, milliseconds })
  if (unknownFields.length > 0) {
    reply.header('havn-warnings', warningsHeader(unknownFields))
  }
  if (isStrict) {
    reply.header('preference-applied', STRICT_HANDLING)
  }
  if ('pieces' in answer) {
    const reportError = (error: unknown) => reportBroken(serving, request, error)
    return sendStreamed(reply, answer, reportError, settings.stalledMillisecondsMax)
  }
  if (answer.status < ERROR_STATUS_MIN) {
    return sendRendered(reply, answer)
  }
  const { baseUrl } = settings
  const { prefer } = request.headers
  const applied = isStrict ? [STRICT_HANDLING] : []
  return sendRendered(reply, completeErrorAnswer(answer, { operation, baseUrl, prefer, applied }))
}

/** A body above the usual limit is read only from authorised callers; authorisation is repeated with the body. */
function largeBodyOptions(
  gatekeepers: RequestGuards,
  operation: Operation,
  bodyLimit: number,
): Pick<RouteShorthandOptions, 'bodyLimit' | 'onRequest'> {
  return {
    bodyLimit,
    onRequest: async (request, reply) => {
      const length = Number(request.headers['content-length'] ?? Number.NaN)
      const isAnswered = length <= BODY_BYTES_MAX || length > bodyLimit
      if (!isAnswered) {
        const { partnerId } = await authoriseCaller(gatekeepers, operation, request, reply)
        reserveLargeBody(request, partnerId)
      }
    },
  }
}

type ReceivedRequest = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly warnings: RequestWarnings
}

async function answerOf(
  serving: Serving,
  { request, reply, warnings }: ReceivedRequest,
): Promise<RenderedAnswer | StreamedAnswer> {
  const { settings, operation, served } = serving
  const { schema, status, continuesWith, otherForms } = operation.answer
  const renderError = (error: unknown) => renderAnyError(serving, request, error)
  try {
    // The server parses JSON and forms; each operation accepts one of them.
    const isForm = request.body instanceof URLSearchParams
    if (operation.body !== undefined && request.body !== undefined && isForm !== (operation.bodyType === 'form')) {
      throw apiError('unsupported-media-type', `Send the body as ${isForm ? 'application/json' : 'a form'}`)
    }
    const mediaType = otherForms === undefined ? JSON_MEDIA_TYPE : negotiateMediaType(otherForms, request.headers)
    const { caller, keyed } = await authoriseRequest(settings, operation, request, reply)
    if ('stream' in served) {
      const call = await validateRequest(serving, caller, request, warnings)
      const pieces = await awaitFirstChunk(served.stream({ ...call, idempotent: null }, mediaType))
      const varying = otherForms === undefined ? {} : { vary: 'accept' }
      const headers = { 'content-type': `${mediaType}; charset=utf-8`, ...varying, ...served.headers }
      return { status, headers, pieces }
    }
    const carryOut = async (idempotent: IdempotentRequest | null): Promise<RenderedAnswer> => {
      const call = await validateRequest(serving, caller, request, warnings)
      const answer: unknown = await served.handle({ ...call, idempotent })
      const continues = continuesWith !== undefined && continuesWith in Object(answer)
      const body = schema === null ? undefined : answer
      return { status: continues ? ACCEPTED : status, headers: served.headers ?? {}, body }
    }
    if (keyed === undefined) {
      return await carryOut(null)
    }
    const { idempotency: tools } = settings
    const storesAnswer = served.storesAnswer === true
    const once = { tools, ...keyed, storesAnswer, renderError, successStatus: status }
    return await serveIdempotent(once, carryOut)
  } catch (error) {
    return renderError(error)
  }
}

function renderAnyError({ settings, operation }: Serving, request: FastifyRequest, error: unknown): RenderedAnswer {
  const ours = asApiError(withOrderOfOpenRequest(operation, error))
  const translated = applyErrorFormat(operation, settings.gatekeepers.translate(ours))
  const errorContext = {
    svcRequestId: request.id,
    baseUrl: settings.baseUrl,
    quotedValueAt: (path: string) => quotedValueIn(operation, request, path),
  }
  const answer =
    operation.errorFormat === 'oauth'
      ? renderOAuthErrorResponse(translated, errorContext)
      : renderErrorResponse(withListedCode(operation, translated), errorContext)
  if (answer.status === 500 || error instanceof DatabaseUnavailable) {
    settings.reportInternalError({ requestId: request.id, operation: operation.id, error })
  }
  return { ...answer, isTemporary: isTemporaryError(translated) }
}

/**
 * Once a response has begun, no error can be sent any more; our own errors are still reported, a slow reader's are not.
 */
function reportBroken(serving: Serving, request: FastifyRequest, error: unknown): void {
  if (!(error instanceof CallerStalled)) {
    renderAnyError(serving, request, error)
  }
  serving.settings.reportBroken({ requestId: request.id, operation: serving.operation.id, error })
}
