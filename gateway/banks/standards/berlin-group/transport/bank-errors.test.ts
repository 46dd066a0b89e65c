/** Shows the error kind of each bank error in both formats, and of missing answers. */
import { anything, assert, constantFrom, integer, json, oneof, property, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomCases } from '../../../../../setup/random-cases.ts'
import { statusOf } from '../../../../platform/http/errors/render-error.ts'
import { BankError, BankUnreachable } from '../../../connector/bank-error.ts'
import { bankErrorToApiError } from '../../../connector/bank-error-classification.ts'
import { bankErrorOf, noAnswerError, unreadableAnswerError } from './bank-errors.ts'
import { isKnownCode, type RequestPurpose } from './error-kinds.ts'

const PURPOSES: readonly RequestPurpose[] = [
  'initiation',
  'cancellation',
  'authorisation',
  'consent',
  'account',
  'status',
]

const EVERY_PURPOSE: readonly RequestPurpose[] = [...PURPOSES, 'confirmation', 'basket', 'entries', 'entry']
const CLIENT_ERRORS = Array.from({ length: 100 }, (_, count) => 400 + count)

const IDENTITY_CODES = [
  ...['CERTIFICATE_INVALID', 'CERTIFICATE_EXPIRED', 'CERTIFICATE_BLOCKED', 'CERTIFICATE_REVOKE', 'CERTIFICATE_REVOKED'],
  ...['CERTIFICATE_MISSING', 'ROLE_INVALID', 'SIGNATURE_INVALID', 'SIGNATURE_MISSING'],
]

/** All of NextGenPSD2 1.3.11: its text and its OpenAPI file, every service. */
const CODES_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  400: [
    ...['FORMAT_ERROR', 'PARAMETER_NOT_CONSISTENT', 'PARAMETER_NOT_SUPPORTED', 'SERVICE_INVALID', 'RESOURCE_UNKNOWN'],
    ...['RESOURCE_EXPIRED', 'RESOURCE_BLOCKED', 'TIMESTAMP_INVALID', 'PERIOD_INVALID', 'SCA_METHOD_UNKNOWN'],
    ...['SCA_INVALID', 'CONSENT_UNKNOWN', 'PAYMENT_FAILED', 'EXECUTION_DATE_INVALID', 'SESSIONS_NOT_SUPPORTED'],
    ...['REFERENCE_MIX_INVALID', 'CARD_INVALID', 'NO_PIIS_ACTIVATION'],
  ],
  401: [
    ...[...IDENTITY_CODES, 'CORPORATE_ID_INVALID', 'PSU_CREDENTIALS_INVALID', 'CONSENT_INVALID', 'CONSENT_EXPIRED'],
    ...['TOKEN_UNKNOWN', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'KID_MISSING', 'REQUIRED_KID_MISSING'],
  ],
  403: ['CONSENT_UNKNOWN', 'SERVICE_BLOCKED', 'RESOURCE_UNKNOWN', 'RESOURCE_EXPIRED', 'PRODUCT_INVALID'],
  404: ['RESOURCE_UNKNOWN', 'PRODUCT_UNKNOWN'],
  405: ['SERVICE_INVALID', 'CANCELLATION_INVALID'],
  406: ['REQUESTED_FORMATS_INVALID'],
  409: ['STATUS_INVALID', 'REFERENCE_STATUS_INVALID'],
  429: ['ACCESS_EXCEEDED'],
}

