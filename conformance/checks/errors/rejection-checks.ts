/** Checks that operations reject a request by its headers and its size, in one order, and name what is wrong. */
import type { Check, CheckContext } from '../../check.ts'
import { errorProblems, problemsOfEach, statusProblems, valueAt } from '../../expectations.ts'
import { type Answer, describeAnswer } from '../../http/exchange.ts'
import { acceptedConsent, consentFor } from '../../subjects/consents.ts'
import { otherToken } from '../../subjects/tokens.ts'
import {
  formsInTurn,
  harmlessRequest,
  type ServedOperation,
  servedOperations,
  unknownId,
} from '../operations-by-need.ts'
import { forEachOperation, INVALID_CONSENT, requiringConsent } from './error-checks.ts'

const BODY_BYTES_MAX = 256 * 1024
const KEY_CHARACTERS_MAX = 255
const INVALID_KEYS = ['k'.repeat(KEY_CHARACTERS_MAX + 1), 'n\u00f8kkel'] as const
const ADDRESSES_REJECTED = ['localhost', '192.0.2.1, 192.0.2.2', '192.0.2.1:443', 'fe80::1%eth0'] as const
const MISSING_REJECTED = [
  ['PSU-IP-Address', { 'psu-ip-address': null }],
  ['PSU-IP-Address', { 'psu-ip-address': null, 'psu-user-agent': null }],
  ['PSU-User-Agent', { 'psu-user-agent': null }],
  ['PSU-User-Agent', { 'psu-user-agent': ' ' }],
] as const

const withJson = (context: CheckContext) =>
  servedOperations(context).filter(({ body, bodyType }) => body !== undefined && bodyType !== 'form')

/** The problems of a response whose text should name something, such as a header. */
function namingProblems(answer: Answer, status: number, name: string): readonly string[] {
  const isNamed = answer.text.toLowerCase().includes(name.toLowerCase())
  return [
    ...statusProblems(answer, status),
    ...(isNamed ? [] : [`${describeAnswer(answer)}: the message does not name ${name}`]),
  ]
}

const withoutRequestId = (answer: Answer) => answer.text.replaceAll(answer.headers.get('svc-request-id') ?? /^(?!)/, '')

