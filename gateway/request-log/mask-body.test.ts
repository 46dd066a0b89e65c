/** Guarantees that the log shows of a request and its response what the contract entry admits, wherever the rest is. */
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { type Place, partPlace, placeOf } from '../platform/http/validation/place.ts'
import { newId, newToken } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/observability/log.ts'
import { describeExchange } from './request-log.ts'

const CALLER = { partnerId: newId(), clientId: 'demo-partner' }
const id = newId()
const token = newToken()

type Parts = {
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly answer?: { readonly status: number; readonly body?: unknown }
}

function logged(operation: Operation, { body, answer = { status: 200 }, ...parts }: Parts) {
  const url = operation.path.replaceAll(/\{\w+\}/g, id)
  const request = { id: newId(), method: operation.method, url, headers: {}, params: {}, ...parts }
  const exchange = { request, body, caller: CALLER, operation, answer, unknownFields: [], milliseconds: 1 }
  return describeExchange(exchange, CALLER)
}
const bodyOf = (operation: Operation, body: unknown) => JSON.parse(logged(operation, { body }).requestBody ?? 'null')
const answerOf = (operation: Operation, answer: unknown, status: number) =>
  JSON.parse(logged(operation, { answer: { status, body: answer } }).responseBody ?? 'null')

const PAYMENT = {
  from: { name: 'Å "B"', account: { bban: '86011117947' } },
  amount: { amount: '1.00', currency: 'NOK' },
  dueDate: '2026-12-01',
}

describe('a body', () => {
  test.each<[what: string, operation: Operation, body: unknown, shown: unknown]>([
    [
      'a payment is shown',
      operations.initiateDomesticPayment,
      PAYMENT,
      { ...PAYMENT, from: { ...PAYMENT.from, name: expect.anything() } },
    ],
    [
      'unknown fields are masked, and names that may be values',
      operations.initiateDomesticPayment,
      { salary: '31250.50', note: { to: 'Anna' }, '01815012345': 'x', list: [1] },
      { salary: REDACTED, note: REDACTED, '?': REDACTED, list: REDACTED },
    ],
    [
      'a client secret is masked',
      operations.issueToken,
      new URLSearchParams({ client_id: 'a', client_secret: 's', other: 'x' }),
      { client_id: 'a', client_secret: REDACTED, other: REDACTED },
    ],
    [
      'the id of a user at a bank is masked, and the query of a URL',
      operations.createConsent,
      { userId: '01815012345', bic: 'FJORNO22', callbackUrl: `https://a.example/${token}?state=x` },
      { userId: REDACTED, bic: 'FJORNO22', callbackUrl: `https://a.example/${REDACTED}?…` },
    ],
    [
      'the fragment of a URL is masked, and who signs in by it',
      operations.createConsent,
      { callbackUrl: 'https://kari:pass@a.example/back#code=x', userId: 'kari' },
      { callbackUrl: 'https://…@a.example/back#…', userId: REDACTED },
    ],
    [
      'a text in the place of an object is masked, and so is an object in the place of a text',
      operations.createConsent,
      { bic: { a: 'x' }, callbackUrl: ['y'], country: 17 },
      { bic: { a: REDACTED }, callbackUrl: [REDACTED], country: REDACTED },
    ],
    ['of another media type is not stored', operations.createConsent, 'Anna', REDACTED],
  ])('%s', (_what, operation, body, shown) => {
    expect(bodyOf(operation, body)).toEqual(shown)
  })

  test('of a payroll keeps ids, dates, codes and choices, and nothing that a person entered', () => {
    const transaction = {
      metadata: { endToEndId: 'salary-anna' },
      dueDate: 'Anna',
      to: { account: { bban: '86011117947', country: 'NO' }, contactInformation: { name: 'Anna' } },
      amount: { amount: '31250.50', currency: 'NOK' },
      remittanceInformation: { type: 'message', message: 'Salary' },
    }
    const text = logged(operations.initiatePayroll, { body: { transactions: [transaction] } }).requestBody ?? ''
    expect(text).not.toMatch(/Anna|salary|Salary|31250|86011117947/)
    expect(JSON.parse(text).transactions[0]).toMatchObject({ amount: { amount: REDACTED, currency: 'NOK' } })
    const salaries = { transactions: [transaction] }
    const elsewhere = logged(operations.initiateDomesticPayment, { body: salaries })
    expect([elsewhere.isPayroll, JSON.parse(elsewhere.requestBody ?? '')]).toEqual([true, { transactions: REDACTED }])
    expect(logged(operations.initiateDomesticPayment, { body: [salaries] }).isPayroll).toBe(true)
  })

  test('of an error about a payroll says what was rejected, without accounts and quoted values', () => {
    const errors = [
      { code: 'InvalidAccountNumber', path: '.transactions[3].to', reason: '86011117947 is no account', value: 'Anna' },
    ]
    expect(answerOf(operations.initiatePayroll, errors, 422)).toEqual([
      { code: 'InvalidAccountNumber', path: '.transactions[3].to', reason: '… is no account', value: REDACTED },
    ])
  })

  test('shows no token that a long text has where it is cut', () => {
    const callbackUrl = `https://a.example/${'long-way/'.repeat(106)}${token}`
    expect(callbackUrl.length).toBeGreaterThan(1_000)
    expect(bodyOf(operations.createConsent, { callbackUrl }).callbackUrl).not.toContain(token.slice(0, 10))
  })

  test('that is too long is cut, and still JSON', () => {
    const many = { payments: Array.from({ length: 10_000 }, () => id), callbackUrl: 'x' }
    const text = logged(operations.approvePayments, { body: many }).requestBody ?? ''
    expect(text.length).toBeLessThan(9_000)
    expect(JSON.parse(text).payments.at(-1)).toBe('…')
  })
})