describe('error codes', () => {
  test.each<[RequestPurpose, number, string, string]>([
    ['initiation', 401, 'CONSENT_INVALID', 'consent-invalid'],
    ['initiation', 400, 'CONSENT_UNKNOWN', 'consent-invalid'],
    ['account', 401, 'CONSENT_EXPIRED', 'consent-invalid'],
    ['account', 401, 'TOKEN_EXPIRED', 'token-invalid'],
    ['initiation', 401, 'TOKEN_UNKNOWN', 'token-invalid'],
    ['consent', 401, 'TOKEN_INVALID', 'token-invalid'],
    ['basket', 400, 'REFERENCE_MIX_INVALID', 'basket-rejected'],
    ['basket', 409, 'REFERENCE_STATUS_INVALID', 'basket-rejected'],
    ['basket', 409, 'STATUS_INVALID', 'basket-rejected'],
    ['basket', 400, 'FORMAT_ERROR', 'basket-rejected'],
    ['basket', 405, 'SERVICE_INVALID', 'unsupported-product'],
    ['basket', 400, 'RESOURCE_UNKNOWN', 'unknown-resource'],
    ['consent', 401, 'PSU_CREDENTIALS_INVALID', 'consent-invalid'],
    ['consent', 403, 'CONSENT_UNKNOWN', 'consent-invalid'],
    ['consent', 404, 'RESOURCE_UNKNOWN', 'consent-invalid'],
    ['authorisation', 409, 'STATUS_INVALID', 'authentication-busy'],
    ['initiation', 404, 'PRODUCT_UNKNOWN', 'unsupported-product'],
    ['initiation', 403, 'PRODUCT_INVALID', 'unsupported-product'],
    ['initiation', 405, 'SERVICE_INVALID', 'unsupported-product'],
    ['initiation', 400, 'PARAMETER_NOT_SUPPORTED', 'unsupported-product'],
    ['initiation', 401, 'KID_MISSING', 'ocr-rejected'],
    ['initiation', 400, 'REQUIRED_KID_MISSING', 'ocr-rejected'],
    ['initiation', 403, 'SERVICE_BLOCKED', 'access-denied'],
    ['consent', 401, 'CORPORATE_ID_INVALID', 'access-denied'],
    ['initiation', 403, 'RESOURCE_UNKNOWN', 'access-denied'],
    ['initiation', 400, 'RESOURCE_UNKNOWN', 'account-unknown'],
    ['account', 404, 'RESOURCE_UNKNOWN', 'account-unknown'],
    ['status', 404, 'RESOURCE_UNKNOWN', 'unknown-resource'],
    ['status', 403, 'RESOURCE_EXPIRED', 'expired-resource'],
    ['account', 403, 'RESOURCE_EXPIRED', 'account-unknown'],
    ['cancellation', 403, 'RESOURCE_EXPIRED', 'expired-resource'],
    ['initiation', 400, 'EXECUTION_DATE_INVALID', 'due-date-rejected'],
    ['initiation', 400, 'PAYMENT_FAILED', 'order-rejected'],
    ['initiation', 400, 'FORMAT_ERROR', 'order-rejected'],
    ['status', 400, 'FORMAT_ERROR', 'request-rejected'],
    ['account', 400, 'FORMAT_ERROR', 'request-rejected'],
    ['entry', 400, 'FORMAT_ERROR', 'unknown-resource'],
    ['entry', 403, 'RESOURCE_UNKNOWN', 'unknown-resource'],
    ['entry', 400, 'RESOURCE_UNKNOWN', 'unknown-resource'],
    ['entries', 400, 'PERIOD_INVALID', 'period-rejected'],
    ['account', 400, 'PERIOD_INVALID', 'request-rejected'],
    ['entries', 404, 'RESOURCE_UNKNOWN', 'account-unknown'],
    ['entries', 406, 'REQUESTED_FORMATS_INVALID', 'request-rejected'],
    // What says nothing about the order must not be submitted again.
    ...([402, 406, 416] as const).flatMap((status) =>
      (['initiation', 'cancellation', 'basket'] as const).map((purpose): [RequestPurpose, number, string, string] => [
        purpose,
        status,
        'OWN_CODE',
        'outcome-unknown',
      ]),
    ),
    ['initiation', 406, 'REQUESTED_FORMATS_INVALID', 'request-rejected'],
    ['authorisation', 400, 'SCA_METHOD_UNKNOWN', 'unsupported'],
    ['authorisation', 400, 'SCA_INVALID', 'access-denied'],
    ['consent', 400, 'SESSIONS_NOT_SUPPORTED', 'unsupported-product'],
    ['cancellation', 405, 'CANCELLATION_INVALID', 'cancellation-rejected'],
    ['cancellation', 405, 'SERVICE_INVALID', 'cancellation-rejected'],
    ['cancellation', 409, 'STATUS_INVALID', 'cancellation-rejected'],
    ['cancellation', 400, 'RESOURCE_BLOCKED', 'cancellation-rejected'],
    ['account', 429, 'ACCESS_EXCEEDED', 'too-many-reads'],
    ['status', 429, 'ACCESS_EXCEEDED', 'unavailable'],
    ['initiation', 429, 'ACCESS_EXCEEDED', 'unavailable'],
    ['initiation', 401, 'CERTIFICATE_MISSING', 'misconfigured'],
    ['initiation', 401, 'CERTIFICATE_REVOKE', 'misconfigured'],
    ['account', 401, 'CERTIFICATE_REVOKED', 'misconfigured'],
    ['account', 401, 'SIGNATURE_INVALID', 'misconfigured'],
    ['account', 401, 'ROLE_INVALID', 'misconfigured'],
    ['account', 400, 'TIMESTAMP_INVALID', 'misconfigured'],
  ])('%s %i %s is %s, in both formats', (purpose, status, code, kind) => {
    const a = JSON.stringify({ tppMessages: [{ category: 'ERROR', code, text: 'The bank’s text' }] })
    const b = JSON.stringify({ type: 'https://bank.example/e', code, title: 'Error', detail: 'The bank’s text' })
    for (const body of [a, b]) {
      expect(bankErrorOf(purpose, { status, headers: {}, body })).toMatchObject({
        kind,
        message: `The bank’s text (${code})`,
      })
    }
  })

  test('are found whatever the bank calls the list, and after codes of its own', () => {
    const code = 'KID_MISSING'
    for (const body of [
      { tppMessages: { code } },
      { tppMessages: [{ category: 'WARNING', code: 'SERVICE_BLOCKED' }, { code }] },
      {
        tppMessages: [
          { category: 'ERROR', code: 'BANK_OWN' },
          { category: 'ERROR', code },
        ],
      },
      { code: 'BANK_OWN', additionalErrors: [{ code, title: 't' }] },
      { error: { code, message: 't' } },
    ]) {
      expect(bankErrorOf('initiation', answer(400, body)).kind).toBe('ocr-rejected')
    }
  })

  test('that are unknown count by their HTTP status', () => {
    const body = { tppMessages: [{ category: 'ERROR', code: 'BANK_OWN', text: 'Nope' }] }
    expect(bankErrorOf('initiation', answer(400, body))).toMatchObject({
      kind: 'order-rejected',
      message: 'Nope (BANK_OWN)',
    })
    expect(bankErrorOf('initiation', answer(403, body)).kind).toBe('access-denied')
  })

  test('are not needed for a 422 to reject the order', () => {
    expect(bankErrorOf('initiation', answer(422, { message: 'Unprocessable' })).kind).toBe('order-rejected')
    expect(bankErrorOf('initiation', answer(422, { tppMessages: [{ code: 'BANK_OWN' }] })).kind).toBe('order-rejected')
    expect(bankErrorOf('status', answer(422, {})).kind).toBe('request-rejected')
  })

  test('named like properties of an object are no codes', () => {
    expect(bankErrorOf('initiation', answer(400, { tppMessages: [{ code: 'constructor' }] })).kind).toBe(
      'order-rejected',
    )
  })

  test('without text are returned without text', () => {
    const body = { tppMessages: [{ category: 'ERROR', code: 'SERVICE_BLOCKED' }] }
    expect(bankErrorOf('initiation', answer(403, body)).message).toBe('The bank answered SERVICE_BLOCKED')
  })

  test('have account numbers redacted in their text', () => {
    const body = { tppMessages: [{ code: 'SERVICE_BLOCKED', text: 'Account 86011117947 is blocked' }] }
    expect(bankErrorOf('initiation', answer(403, body)).message).toBe('Account … is blocked (SERVICE_BLOCKED)')
  })

  test('of BankID about another order in progress mean a busy user', () => {
    const body = { tppMessages: [{ code: 'FORMAT_ERROR', text: 'alreadyInProgress' }] }
    expect(bankErrorOf('authorisation', answer(400, body)).kind).toBe('authentication-busy')
  })

  test.each<[RequestPurpose, code: string, kind: string]>([
    ['authorisation', 'STATUS_INVALID', 'authentication-busy'],
    ['initiation', 'STATUS_INVALID', 'authentication-busy'],
    ['initiation', 'SERVICE_BLOCKED', 'authentication-busy'],
    ['cancellation', 'STATUS_INVALID', 'authentication-busy'],
    ['basket', 'STATUS_INVALID', 'authentication-busy'],
    // Without a code of the standard the bank may have the order.
    ['initiation', 'BUSY', 'outcome-unknown'],
    ['status', 'STATUS_INVALID', 'request-rejected'],
  ])('of an %s with %s about another authentication: %s', (purpose, code, kind) => {
    const body = { tppMessages: [{ code, text: 'Another authentication of the user is in progress' }] }
    expect(bankErrorOf(purpose, answer(409, body)).kind).toBe(kind)
  })
})