export const REJECTION_CHECKS: readonly Check[] = [
  forEachOperation(
    {
      id: 'errors-consent-unknown',
      title: 'An unknown or malformed consent-id is INVALID_CONSENT',
      rule: 'The response is 400 INVALID_CONSENT, before the body is validated.',
      reference: 'Guide: consents',
    },
    requiringConsent,
    async (context, operation) => {
      const invalid = [unknownId(), 'no-uuid', `${unknownId()}, ${unknownId()}`]
      return await problemsOfEach(formsInTurn(context, invalid), async (consentId) => {
        const answer = await context.call(operation.id, { ...harmlessRequest(operation), consentId })
        return errorProblems(answer, ...INVALID_CONSENT)
      })
    },
  ),
  forEachOperation(
    {
      id: 'errors-consent-of-another-partner',
      title: 'No operation tells a consent of another partner from an unknown one',
      rule: 'The responses are the same but for the request id.',
      reference: 'Error catalogue: INVALID_CONSENT',
    },
    requiringConsent,
    async (context, operation) => {
      const request = {
        ...harmlessRequest(operation),
        headers: { authorization: `Bearer ${await otherToken(context)}` },
      }
      const consentId = await acceptedConsent(context)
      const theirs = await context.call(operation.id, { ...request, consentId })
      const unknown = await context.call(operation.id, { ...request, consentId: unknownId() })
      return withoutRequestId(theirs) === withoutRequestId(unknown) && theirs.status === unknown.status
        ? []
        : [`${describeAnswer(theirs)} with ${theirs.text}, and for an unknown consent ${unknown.text}`]
    },
  ),
  forEachOperation(
    {
      id: 'errors-psu-headers',
      title: 'Missing or invalid PSU headers are named',
      rule: 'PSU-IP-Address must be one IP address where the operation takes it, and both it and PSU-User-Agent present where it requires them; the message of the 400 names the header.',
      reference: 'Guide: authentication',
    },
    (context) => servedOperations(context).filter(({ psu }) => psu !== 'none'),
    async (context, operation) => {
      const consentId = await consentFor(context, operation)
      const rows = [
        ...ADDRESSES_REJECTED.map((value) => ['PSU-IP-Address', { 'psu-ip-address': value }] as const),
        ...(operation.psu === 'required' ? MISSING_REJECTED : []),
      ]
      return await problemsOfEach(formsInTurn(context, rows), async ([header, headers]) => {
        const answer = await context.call(operation.id, { ...harmlessRequest(operation), consentId, headers })
        const failure = valueAt(answer.body, '.failure')
        return [
          ...namingProblems(answer, 400, header),
          ...(failure === undefined ? [] : [`${describeAnswer(answer)} with the failure ${String(failure)}`]),
        ]
      })
    },
  ),
  forEachOperation(
    {
      id: 'errors-idempotency-key',
      title: 'An invalid Idempotency-Key is named',
      rule: 'A key of more than 255 characters, or with others than ASCII, is a 400.',
      reference: 'Guide: safe retries',
    },
    (context) => servedOperations(context).filter(({ idempotent }) => idempotent),
    async (context, operation) => {
      const consentId = await consentFor(context, operation)
      return await problemsOfEach(formsInTurn(context, INVALID_KEYS), async (key) => {
        const request = { ...harmlessRequest(operation), consentId, headers: { 'idempotency-key': key } }
        return namingProblems(await context.call(operation.id, request), 400, 'Idempotency-Key')
      })
    },
  ),
  forEachOperation(
    {
      id: 'errors-order',
      title: 'What is wrong with a request is reported in one order',
      rule: 'First the media type, then JSON, the token, the headers, the consent, and last the body.',
      reference: 'Error catalogue',
    },
    withJson,
    orderProblems,
  ),
  forEachOperation(
    {
      id: 'errors-size',
      title: 'A body that is too large is a 413',
      rule: 'Bodies may have 256 kB, those of payrolls 10 MB; the size is checked before the token.',
      reference: 'Error catalogue: ContentTooLarge',
    },
    // A server that rejects a body of megabytes by its length ends the connection while it is sent, which no client survives.
    (context) => withJson(context).filter(({ bodyBytesMax }) => bodyBytesMax === undefined),
    async (context, operation) => {
      const body = { x: 'x'.repeat(BODY_BYTES_MAX) }
      const { params = {} } = harmlessRequest(operation)
      return statusProblems(await context.call(operation.id, { params, body, headers: { authorization: null } }), 413)
    },
  ),
]

/** Each request mends one thing more than the one before it. */
async function orderProblems(context: CheckContext, operation: ServedOperation): Promise<readonly string[]> {
  const { id, validation, malformed, admits, psu, idempotent, body: shape } = operation
  const { params = {} } = harmlessRequest(operation)
  const key = { 'idempotency-key': INVALID_KEYS[0] }
  const spoilt = { authorization: null, ...(psu === 'none' ? {} : { 'psu-user-agent': null }), ...key }
  const call = (text: string, headers: Readonly<Record<string, string | null>>, consentId?: string) =>
    context.call(id, { params, text, headers, consentId })
  const mediaTypes = ['application/x-www-form-urlencoded', 'text/xml']
  const noJson = validation.includes('InvalidJsonRequest') ? 422 : 400
  // Where nothing is required of an object, it must at least be one.
  const wrong = shape !== undefined && 'required' in shape ? '{}' : '[]'
  const status = malformed === 'parsing-error' ? 400 : (malformed ?? 422)
  const steps: readonly (() => Promise<readonly string[]>)[] = [
    ...mediaTypes.map(
      (type) => async () => statusProblems(await call('a=b', { ...spoilt, 'content-type': type }), 415),
    ),
    async () => namingProblems(await call('{', spoilt), noJson, 'not valid JSON'),
    async () => statusProblems(await call('{}', spoilt), 401),
    ...(psu === 'required'
      ? [async () => namingProblems(await call('{}', { 'psu-user-agent': null, ...key }), 400, 'PSU-User-Agent')]
      : []),
    ...(idempotent ? [async () => namingProblems(await call('{}', key), 400, 'Idempotency-Key')] : []),
    ...(admits === 'consent' ? [async () => errorProblems(await call('{}', {}), ...INVALID_CONSENT)] : []),
    async () => statusProblems(await call(wrong, {}, await consentFor(context, operation)), status),
  ]
  return await problemsOfEach(formsInTurn(context, steps), (step) => step())
}