test('path, query and headers show what the contract knows, and a request by HEAD is one by GET', () => {
  const { getPayment, listPayments } = operations
  expect(logged(getPayment, { method: 'HEAD' }).method).toBe('GET')
  expect(logged(getPayment, { url: `/api/v2/payments/${id}?userId=kari&client_secret=s&31250=x` }).path).toBe(
    `/api/v2/payments/${id}?userId=${REDACTED}&client_secret=${REDACTED}&31250=${REDACTED}`.replace('31250=', '?='),
  )
  expect(logged(listPayments, { url: `/api/v2/payments?limit=5&limit=Anna&cursor=${token}` }).path).toBe(
    `/api/v2/payments?limit=5&limit=${REDACTED}&cursor=${REDACTED}`,
  )
  const cutWithinCharacter = encodeURIComponent(`${'ab '.repeat(333)}😀`)
  expect(logged(listPayments, { url: `/api/v2/payments?endToEndId=${cutWithinCharacter}` }).path).toContain(
    'endToEndId=ab%20ab',
  )
  const headers = {
    'consent-id': 'kari',
    accept: 'application/json, text/csv; q=0.5',
    'content-type': 'application/json; secret=x',
    'user-agent': 'curl/8.5.0 (kari@laptop)',
    cookie: 'a=b',
    'psu-ip-address': '127.0.0.1',
  }
  expect(logged(getPayment, { headers }).headers).toEqual({
    'consent-id': REDACTED,
    accept: 'application/json, text/csv',
    'content-type': REDACTED,
    'user-agent': 'curl/8.5.0',
    'psu-ip-address': REDACTED,
  })
})

/** Whether the contract calls it a secret: names are compared by the test only, so that no schema is forgotten. */
const SECRET_NAME =
  /secret|password|api_?key|assertion|^(access_|bearer)token$|^bearerToken$|^(user|psu|national)_?id$|^ssn$/i