describe('every rejection of the standard, of every request', () => {
  const statusAndCode = Object.entries(CODES_BY_STATUS).flatMap(([status, codes]) =>
    codes.map((code) => [Number(status), code] as const),
  )
  const every = [...statusAndCode, ...CLIENT_ERRORS.map((status) => [status, null] as const)]
  const rejections = every.flatMap(([status, code]) => EVERY_PURPOSE.map((purpose) => ({ status, code, purpose })))
  const kindOf = ({ status, code, purpose }: (typeof rejections)[number]) =>
    bankErrorOf(
      purpose,
      code === null ? { status, headers: {}, body: '' } : answer(status, { tppMessages: [{ code }] }),
    )

  test('is a rejection to the partner, never an internal error', () => {
    const statuses = rejections.map((rejection) => statusOf(bankErrorToApiError(kindOf(rejection))))
    expect(new Set(statuses)).toEqual(new Set([400, 409, 422, 429, 503]))
  })

  test('has a code that is in the table', () => {
    expect(statusAndCode.filter(([, code]) => !isKnownCode(code))).toEqual([])
  })

  test('is the operator’s to repair only where our identity is rejected', () => {
    const ofIdentity = rejections.filter((rejection) => kindOf(rejection).kind === 'misconfigured')
    expect(new Set(ofIdentity.map(({ status, code }) => code ?? status))).toEqual(
      new Set([...IDENTITY_CODES, 'TIMESTAMP_INVALID', 407]),
    )
  })

  test('leaves an order unknown where its status is not defined or not certain, and the code is not the standard’s', () => {
    const orders = rejections.filter(({ purpose }) => purpose === 'initiation')
    const unknown = orders.filter((rejection) => kindOf(rejection).kind === 'outcome-unknown')
    expect(unknown.filter(({ code }) => code !== null)).toEqual([])
    expect(unknown.map(({ status }) => status)).toEqual(
      expect.arrayContaining([402, 406, 408, 409, 416, 418, 425, 444, 460, 499]),
    )
  })
})

