/** Tests the validation of responses: what it finds in responses that break the contract. */
import { describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { checkResponse } from './check-response.ts'

const detailOf = (code: string, message: string, path = '.') => ({
  code,
  path,
  message,
  docs: `https://api.example/docs/errors#${code}`,
})
/** An error as the gateway renders it. */
const envelope = (code: string, message: string) => ({
  svcRequestId: newId(),
  message,
  code,
  errors: [detailOf(code, message)],
})

const validated = (method: string, path: string, status: number, body: unknown, own: Record<string, string> = {}) => {
  const [first = body] = [body].flat()
  const link = `<https://api.example/docs/errors#${Object(first).code}>; rel="help"`
  const detailed = { 'preference-applied': 'errors=detailed', vary: 'prefer', link }
  const headers = new Headers({
    'content-type': 'application/json',
    'svc-request-id': newId(),
    ...(status < 400 ? {} : detailed),
    ...own,
  })
  return checkResponse({ method, path, status, headers, text: JSON.stringify(body) })
}

describe('a timestamp', () => {
  const clock = (now: string) => validated('GET', '/api/sandbox/clock', 200, { now, real: now, offsetSeconds: 0 })

  test('has three decimals and is in UTC', () => {
    expect(clock('2026-11-23T10:00:00.000Z')).toEqual([])
    const wrong = ['2026-11-23T10:00:00Z', '2026-11-23T10:00:00.123456Z', '2026-11-23T11:00:00.000+01:00']
    for (const text of wrong) {
      expect(clock(text), text).toEqual(
        ['.now', '.real'].map((field) => expect.stringContaining(`${field} must match format "date-time"`)),
      )
    }
  })
})

test('a 503 names an order exactly where the bank was called and its answer is unknown', () => {
  const id = newId()
  const message = `The bank was called and its response is unknown: follow payment ${id}`
  const elsewhere = `The bank cannot be reached at present; nothing was done about ${id}. Try again later`
  const [payment, payroll] = [`/api/v2/payments/${id}`, `/api/v2/payroll/${id}/status`]
  const answer = (text: string, order: object, location?: string) => {
    const body = { ...envelope('OutcomeUnknown', text), ...order }
    return validated('POST', '/api/v2/payments', 503, body, location === undefined ? {} : { location })
  }
  expect([...answer(message, { paymentId: id }, payment), ...answer(message, { payrollId: id }, payroll)]).toEqual([])
  expect(answer(elsewhere, {})).toEqual([])
  const wrong = [
    answer(message, {}),
    answer(elsewhere, { paymentId: id }, payment),
    answer(elsewhere, { payrollId: id }, payroll),
  ]
  for (const found of wrong) {
    expect(found).toEqual([expect.stringContaining('names an order exactly where')])
  }
  expect(answer(message, { paymentId: id }, payroll)).toEqual([expect.stringContaining('not that of the order')])
  expect(answer(message, { paymentId: id }, '/docs')).toEqual(
    expect.arrayContaining([expect.stringContaining('is no order')]),
  )
  expect(answer(message.replace(id, 'x'), { paymentId: id }, payment)).toEqual([
    expect.stringContaining('does not name the order'),
  ])
})

describe('a message', () => {
  const INVALID = { code: 'InvalidRequest', path: '.amount.amount' }
  const reason = (text: string, path = INVALID.path) =>
    validated('POST', '/api/v2/payments', 422, [{ ...detailOf(INVALID.code, text, path), reason: text }])
  const message = (text: string) => validated('POST', '/api/webhooks/subscription', 400, envelope('BadRequest', text))

  test('in plain words is accepted, whether it starts with a field or with its own subject', () => {
    expect(reason('amount must be above zero')).toEqual([])
    expect(reason('payments[3] is not at the bank of the consent')).toEqual([expect.stringContaining('no subject')])
    expect(reason('The message has 200 characters; Fjordbanken accepts at most 140')).toEqual([])
    expect(reason('100 JPY is more than the account holds')).toEqual([])
    expect(message('targetUrl cannot be used: it is not https; eventTypes[0] must be one of PAYMENT_STATUS')).toEqual(
      [],
    )
    expect(message('This path does not exist; /openapi.json lists all operations')).toEqual([])
  })

  test.each([
    'must NOT have additional properties',
    'body/amount must match pattern "^(0|[1-9][0-9]*)$"',
    'amount must match pattern "^[0-9]+$"',
    'amount must match format "date"',
    'amount must be string',
    'amount must be equal to one of the allowed values',
    "amount must have required property 'currency'",
    'amount must match exactly one schema in oneOf',
    'amount must have at most maxLength characters',
    'amount does not fit: The amount of money.',
    'amount must be undefined',
    '/amount is required',
    '.amount.amount is required',
    'Unexpected token } in JSON at position 7',
  ])('that is raw output of a validator is rejected: %s', (text) => {
    expect(reason(text)).toEqual(expect.arrayContaining([expect.stringContaining('raw output of a validator')]))
    expect(message(text)).toEqual(expect.arrayContaining([expect.stringContaining('raw output of a validator')]))
  })

  test.each(['must be above zero', 'Must be above zero', 'is required', 'has 200 characters', 'another receiver'])(
    'without a subject is rejected: %s',
    (text) => {
      expect(reason(text)).toEqual([expect.stringContaining('has no subject')])
      expect(message(text)).toEqual([expect.stringContaining('has no subject')])
    },
  )

  test('has a field as subject also where the id in the path is empty', () => {
    const reason = 'effect must be one of down, slow'
    const error = { ...detailOf('InvalidRequest', reason, '.effect'), reason }
    expect(validated('POST', '/api/sandbox/banks//faults', 422, [error])).toEqual([])
  })

  test('is validated in every kind of error, and in warnings', () => {
    const text = 'is no day'
    const found = [expect.stringContaining('has no subject')]
    expect(
      validated('POST', '/api/fx/payments', 400, {
        ...envelope('MissingField', text),
        reason: text,
        path: '.dueDate',
      }),
    ).toEqual(found)
    const oauth = { error: 'invalid_scope', error_description: text, error_uri: detailOf('invalid_scope', text).docs }
    expect(validated('POST', '/v2/connect/token', 400, { ...oauth, ...envelope('invalid_scope', text) })).toEqual(found)
    expect(validated('GET', '/nothing', 404, envelope('NotFound', text))).toEqual(found)
    const warned = {
      valid: true,
      endToEndId: 'A',
      warnings: [{ code: 'InsufficientFunds', reason: text, path: '.amount' }],
    }
    expect(validated('POST', '/api/fx/payments/validate', 200, warned)).toEqual(expect.arrayContaining(found))
    const plain = {
      method: 'POST',
      path: '/api/fx/payments',
      status: 403,
      headers: new Headers({
        'svc-request-id': newId(),
        'content-type': 'text/plain',
        link: '<https://api.example/docs/errors#Forbidden>; rel="help"',
      }),
    }
    expect(checkResponse({ ...plain, text })).toEqual(found)
  })

  test('contains no path that starts without a dot, and no timestamp without three decimals', () => {
    expect(reason('amount is required', '/amount')).toEqual([expect.stringContaining('begin with a dot')])
    expect(message('The consent is EXPIRED since 2026-11-23T10:00:00Z')).toEqual([expect.stringContaining('decimals')])
  })
})

test('an error has the shape of all errors, with codes of the catalogue that belong to its status', () => {
  const sound = envelope('BadRequest', 'The header consent-id is missing')
  const answer = (body: object) => validated('POST', '/api/webhooks/subscription', 400, { ...sound, ...body })
  expect(answer({})).toEqual([])
  const [detail] = sound.errors
  const wrong: readonly [object, string][] = [
    [{ code: 'NotFound' }, 'the catalogue has no NotFound with 400'],
    [{ errors: [] }, 'it lists no errors'],
    [{ errors: [{ ...detail, docs: 'https://api.example/docs/errors#NotFound' }] }, 'does not name its entry'],
    [{ errors: [{ ...detail, path: undefined }] }, 'has no path'],
    [{ errors: [{ ...detail, message: '' }] }, 'has no message'],
    [{ svcRequestId: undefined }, 'it has no svcRequestId'],
  ]
  for (const [body, fault] of wrong) {
    expect(answer(body)).toEqual(expect.arrayContaining([expect.stringContaining(fault)]))
  }
})

test('an error without details has exactly the documented fields', () => {
  const id = newId()
  const plain = { svcRequestId: id, message: 'The consent is unknown' }
  const validationError = { code: 'InvalidAmount', reason: 'amount must be above zero', path: '.amount' }
  const linked = (code: string) => ({
    'preference-applied': '',
    link: `<https://api.example/docs/errors#${code}>; rel="help"`,
  })
  const answers = (more: object) => [
    validated('POST', '/api/v2/payments', 404, { ...plain, ...more }, linked('NotFound')),
    validated(
      'POST',
      '/api/v2/payments',
      400,
      { failure: 'ACCESS_DENIED', ...plain, ...more },
      linked('ACCESS_DENIED'),
    ),
    validated('POST', '/api/v2/payments', 422, [{ ...validationError, ...more }], linked('InvalidAmount')),
    validated(
      'POST',
      '/api/fx/payments',
      400,
      { ...validationError, code: 'MissingField', ...more },
      linked('MissingField'),
    ),
    validated(
      'POST',
      '/v2/connect/token',
      400,
      { error: 'invalid_scope', error_description: 'Another scope', ...more },
      linked('invalid_scope'),
    ),
  ]
  expect(answers({}).flat()).toEqual([])
  for (const found of answers({ value: '1' })) {
    expect(found).toEqual([expect.stringContaining('it has the fields')])
  }
  const unlinked = validated('POST', '/api/v2/payments', 404, plain, { 'preference-applied': '' })
  expect(unlinked).toEqual([expect.stringContaining('the catalogue has no undefined with 404')])
  const cached = validated('POST', '/api/v2/payments', 404, plain, { ...linked('NotFound'), vary: 'accept' })
  expect(cached).toEqual([expect.stringContaining('does not vary by Prefer')])
})
