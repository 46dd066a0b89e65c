/** Tests the effect of bank reports on an order and its transactions, for any content and order. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { KnownBulkTransaction, StatusObservation } from '../../banks/connector/bank-order.ts'
import type { FileReport } from '../../banks/connector/file-product.ts'
import { applyBankReport, type StateBeforeReport } from './apply-bank-report.ts'

type Own = PaymentStatusValue | null

function reported(status: PaymentStatusValue | null): StatusObservation {
  return { status, statusReason: null, statusReasonText: null, bankStatus: String(status) }
}

function knownBefore(own: readonly Own[], order: PaymentStatusValue = 'Unsigned', isLate = false): StateBeforeReport {
  const elements: readonly KnownBulkTransaction[] = own.map((status, position) => ({
    endToEndId: `E${position}`,
    elementId: null,
    status,
    readAt: null,
  }))
  return { order: reported(order), elements, isLate }
}

function report(
  whole: PaymentStatusValue | null,
  named: Readonly<Record<number, PaymentStatusValue>> = {},
): FileReport {
  const payments = Object.entries(named).map(([position, status]) => ({
    ...reported(status),
    position: Number(position),
    endToEndId: `E${position}`,
  }))
  const reportedAt = Temporal.Instant.from('2026-11-20T08:00:00Z')
  return { messageId: 'm', reportedAt, whole: whole === null ? null : reported(whole), payments, withoutStatus: 0 }
}

/** The status of the order, and of each transaction on its own or through it. */
function standing(reported: FileReport, known: StateBeforeReport) {
  const { status: observed, elements = [] } = applyBankReport(reported, known)
  const order: PaymentStatusValue = observed ?? known.order.status ?? 'Unsigned'
  const now = new Map(elements.map(({ position, status }) => [position, status]))
  return {
    order,
    payouts: known.elements.map(({ status }, position): PaymentStatusValue => now.get(position) ?? status ?? order),
  }
}

describe('a status report', () => {
  test('on the whole file applies to all', () => {
    expect(standing(report('Completed'), knownBefore([null, null]))).toEqual({
      order: 'Completed',
      payouts: ['Completed', 'Completed'],
    })
  })

  test('on the whole file leaves final transactions as they are, and updates open ones', () => {
    expect(standing(report('Completed'), knownBefore(['Rejected', 'InProgress', null], 'InProgress'))).toEqual({
      order: 'Completed',
      payouts: ['Rejected', 'Completed', 'Completed'],
    })
  })

  test('on a part changes no other transactions', () => {
    expect(standing(report(null, { 1: 'Rejected' }), knownBefore([null, null, null]))).toEqual({
      order: 'Unsigned',
      payouts: ['Unsigned', 'Rejected', 'Unsigned'],
    })
  })

  test('on every transaction ends the order with them', () => {
    expect(standing(report(null, { 0: 'Completed', 1: 'Rejected' }), knownBefore([null, null], 'InProgress'))).toEqual({
      order: 'Completed',
      payouts: ['Completed', 'Rejected'],
    })
    expect(standing(report(null, { 0: 'Rejected', 1: 'Cancelled' }), knownBefore([null, null]))).toMatchObject({
      order: 'Rejected',
    })
  })

  test('with open transactions in several statuses leaves the order in progress', () => {
    const reported = report(null, { 0: 'InProgress', 1: 'CustomerActionRequired' })
    expect(standing(reported, knownBefore([null, null]))).toMatchObject({ order: 'InProgress' })
  })

  test('that arrives late only adds the outcome of transactions without one', () => {
    const known = knownBefore([null, 'Completed', null], 'Completed', true)
    expect(standing(report('Unsigned', { 0: 'Rejected', 1: 'Rejected', 2: 'InProgress' }), known)).toEqual({
      order: 'Completed',
      payouts: ['Rejected', 'Completed', 'Completed'],
    })
  })

  test('finds a transaction by its own id where our number has changed, and none that is not in the file', () => {
    const named = { ...reported('Rejected'), position: 0, endToEndId: 'E1' }
    const strange = { ...reported('Rejected'), position: 9, endToEndId: 'E9' }
    const bankReport = { ...report(null), payments: [named, strange, { ...named, position: null, endToEndId: null }] }
    expect(standing(bankReport, knownBefore([null, null]))).toMatchObject({ payouts: ['Unsigned', 'Rejected'] })
  })

  test('applied twice changes nothing, and ends nothing that is open', () => {
    const anyStatus = fc.constantFrom<PaymentStatusValue>(...ALL)
    const anyOwn = fc.array(fc.option(anyStatus), { minLength: 1, maxLength: 5 })
    const anyNamed = fc.dictionary(fc.constantFrom('0', '1', '2', '3', '4'), anyStatus)
    fc.assert(
      fc.property(anyOwn, anyStatus, fc.option(anyStatus), anyNamed, (own, order, whole, named) => {
        const reported = report(whole, named)
        const once = standing(reported, knownBefore(own, order))
        expect(once.payouts.some(isOpen)).toBe(isOpen(once.order))
        const unnamed = own.flatMap((status, n) => (status === null && named[n] === undefined ? [once.payouts[n]] : []))
        expect(unnamed).toEqual(unnamed.map(() => whole ?? order))
        const known = knownBefore(once.payouts, once.order)
        expect(standing(reported, known)).toEqual(once)
      }),
    )
  })
})

const ALL = ['Unsigned', 'CustomerActionRequired', 'InProgress', 'Completed', 'Rejected', 'Cancelled'] as const

function isOpen(status: PaymentStatusValue): boolean {
  return status === 'Unsigned' || status === 'CustomerActionRequired' || status === 'InProgress'
}