describe('the reason', () => {
  test.each([
    ['', 'The bank answered 404 without a reason'],
    ['<html><body>Not Found</body></html>', 'The bank answered 404 without a reason'],
    ['{"broken', 'The bank answered 404 without a reason'],
    ['null', 'The bank answered 404 without a reason'],
    ['[]', 'The bank answered 404 without a reason'],
    ['No such\r\n  service', 'No such service (404)'],
    ['"No such service"', 'No such service (404)'],
    ['{"title":"Not found","detail":"No such service","status":404}', 'No such service (404)'],
    ['{"title":"Not found","detail":null}', 'Not found (404)'],
    ['{"tppMessages":[{"category":"ERROR","code":"GONE","path":null,"text":null}]}', 'The bank answered GONE'],
    ['{"tppMessages":[null,7,{"code":4,"text":"No such service"}]}', 'No such service (404)'],
    ['{"tppMessage":{"code":"GONE","text":"No such service"}}', 'No such service (GONE)'],
    ['{"additionalErrors":[{"code":"GONE","detail":"No such service"}]}', 'No such service (GONE)'],
    ['{"code":"GONE","title":"No such service","additionalErrors":null}', 'No such service (GONE)'],
    ['{"error":"not_found","error_description":"No such service"}', 'No such service (not_found)'],
    ['{"httpCode":"404","moreInformation":"No such service"}', 'No such service (404)'],
    ['{"errors":[{"errorCode":"E1","errorMessage":"No such service"}]}', 'No such service (E1)'],
    ['{"error":{"code":"GONE","message":"No such service"}}', 'No such service (GONE)'],
    ['{"fault":{"faultstring":"No such service","detail":{"errorcode":"x.y"}}}', 'No such service (404)'],
    ['No account 86011117947', 'No account … (404)'],
  ])('of %j is %j', (body, message) => {
    expect(bankErrorOf('status', { status: 404, headers: {}, body }).message).toBe(message)
  })
})

