/** Conformance tests of cross-border payments, at banks that offer them. */
import { describe, expect, test } from 'vitest'
import type { CrossBorderOrder } from '../connector/bank-order.ts'
import type { BankCaller } from '../connector/connector.ts'
import {
  type ConformanceContext,
  type ConformanceHarness,
  required,
  runAuthorisation,
  type UserDecision,
} from './conformance-harness.ts'

/** An invalid IBAN: its check digits are wrong. */
const BROKEN = { type: 'iban', number: 'DE00370400440532013000' } as const

/** Registers the tests of cross-border payments; they are skipped where the bank offers none. */
export function crossBorderConformance({ harness, ordering }: ConformanceContext): void {
  describe('cross-border payments', () => {
    test('are unsigned once accepted, and are recognised by accounts and amount', async ({ skip }) => {
      const { orders, caller, at, order, taken } = await placed(offered(harness(), skip))
      expect(taken.observation).toMatchObject({ status: 'Unsigned', statusReason: null })
      expect(await orders.read({ ...caller, psu: null }, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
      expect(await orders.readOrder(caller, at)).toEqual({
        debtorBban: order.debtor.bban,
        creditorBban: order.creditor.account.number,
        amount: order.amount,
      })
    })

    test('to an account without an IBAN, and with every optional field, are accepted', async ({ skip }) => {
      const offer = offered(harness(), skip)
      const { creditor } = await offer.order()
      const account = { type: 'bban', number: '000123456789' } as const
      const reported = { regulatoryReporting: offer.reporting, debtorReference: 'Own text' }
      const { taken } = await placed(offer, {
        creditor: { ...creditor, account, bic: 'CHASUS33', clearingCode: '021000021' },
        ...reported,
      })
      expect(taken.observation.status).toBe('Unsigned')
    })

    test('are in progress once signed, and completed once booked', async ({ skip }) => {
      const { orders, caller, at, state } = await decided(offered(harness(), skip), 'sign')
      expect(state).toMatchObject({ state: 'signed' })
      expect(['InProgress', 'Completed']).toContain((await orders.read(caller, at, { signed: true })).status)
      await harness().settle(at.bankPaymentId)
      expect(await orders.read(caller, at, { signed: true })).toMatchObject({ status: 'Completed' })
    })

    test('stay unsigned when the user rejects', async ({ skip }) => {
      const { orders, caller, at } = await decided(offered(harness(), skip), 'reject')
      expect(await orders.read(caller, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
    })

    test('that are not signed are cancelled at once', async ({ skip }) => {
      const { orders, caller, at } = await placed(offered(harness(), skip))
      expect(await orders.cancellation.cancel(caller, at, crypto.randomUUID())).toBe('accepted')
      expect(await orders.read(caller, at, { signed: false })).toMatchObject({ status: 'Cancelled' })
    })

    test.for<[string, (order: CrossBorderOrder) => Partial<CrossBorderOrder>, string]>([
      ['receiver’s account', ({ creditor }) => ({ creditor: { ...creditor, account: BROKEN } }), 'creditorAccount'],
      ['receiver’s name', ({ creditor }) => ({ creditor: { ...creditor, name: 'Å_' } }), 'creditorName'],
      ['receiver’s bank', ({ creditor }) => ({ creditor: { ...creditor, bic: 'NOBIC' } }), 'creditorAgent'],
      [
        'receiver’s town',
        ({ creditor }) => ({ creditor: { ...creditor, address: { city: '', country: 'DE' } } }),
        'creditorAddress',
      ],
      ['currency', ({ amount }) => ({ amount: { ...amount, currency: 'CHF' } }), 'amount'],
      ['message', () => ({ message: 'a_b ¤' }), 'remittance'],
    ])('that the bank rejects for their %s return that error', async ([_part, change, field], { skip }) => {
      const offer = offered(harness(), skip)
      const changed = change(await offer.order())
      const rejection = { kind: 'order-rejected', validationErrors: [{ field }] }
      await expect(placed(offer, changed)).rejects.toMatchObject(rejection)
    })

    test('whose response is lost have an unknown outcome', async ({ skip }) => {
      const offer = offered(harness(), skip)
      const before = await harness().paymentsHeld()
      await harness().loseAnswer('drop-connection')
      await expect(placed(offer)).rejects.toMatchObject({ kind: 'outcome-unknown' })
      expect(await harness().paymentsHeld()).toBe(before + 1)
    })
  })

  async function placed(offer: Offer, change: Partial<CrossBorderOrder> = {}) {
    const caller: BankCaller = await ordering()
    const order = { ...(await offer.order()), ...change }
    const request = { requestId: crypto.randomUUID(), notification: harness().back.notification }
    const taken = await offer.orders.initiate(caller, order, request)
    const numbers = { debtorBban: order.debtor.bban, creditorBban: order.creditor.account.number }
    const at = { bankPaymentId: taken.bankPaymentId, rail: 'account', ...numbers } as const
    return { caller, order, taken, orders: offer.orders, at }
  }

  async function decided(offer: Offer, decision: UserDecision) {
    const { caller, at, orders } = await placed(offer)
    const { state, by } = await runAuthorisation(harness(), orders.authorisations, { caller, target: at, decision })
    return { caller: by, at, orders, state }
  }
}

type Offer = NonNullable<ReturnType<typeof offerOf>>

function offerOf({ connector, crossBorder }: ConformanceHarness) {
  return crossBorder && { ...crossBorder, orders: required(connector.crossBorderPayments, 'It offers none') }
}

function offered(harness: ConformanceHarness, skip: (note?: string) => never): Offer {
  return offerOf(harness) ?? skip('The bank offers none')
}
