/** Shows that a bank which rejects the order that funds an exchange is not said to reject what the partner wrote. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../../contract/operations.ts'
import { BankRefusal, type OrderProblem } from '../../banks/connector/bank-error.ts'
import { renderFailure } from '../../platform/http/errors/render-error.ts'
import { refusalOfFundingOrder } from './funding-refusal.ts'

function answerTo(...fields: readonly OrderProblem['field'][]): { status: number; body: unknown } {
  const problems = fields.map((field) => ({ field, cause: 'too-long', text: `too long: ${field}` }) as const)
  const failure = refusalOfFundingOrder(new BankRefusal('order-refused', 'text', problems))
  const { status, body } = renderFailure(failure, 'id')
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
    const { status } = renderFailure(refusalOfFundingOrder(new BankRefusal('access-denied', 'text')), 'id')
    expect(status).toBe(400)
  })
})