describe('any bank response', () => {
  const body = oneof(
    string(),
    json(),
    record({ tppMessages: anything() }).map((value) => JSON.stringify(value)),
    record({ code: string(), detail: string(), additionalErrors: anything() }).map((value) => JSON.stringify(value)),
  )

  test('is an error of a known kind, and never reports an order as rejected that may have been accepted', () => {
    assert(
      property(constantFrom(...PURPOSES), integer({ min: 300, max: 599 }), body, (purpose, status, text) => {
        const rejection = bankErrorOf(purpose, { status, headers: {}, body: text })
        expect(rejection).toBeInstanceOf(BankError)
        expect(rejection.message).not.toMatch(/\d{8}/)
        const isSure = status >= 400 && status < 500 && status !== 408
        expect(purpose !== 'initiation' || isSure || rejection.kind === 'outcome-unknown').toBe(true)
        expect(rejection.kind === 'order-rejected' && rejection.validationErrors.length === 0).toBe(false)
      }),
      { numRuns: randomCases(2_000) },
    )
  })
})

describe('an error in an order', () => {
  test.each([
    ['debtorAccount', 'unknown', { field: 'debtorAccount', cause: 'invalid' }],
    ['debtorAccountStatementText', 'longer than 20', { field: 'remittance', cause: 'too-long' }],
    ['creditorAccount.bban', 'check digit', { field: 'creditorAccount', cause: 'invalid' }],
    ['/creditorAccount/bban', 'check digit', { field: 'creditorAccount', cause: 'invalid' }],
    ['$.creditorName', 'at most 70 characters', { field: 'creditorName', cause: 'too-long' }],
    ['payments[0].creditorName', 'exceeds 70', { field: 'creditorName', cause: 'too-long', position: 0 }],
    ['/payments/9999/creditorAccount', 'unknown', { field: 'creditorAccount', cause: 'invalid', position: 9_999 }],
    ['$.payments.17', 'doubtful', { field: 'other', cause: 'invalid', position: 17 }],
    ['payments[many].creditorName', 'wrong', { field: 'creditorName', cause: 'invalid' }],
    ['creditorName', 'characters that are not allowed', { field: 'creditorName', cause: 'characters' }],
    ['instructedAmount.amount', 'above limit', { field: 'amount', cause: 'invalid' }],
    ['remittanceInformationUnstructured', 'is too long', { field: 'remittance', cause: 'too-long' }],
    ['remittanceInformationStructuredArray[0].reference', 'wrong', { field: 'remittance', cause: 'invalid' }],
    ['requestedExecutionDate', 'is past', { field: 'dueDate', cause: 'invalid' }],
    ['endToEndIdentification', 'not supported', { field: 'endToEndId', cause: 'invalid' }],
    ['PSU-IP-Address', 'missing', { field: 'other', cause: 'invalid' }],
    ['paymentInformationId', 'not here', { field: 'other', member: 'paymentInformationId', cause: 'invalid' }],
    ['/purposeCode', 'too long', { field: 'other', member: 'purposeCode', cause: 'too-long' }],
    [undefined, 'No paymentInformationId here', { field: 'other', member: 'paymentInformationId', cause: 'invalid' }],
    [undefined, "Value 'creditorName' is too long", { field: 'creditorName', cause: 'too-long' }],
    [undefined, 'creditor name is wrong', { field: 'other', cause: 'invalid' }],
    [undefined, 'bad', { field: 'other', cause: 'invalid' }],
  ])('at %s with %j is returned', (path, text, validationError) => {
    const body = { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', path, text }] }
    expect(bankErrorOf('initiation', answer(400, body)).validationErrors).toEqual([{ ...validationError, text }])
  })

  test('is returned together with all others', () => {
    const tppMessages = ['creditorName', 'instructedAmount'].map((path) => ({ code: 'FORMAT_ERROR', path }))
    const { validationErrors } = bankErrorOf('initiation', answer(400, { tppMessages }))
    expect(validationErrors.map(({ field }) => field)).toEqual(['creditorName', 'amount'])
  })

  test('has in format B its field before the detail', () => {
    const body = {
      code: 'FORMAT_ERROR',
      detail: 'creditorName: at most 70 characters',
      additionalErrors: [{ code: 'FORMAT_ERROR', title: 'Bad', detail: 'No colon here' }],
    }
    expect(bankErrorOf('initiation', answer(400, body)).validationErrors).toMatchObject([
      { field: 'creditorName', cause: 'too-long' },
      { field: 'other', cause: 'invalid' },
    ])
  })

  test.each(['', '<html>', '{"tppMessages":[]}'])('is returned also when the bank sends no text: %j', (body) => {
    expect(bankErrorOf('initiation', { status: 400, headers: {}, body })).toMatchObject({
      kind: 'order-rejected',
      validationErrors: [{ field: 'other', cause: 'invalid', text: expect.stringMatching(/\S/) }],
    })
  })

  test('may be its date, without a path', () => {
    const body = { tppMessages: [{ code: 'EXECUTION_DATE_INVALID', text: 'No bank day' }] }
    expect(bankErrorOf('initiation', answer(400, body)).validationErrors).toMatchObject([{ field: 'dueDate' }])
  })
})

describe('ambiguous responses', () => {
  test.each(['', '<html>', '{"tppMessages":[]}', '{"tppMessages":[{"category":"ERROR","code":"BANK_OWN"}]}'])(
    '409 without a code of the standard leaves the outcome of an order unknown: %j',
    (body) => {
      const response = { status: 409, headers: {}, body }
      expect(bankErrorOf('initiation', response).kind).toBe('outcome-unknown')
      expect(bankErrorOf('cancellation', response).kind).toBe('cancellation-rejected')
      const reported = answer(409, { tppMessages: [{ category: 'ERROR', code: 'STATUS_INVALID' }] })
      expect(bankErrorOf('initiation', reported).kind).toBe('order-rejected')
    },
  )

  test.each([500, 502, 503, 504, 408, 302, 307])('%i leaves the outcome of an order unknown', (status) => {
    for (const body of ['', '<html>', JSON.stringify({ tppMessages: [{ code: 'FORMAT_ERROR' }] })]) {
      expect(bankErrorOf('initiation', { status, headers: {}, body }).kind).toBe('outcome-unknown')
      expect(bankErrorOf('cancellation', { status, headers: {}, body }).kind).toBe('outcome-unknown')
    }
  })

  test.each([500, 502, 503, 504, 408])('%i makes a read temporarily impossible', (status) => {
    for (const purpose of PURPOSES.filter((name) => name !== 'initiation' && name !== 'cancellation')) {
      expect(bankErrorOf(purpose, { status, headers: {}, body: '' }).kind).toBe('unavailable')
    }
  })

  test('an unreadable body leaves the outcome of an order unknown', () => {
    const response = { status: 201, headers: {}, body: '<html>' }
    expect(unreadableAnswerError('initiation', response).kind).toBe('outcome-unknown')
    expect(unreadableAnswerError('status', response).kind).toBe('unavailable')
  })

  test('a bare 404 proves nothing about a payment', () => {
    expect(bankErrorOf('status', { status: 404, headers: {}, body: '<html>not found' }).kind).toBe('request-rejected')
    expect(bankErrorOf('consent', { status: 404, headers: {}, body: '' }).kind).toBe('request-rejected')
  })

  test('a time-out after the order was sent leaves its outcome unknown, before that nothing happened', () => {
    expect(noAnswerError('initiation', new BankUnreachable('gone', true)).kind).toBe('outcome-unknown')
    expect(noAnswerError('initiation', new BankUnreachable('gone', false)).kind).toBe('unavailable')
    expect(noAnswerError('status', new BankUnreachable('gone', true)).kind).toBe('unavailable')
    expect(noAnswerError('authorisation', new BankUnreachable('gone', true)).kind).toBe('unavailable')
  })
})

function answer(status: number, body: object) {
  return { status, headers: {}, body: JSON.stringify(body) }
}
