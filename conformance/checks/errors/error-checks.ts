/** Checks how requests are rejected that no operation can process: paths, methods, media types, headers, ids. */
import type { Operation } from '../../../contract/operation.ts'
import type { Check, CheckContext } from '../../check.ts'
import {
  errorProblems,
  problemsOfEach,
  requireNone,
  requireStatus,
  statusProblems,
  valueAt,
} from '../../expectations.ts'
import { describeAnswer } from '../../http/exchange.ts'
import { consentFor } from '../../subjects/consents.ts'
import {
  exampleOf,
  harmlessRequest,
  isUuid,
  type ServedOperation,
  servedOperations,
  unknownId,
} from '../operations-by-need.ts'

const BROKEN_JSON = '{"metadata":'

const withJsonBody = (context: CheckContext) =>
  servedOperations(context).filter(
    ({ body, bodyType, sandboxOnly }) => body !== undefined && bodyType !== 'form' && !sandboxOnly,
  )

export const requiringConsent = (context: CheckContext) =>
  servedOperations(context).filter(({ admits }) => admits === 'consent')

function firstOfEachPath(context: CheckContext): readonly ServedOperation[] {
  return [...Map.groupBy(servedOperations(context), ({ server, path }) => `${server} ${path}`).values()].flatMap(
    ([first]) => first ?? [],
  )
}

/** Status and codes with which a request is rejected that is no JSON. */
function brokenJsonError({ malformed, id }: Operation): readonly [status: number, codes: readonly string[]] {
  if (id === 'initiateCrossBorderPayment') {
    return [422, ['InvalidJsonRequest']]
  }
  return [400, malformed === 'parsing-error' ? ['InvalidJsonRequest'] : ['BadRequest', 'InvalidJsonRequest']]
}

/** One check that calls several operations in the same way, and lists those that answer otherwise. */
export function forEachOperation(
  check: Omit<Check, 'run'>,
  operationsOf: (context: CheckContext) => readonly ServedOperation[],
  problemsOf: (context: CheckContext, operation: ServedOperation) => Promise<readonly string[]>,
): Check {
  return {
    ...check,
    run: async (context) =>
      requireNone(await problemsOfEach(operationsOf(context), (operation) => problemsOf(context, operation))),
  }
}

export const INVALID_CONSENT = [400, 'INVALID_CONSENT'] as const

export const ERROR_CHECKS: readonly Check[] = [
  {
    id: 'errors-unknown-path',
    title: 'An unknown path is a 404',
    rule: 'The body is the envelope with svcRequestId and message, not a page of a server in front.',
    reference: 'Error catalogue: NotFound',
    run: async ({ send, target, call }) => {
      const { request } = await call('listPayments')
      const headers = { authorization: request.headers['authorization'] ?? '' }
      const answer = await send({ method: 'GET', url: `${target.baseUrl}/api/v2/no-such-path`, headers })
      requireStatus(answer, 404)
      requireNone(typeof valueAt(answer.body, '.message') === 'string' ? [] : ['The body of the 404 has no message'])
    },
  },
  forEachOperation(
    {
      id: 'errors-unknown-id',
      title: 'An unknown id is a 404',
      rule: 'Every operation on one resource answers 404 for an id that does not exist; for an account 400 INVALID_ACCOUNT.',
      reference: 'Error catalogue: NotFound, INVALID_ACCOUNT',
    },
    (context) =>
      servedOperations(context).filter(
        (operation) => !operation.sandboxOnly && Object.values(exampleOf(operation).params ?? {}).some(isUuid),
      ),
    async (context, operation) => {
      const consentId = await consentFor(context, operation)
      const answer = await context.call(operation.id, { ...harmlessRequest(operation), consentId })
      const isAccount = exampleOf(operation).params?.['accountId'] !== undefined
      return isAccount
        ? errorProblems(answer, 400, 'INVALID_ACCOUNT')
        : errorProblems(answer, 404, ['NotFound', 'ONBOARDING_NOT_FOUND'])
    },
  ),
  forEachOperation(
    {
      id: 'errors-method',
      title: 'A wrong method is a 405',
      rule: 'The header Allow lists the methods of the path.',
      reference: 'Error catalogue: MethodNotAllowed',
    },
    firstOfEachPath,
    async (context, operation) => {
      const answer = await context.call(operation.id, {
        params: harmlessRequest(operation).params ?? {},
        method: 'PUT',
      })
      const allowed = answer.headers.get('allow') ?? 'no header'
      const methods = servedOperations(context)
        .filter(({ path }) => path === operation.path)
        .map(({ method }) => method)
      return [
        ...statusProblems(answer, 405),
        ...methods
          .filter((method) => !allowed.split(/,\s*/).includes(method))
          .map((method) => `${describeAnswer(answer)}: Allow must list ${method}, and is ${allowed}`),
      ]
    },
  ),
  forEachOperation(
    {
      id: 'errors-media-type',
      title: 'Another media type is a 415',
      rule: 'Bodies are application/json; a body of another type is not parsed.',
      reference: 'Error catalogue: UnsupportedMediaType',
    },
    withJsonBody,
    async (context, operation) => {
      const headers = { 'content-type': 'text/plain' }
      return statusProblems(await context.call(operation.id, { ...harmlessRequest(operation), headers }), 415)
    },
  ),
  forEachOperation(
    {
      id: 'errors-json',
      title: 'Broken JSON is reported as such',
      rule: 'The response is 400; cross-border payments answer 422, they and the exchange with InvalidJsonRequest.',
      reference: 'Error catalogue: InvalidJsonRequest',
    },
    withJsonBody,
    async (context, operation) => {
      const { params = {} } = harmlessRequest(operation)
      const consentId = operation.admits === 'consent' ? unknownId() : undefined
      const answer = await context.call(operation.id, { params, text: BROKEN_JSON, consentId })
      return errorProblems(answer, ...brokenJsonError(operation))
    },
  ),
  forEachOperation(
    {
      id: 'errors-consent-missing',
      title: 'A missing consent-id is INVALID_CONSENT',
      rule: 'Operations that act for a user answer 400 INVALID_CONSENT without the header consent-id.',
      reference: 'Guide: consents',
    },
    requiringConsent,
    async (context, operation) =>
      errorProblems(await context.call(operation.id, harmlessRequest(operation)), ...INVALID_CONSENT),
  ),
]