function hiddenErrors(place: Place, path: string): readonly string[] {
  const own = [...(place.fields ?? [])].flatMap(([name, { isText, isQuotableText, codes, isUuid, isHidden }]) => {
    const isShown = (isText || isQuotableText || codes.length > 0 || isUuid) && !isHidden
    return SECRET_NAME.test(name) && isShown ? [`${path}.${name}`] : []
  })
  const fields = [...(place.fields ?? [])].flatMap(([name, field]) => hiddenErrors(field, `${path}.${name}`))
  return [...own, ...fields, ...(place.elements ? hiddenErrors(place.elements, `${path}[]`) : [])]
}

test('every text of the contract whose name is that of a secret or a personal id is hidden', () => {
  const errors = Object.values<Operation>(operations).flatMap((operation) =>
    [operation.body, operation.answer.schema, operation.query, operation.params].flatMap((schema) =>
      hiddenErrors(placeOf(schema), operation.id),
    ),
  )
  expect(errors.filter((error) => !operationOf(error).sandboxOnly)).toEqual([])
})

const operationOf = (error: string) =>
  Object.values<Operation>(operations).find(({ id: name }) => error.startsWith(`${name}.`)) ?? operations.getPayment

/** A value that no schema describes: it is neither an id, a date nor a code, and has a mark to be found by. */
const MARK = 'Anna\u2603'

/** Puts the mark into every place of a schema where it is hidden, and a field that is not described into every object. */
function filledWith(place: Place, policy: 'all' | 'hidden', depth = 0): unknown {
  const elements = partPlace(place, 0)
  if (policy === 'hidden' && place.isHidden) {
    return depth % 2 === 0 ? MARK : { [`n${depth}`]: [MARK] }
  }
  if (depth < 8 && (place.fields?.size ?? 0) > 0) {
    const fields = [...(place.fields ?? [])].map(([name, field]) => [name, filledWith(field, policy, depth + 1)])
    return Object.fromEntries([...fields, ['notDescribed', MARK], ['list', [{ a: MARK }]], [MARK, 1]])
  }
  if (depth < 8 && elements.isKnown) {
    return [filledWith(elements, policy, depth + 1), MARK].slice(0, policy === 'all' ? 2 : 1)
  }
  return policy === 'all' ? MARK : null
}

const isConfidential = ({ permission, isConfidential: own }: Operation) => permission === 'payroll' || own === true

test('of no operation is anything stored that its entry does not admit, wherever it is', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values<Operation>(operations)),
      fc.constantFrom('notDescribed', 'user_id', 'x'),
      fc.constantFrom(200, 422),
      (operation, name, status) => {
        // All texts of what may be salaries; elsewhere what is hidden or not described.
        const policy = isConfidential(operation) ? 'all' : 'hidden'
        const place = (schema: TSchema | null | undefined) => filledWith(placeOf(schema), policy)
        const query = Object.keys(Object(operation.query).properties ?? {})
        const asked = new URLSearchParams([...(policy === 'all' ? query : []), name].map((each) => [each, MARK]))
        const row = logged(operation, {
          url: `${operation.path.replaceAll(/\{\w+\}/g, policy === 'all' ? encodeURIComponent(MARK) : id)}?${asked}`,
          headers: {
            'consent-id': MARK,
            accept: MARK,
            'content-type': `application/json; ${MARK}`,
            'user-agent': MARK,
            'psu-user-agent': MARK,
            'idempotency-key': policy === 'all' || !operation.idempotent ? MARK : 'key',
            [name]: MARK,
          },
          body: place(operation.body),
          answer: { status, body: status === 200 ? place(operation.answer.schema) : { notDescribed: MARK } },
        })
        const { unknownFields: _, ...stored } = row
        expect(decodeURIComponent(JSON.stringify(stored).replaceAll('%', '%25')), operation.id).not.toContain('Anna')
      },
    ),
    { numRuns: Number(process.env['HAVN_LOGGED_EXCHANGES'] ?? 300) },
  )
})

test('a path keeps its ids, and no token', () => {
  expect(maskTokens(`/api/v2/payments/${id}?cursor=${token}`)).toBe(`/api/v2/payments/${id}?cursor=${REDACTED}`)
})
