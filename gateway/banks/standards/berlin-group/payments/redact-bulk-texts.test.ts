/** Shows that texts about bulks contain no amounts, and errors no content of payments. */
import { describe, expect, test } from 'vitest'
import { BankError } from '../../../connector/bank-error.ts'
import { redactAmounts, redactBulkError } from './translate-bulk.ts'

const OBSERVED = { status: 'Rejected', statusReason: null, bankStatus: 'RJCT' } as const

describe('a bank’s text about a payment in a bulk', () => {
  test.each([
    ['The salary of 45 000,50 NOK is above the limit', 'The salary of …'],
    ['45.000,50 kr mangler', '…'],
    ['Amount 31250.00 refused', '…'],
    ['NOK 31250 is missing', '…'],
    ['Limit EUR 1,250.75 reached', '…'],
  ])('has its amounts redacted: %s', (text, rest) => {
    const reported = redactAmounts({ ...OBSERVED, statusReasonText: text }).statusReasonText ?? ''
    expect(reported).toContain(rest)
    expect(reported).not.toMatch(/45.?000|31250|250\.75/)
  })

  test.each(["The receiver's account is closed", 'Closed since 2026-11-02', 'Returned (AC04)', 'Limit 3 of 5'])(
    'is unchanged otherwise: %s',
    (statusReasonText) => {
      const observed = { ...OBSERVED, statusReasonText }
      expect(redactAmounts(observed)).toEqual(observed)
    },
  )

  test('may be empty', () => {
    expect(redactAmounts({ ...OBSERVED, statusReasonText: null }).statusReasonText).toBeNull()
  })
})

describe('a rejection', () => {
  test('of one payment has a text of ours', () => {
    const quoted = "'Kari Nordmann' has characters"
    const validationError = { field: 'creditorName', cause: 'characters', text: quoted } as const
    const rejection = redactBulkError(new BankError('order-rejected', quoted, [{ ...validationError, position: 17 }]))
    expect(rejection.message).toBe('The bank rejects the bulk because of a payment in it')
    expect(rejection.validationErrors).toEqual([
      { ...validationError, position: 17, text: 'it has characters that the bank does not take' },
    ])
    expect(JSON.stringify(rejection)).not.toContain('Kari')
  })

  test('of several payments has their number, without what else is wrong with the bulk', () => {
    const validationError = { field: 'amount', cause: 'invalid', text: '25 000 001.00 is too much' } as const
    const places = [...[3, 4, 4].map((position) => ({ ...validationError, position })), validationError]
    expect(redactBulkError(new BankError('order-rejected', validationError.text, places)).message).toBe(
      'The bank rejects the bulk because of 2 payments in it',
    )
  })

  test('of the whole bulk keeps the bank’s text, without amounts', () => {
    const validationError = {
      field: 'debtorAccount',
      cause: 'invalid',
      text: 'Closed; 31250.00 was asked for',
    } as const
    const rejection = redactBulkError(new BankError('order-rejected', validationError.text, [validationError]))
    expect(rejection.message).toBe('Closed; … was asked for')
    expect(rejection.validationErrors).toEqual([{ ...validationError, text: 'Closed; … was asked for' }])
  })
})
