/** Shows that a bank which rejects the order that funds an exchange is not said to reject what the partner wrote. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../../contract/operations.ts'
import { BankError, type OrderError } from '../../banks/connector/bank-error.ts'
import { renderErrorResponse } from '../../platform/http/errors/render-error.ts'
import { fundingOrderError } from './funding-order-error.ts'

function answerTo(...fields: readonly OrderError['field'][]): { status: number; body: unknown } {
  const validationErrors = fields.map((field) => ({ field, cause: 'too-long', text: `too long: ${field}` }) as const)
  const failure = fundingOrderError(new BankError('order-rejected', 'text', validationErrors))
  const { status, body } = renderErrorResponse(failure, 'id')
  return { status, body: JSON.parse(body) }
}

describe('an order that funds an exchange', () => {
  test('is told as not taken by the bank where the bank rejects what Havn wrote', () => {
    for (const field of ['remittance', 'creditorAccount', 'creditorName', 'amount', 'other'] as const) {
      expect(answerTo(field)).toMatchObject({
        status: 400,
        body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK', message: expect.stringContaining(`too long: ${field}`) },
      })
    }
    expect(operations.initiateCrossBorderPayment.failures).toContain('UNSUPPORTED_PRODUCT_BY_BANK')
  })

  test('names the part where the partner wrote it', () => {
    expect(answerTo('remittance', 'dueDate')).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidDueDate', path: '.dueDate' }],
    })
  })

  test('is answered as any other order where nothing in it was rejected', () => {
    const { status } = renderErrorResponse(fundingOrderError(new BankError('access-denied', 'text')), 'id')
    expect(status).toBe(400)
  })
})
