/** Declares the operations on the request log: the partner's own requests with their responses, masked. */
import { type Static, Type } from 'typebox'
import { operation } from './operation.ts'
import { LOGGED_STATUS_CLASSES, REQUESTS_PER_PAGE } from './request-log-limits.ts'
import { instant, instantParameter, orNull, text, textOrNull, uuid } from './shapes.ts'

export const LoggedMethod = Type.Enum(['GET', 'POST', 'PATCH', 'DELETE'], { description: 'The HTTP method.' })

export const REQUEST_SUBJECTS = [
  'payment',
  'payroll',
  'consent',
  'approval',
  'cancellation',
  'onboarding',
  'subscription',
] as const

const RequestSubject = Type.Object(
  {
    type: Type.Enum([...REQUEST_SUBJECTS], { description: 'What it is.' }),
    id: uuid('Its id.'),
  },
  { title: 'RequestSubject', description: 'What a request created, or requested by its id.' },
)

const RequestWarning = Type.Object(
  {
    code: Type.Enum(['UnknownField'], { description: 'What it warns of.' }),
    in: Type.Enum(['body', 'query'], { description: 'Where the field is.' }),
    path: text('The field; in a list, its first occurrence.'),
    nearest: textOrNull('The known field with the most similar name; null if there is none.'),
  },
  { title: 'RequestWarning', description: 'A field that was ignored, as in the header `Havn-Warnings`.' },
)

const listed = {
  svcRequestId: uuid('The `svc-request-id` of the response.'),
  receivedAt: instant('When the request was received, in wall time.'),
  method: LoggedMethod,
  path: text('The path with its query; tokens are masked.'),
  status: Type.Integer({ description: 'The HTTP status of the response.' }),
  milliseconds: Type.Number({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  clientId: text('The credentials that sent it.'),
  errorCodes: Type.Array(Type.String(), { description: 'Codes of what was rejected; empty without errors.' }),
  warnings: Type.Array(RequestWarning, { description: 'Fields that the operation does not know; empty without any.' }),
  subject: orNull(RequestSubject, 'What the request created or requested; null where it is none of these.'),
  idempotencyKey: textOrNull('The `Idempotency-Key`; null without one.'),
}

export const LoggedRequestSummary = Type.Object(listed, {
  title: 'LoggedRequestSummary',
  description: 'A request without its bodies.',
})
export type LoggedRequestSummary = Static<typeof LoggedRequestSummary>

const maskedBody = (what: string) =>
  textOrNull(
    `The ${what} as JSON text, masked, its first 8 000 characters; null if there was none. Secrets, tokens and ` +
      'national ids are masked, and of payrolls and entries everything but the structure.',
  )

export const LoggedRequestDetails = Type.Object(
  {
    ...listed,
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'The headers that say how the request was meant, by lower-case name.',
    }),
    requestBody: maskedBody('body of the request'),
    responseBody: maskedBody('body of the response'),
  },
  { title: 'LoggedRequestDetails', description: 'A request with its response.' },
)

const tag = 'Request log'
const path = '/api/requests'
const reading = {
  method: 'GET',
  tag,
  admits: 'partner',
  malformed: 400,
} as const

export const listRequests = operation({
  ...reading,
  id: 'listRequests',
  path,
  summary: 'List requests',
  description:
    'The requests of the partner of the last 30 days, newest first; a large log loses its oldest ones before. Those of ' +
    'payrolls are listed if the credentials may order payrolls. A request appears within a second of its response. ' +
    'Reading the log, and operations of the sandbox, are not logged. A page may have fewer requests than `limit`, or ' +
    'none, although `nextCursor` is there: a rare filter is searched in steps.',
  query: Type.Object({
    method: Type.Optional(LoggedMethod),
    status: Type.Optional(
      Type.Enum([...LOGGED_STATUS_CLASSES], { description: 'Requests with these statuses; errors are 4xx and 5xx.' }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: '^/[!-~]{0,500}$',
        form: 'must begin with a slash, for example /api/v2/payments',
        description: 'Requests whose path begins with it.',
      }),
    ),
    errorCode: Type.Optional(
      Type.String({
        pattern: '^\\w{1,100}$',
        form: 'must be one code, for example InvalidAmount',
        description: 'Requests that were rejected with this code.',
      }),
    ),
    from: Type.Optional(instantParameter('Requests received at this time or later.')),
    before: Type.Optional(instantParameter('Requests received before this time.')),
    cursor: Type.Optional(uuid('`nextCursor` of the previous page.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: REQUESTS_PER_PAGE.max,
        default: REQUESTS_PER_PAGE.default,
        description: 'The page size.',
      }),
    ),
  }),
  answer: {
    status: 200,
    schema: Type.Object(
      {
        requests: Type.Array(LoggedRequestSummary, { description: 'A page of requests, newest first.' }),
        nextCursor: textOrNull('The cursor of the next page; null at the end of the log.'),
      },
      { title: 'RequestPage', description: 'A page of the request log.' },
    ),
  },
  errorStatuses: [400, 401, 403, 429, 500, 503],
})

export const getRequest = operation({
  ...reading,
  id: 'getRequest',
  path: `${path}/{svcRequestId}`,
  summary: 'Get a request',
  description: 'A request of the partner with its response, by the `svc-request-id` of the response.',
  params: Type.Object({ svcRequestId: uuid('The `svc-request-id`.') }),
  answer: { status: 200, schema: LoggedRequestDetails },
  errorStatuses: [401, 403, 404, 429, 500, 503],
})
