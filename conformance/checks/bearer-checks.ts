/** Checks that every operation requires a valid access token, and says why it rejects one. */
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { problemsOfEach, require, requireNone, requireStatus, statusProblems, valueAt } from '../expectations.ts'
import { type Answer, describeAnswer } from '../http/exchange.ts'
import { tokenOf, tokenRequest } from '../subjects/tokens.ts'
import { formsInTurn, harmlessRequest, servedOperations } from './operations-by-need.ts'

const protectedOperations = (context: CheckContext) =>
  servedOperations(context).filter(({ admits }) => admits !== 'anyone')

const challengeProblems = (answer: Answer, pattern: RegExp, expected: string): readonly string[] => {
  const challenge = answer.headers.get('www-authenticate') ?? 'no header'
  return [
    ...statusProblems(answer, 401),
    ...(pattern.test(challenge)
      ? []
      : [`${describeAnswer(answer)}: WWW-Authenticate must be Bearer ${expected}, not ${challenge}`]),
  ]
}

const invalidTokenProblems = (answer: Answer) =>
  challengeProblems(answer, /^Bearer\b.*error="invalid_token"/i, 'with error="invalid_token"')

const missingTokenProblems = (answer: Answer) => challengeProblems(answer, /^Bearer\b(?!.*error=)/i, 'without an error')

/** Calls every operation that requires a token with each of these headers. */
async function requireRejected(
  context: CheckContext,
  headers: readonly (string | null)[],
  problemsOf: (answer: Answer) => readonly string[],
): Promise<void> {
  const calls = protectedOperations(context).flatMap((operation) =>
    formsInTurn(context, headers).map((authorization) => ({
      operation,
      request: { ...harmlessRequest(operation), headers: { authorization } },
    })),
  )
  requireNone(
    await problemsOfEach(calls, async ({ operation, request }) =>
      problemsOf(await context.call(operation.id, request)),
    ),
  )
}

const freshToken = async (context: CheckContext) =>
  tokenOf(await context.call('issueToken', { body: tokenRequest(context.target, context.target.credentials) })) ?? ''

const withToken = (context: CheckContext, token: string) =>
  context.call('listPayments', { headers: { authorization: `Bearer ${token}` } })

export const BEARER_CHECKS: readonly Check[] = documentedIn('RFC 6750, section 3', [
  {
    id: 'authentication-bearer-missing',
    title: 'Every operation requires a token',
    rule: 'Without a token, or with another scheme, the response is 401, and WWW-Authenticate is Bearer without an error.',
    run: (context) => requireRejected(context, [null, '', 'Basic ZGVtbzpkZW1v'], missingTokenProblems),
  },
  {
    id: 'authentication-bearer-malformed',
    title: 'What is no token is rejected by every operation',
    rule: 'The response is 401, and WWW-Authenticate has error="invalid_token".',
    run: (context) =>
      requireRejected(context, ['Bearer not-a-token', 'Bearer a.b.c, Bearer d.e.f'], invalidTokenProblems),
  },
  {
    id: 'authentication-bearer-changed',
    title: 'A token whose content was changed is rejected',
    rule: 'The signature covers the claims: a token with other claims, or without a signature, is invalid.',
    run: async (context) => {
      const [head = '', payload = '', signature = ''] = (await freshToken(context)).split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}')
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const changed = encode({ ...claims, sub: 'another-client' })
      const unsigned = encode({ alg: 'none', typ: 'JWT' })
      const tokens = [`${head}.${changed}.${signature}`, `${unsigned}.${payload}.`, `${head}.${payload}.`]
      requireNone(await problemsOfEach(tokens, async (token) => invalidTokenProblems(await withToken(context, token))))
    },
  },
  {
    id: 'authentication-bearer-query',
    title: 'A token in the query is not accepted',
    rule: 'Tokens are sent in the header Authorization only: URLs end up in logs.',
    reference: 'RFC 6750, section 2.3',
    run: async (context) => {
      const token = await freshToken(context)
      const url = `${context.target.baseUrl}/api/v2/payments?access_token=${token}`
      requireStatus(await context.send({ method: 'GET', url }), 401)
    },
  },
  {
    id: 'authentication-bearer-first',
    title: 'The token is checked before the rest of the request',
    rule: 'A request with an invalid token, no consent and an invalid body is answered with 401.',
    reference: 'Guide: authentication',
    run: async (context) => {
      const headers = { authorization: 'Bearer not-a-token', 'psu-ip-address': null }
      const answer = await context.call('initiateDomesticPayment', { body: {}, headers })
      requireStatus(answer, 401)
    },
  },
  {
    id: 'authentication-bearer-body',
    title: 'A 401 says why in its body',
    rule: 'The body is the envelope with svcRequestId and message, and the error invalid_token of RFC 6750.',
    reference: 'Guide: authentication',
    run: async (context) => {
      const { body } = await withToken(context, 'not-a-token')
      require(typeof valueAt(body, '.message') === 'string', 'The body of a 401 has no message')
      require(typeof valueAt(body, '.svcRequestId') === 'string', 'The body of a 401 has no svcRequestId')
      require(valueAt(body, '.error') === 'invalid_token', `error is ${String(valueAt(body, '.error'))}`)
    },
  },
])
