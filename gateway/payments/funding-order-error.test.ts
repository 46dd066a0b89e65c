/** Tests that a bank's rejection of a funding order is not reported as an error of the partner's request. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../contract/operations.ts'
import { BankError, type OrderError } from '../banks/connector/bank-error.ts'
import { fundingOrderError } from '../orders/submit/order-errors.ts'
import { renderErrorResponse } from '../platform/http/errors/render-error.ts'

const ERROR_CONTEXT = { svcRequestId: 'id', baseUrl: 'http://gateway.example' }

function answerTo(...fields: readonly OrderError['field'][]): { status: number; body: unknown } {
  const validationErrors = fields.map((field) => ({ field, cause: 'too-long', text: `too long: ${field}` }) as const)
  const failure = fundingOrderError(new BankError('order-rejected', 'text', validationErrors))
  return renderErrorResponse(failure, ERROR_CONTEXT)
}

describe('a funding order', () => {
  test('is reported as rejected by the bank where the bank rejects what Havn set', () => {
    for (const field of ['remittance', 'creditorAccount', 'creditorName', 'amount', 'other'] as const) {
      expect(answerTo(field)).toMatchObject({
        status: 400,
        body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK', message: expect.stringContaining(`too long: ${field}`) },
      })
    }
    expect(operations.initiateCrossBorderPayment.failures).toContain('UNSUPPORTED_PRODUCT_BY_BANK')
  })

  test('has an error at the field that the partner sent', () => {
    expect(answerTo('remittance', 'dueDate')).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidDueDate', path: '.dueDate' }],
    })
  })

  test('is reported like any other order where no field was rejected', () => {
    const { status } = renderErrorResponse(fundingOrderError(new BankError('access-denied', 'text')), ERROR_CONTEXT)
    expect(status).toBe(400)
  })

  test('says what the bank says of later calls, like any other order', () => {
    const limited = { retryAfterSeconds: 120, isRateLimit: true }
    const failure = fundingOrderError(new BankError('unavailable', 'text').saying(limited))
    expect(renderErrorResponse(failure, ERROR_CONTEXT)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '120' },
      body: { message: expect.stringContaining('The bank limits how often it is called') },
    })
  })
})
