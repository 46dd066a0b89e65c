/** Conformance tests of bulks, at banks that accept them and at those that do not. */
import { describe, expect, test } from 'vitest'
import type {
  BulkOrder,
  BulkTransaction,
  BulkTransactionObservation,
  KnownBulkTransaction,
  SubmittedOrder,
} from '../connector/bank-order.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import type { BankCaller } from '../connector/connector.ts'
import {
  accountOf,
  type ConformanceContext,
  type ConformanceHarness,
  required,
  runAuthorisation,
  settleIfOpen,
  type UserDecision,
} from './conformance-harness.ts'

/** Index of the changed payment. */
const SECOND = 1
const READ_AT = Temporal.Instant.from('2026-11-20T12:00Z')

/** Registers the tests of bulks; most are skipped where the bank accepts none. */
export function bulkConformance({ harness, ordering }: ConformanceContext): void {
  describe('bulks', () => {
    test('are rejected where the bank does not accept them', async ({ skip }) => {
      const { bulkPayments } = harness().connector
      skip(bulkPayments === undefined, 'No bank of this kind takes any')
      skip(termsOf(harness().caller)?.submissionMode === 'bulk', 'This one does')
      const placing = bulkPayments?.initiate(await ordering(), await harness().bulk.order(), request())
      await expect(placing).rejects.toMatchObject({ kind: 'unsupported-product' })
    })

    test('are unsigned once accepted, and are recognised by our id where the bank accepts it, their count and sum', async ({
      skip,
    }) => {
      const { bulks, caller, at, order, taken } = await placed(offered(harness(), skip))
      expect(taken.observation).toMatchObject({ status: 'Unsigned', statusReason: null })
      const seen = await bulks.read({ ...caller, psu: null }, at, { signed: false, elements: knownOf(order) })
      expect(seen).toMatchObject({ status: 'Unsigned' })
      expect(seen.elements).toBeUndefined()
      const { currency } = order.debtor
      const minor = order.payments.reduce((sum, { amount }) => sum + amount.minor, 0n)
      expect(await bulks.readOrder(caller, at)).toEqual({
        debtorBban: order.debtor.bban,
        creditorBban: null,
        amount: { minor, currency },
        bulk: { bulkId: harness().bulk.hasOurId ? order.bulkId : null, count: order.payments.length },
      })
    })

    test('are in progress once signed, and completed once booked where the bank reports that', async ({ skip }) => {
      const { bulks, caller, at, order, state } = await decided(offered(harness(), skip), 'sign')
      expect(state).toMatchObject({ state: 'signed' })
      await settleIfOpen(harness(), at)
      const booked = await bulks.read(caller, at, { signed: true, elements: knownOf(order) })
      const last = caller.bank.profile.lastVisible === 'settled' ? 'Completed' : 'InProgress'
      expect(booked).toMatchObject({ status: last, statusReason: null })
      expect(booked.elements).toBeUndefined()
    })

    test.for([true, false])(
      'are debited in one sum where the bank supports and we request it (%s)',
      async (batchBooking, { skip }) => {
        const wished = (order: BulkOrder) => ({ ...order, batchBooking })
        const { caller, at, order } = await decided(offered(harness(), skip), 'sign', wished)
        await settleIfOpen(harness(), at)
        const each = order.payments.map(({ amount }) => -amount.minor)
        const sum = each.reduce((total, minor) => total + minor)
        const inOne = batchBooking && termsOf(caller)?.batchBooking === true
        expect((await bookedOn(caller, order)).filter((minor) => [sum, ...each].includes(minor)).toSorted()).toEqual(
          inOne ? [sum] : each.toSorted(),
        )
      },
    )

    test.for(['reject', 'leave'] as const)('stay unsigned when the user decides to %s', async (decision, { skip }) => {
      const { bulks, caller, at, order } = await decided(offered(harness(), skip), decision)
      const seen = await bulks.read(caller, at, { signed: false, elements: knownOf(order) })
      expect(seen).toMatchObject({ status: 'Unsigned' })
    })

    test('that are executed partly have the status of each payment that the bank reports', async ({ skip }) => {
      const offer = offered(harness(), skip)
      const { bulks, caller, at, order } = await decided(offer, 'sign', second(harness().bulk.rejected))
      await settleIfOpen(harness(), at)
      const elements = knownOf(order)
      const seen = await bulks.read(caller, at, { signed: true, elements })
      if (termsOf(caller)?.elements === 'none') {
        expect(seen).toMatchObject({ status: 'InProgress', statusReasonText: expect.stringContaining('a part') })
        expect(seen.elements).toBeUndefined()
        return
      }
      expect(seen).toMatchObject({ status: 'Completed', bankStatus: 'PART' })
      const wanted = order.payments.map((_payment, position) => (position === SECOND ? 'Rejected' : 'Completed'))
      expect(seen.elements?.map(({ position }) => position)).toEqual(order.payments.map((_payment, place) => place))
      expect(seen.elements?.map(({ status }) => status)).toEqual(wanted)
      expect(seen.elements?.[SECOND]?.statusReasonText).not.toBeNull()
      const again = await bulks.read(caller, at, {
        signed: true,
        elements: withObservations(elements, seen.elements ?? []),
      })
      expect(again).toMatchObject({ status: 'Completed' })
    })

    test('that are not signed are cancelled like single payments', async ({ skip }) => {
      const { bulks, caller, at, order } = await placed(offered(harness(), skip))
      const withdrawal = bulks.cancellation.cancel(caller, at, crypto.randomUUID())
      if (caller.bank.profile.cancellation === 'none') {
        await expect(withdrawal).rejects.toMatchObject({ kind: 'cancellation-rejected' })
        return
      }
      expect(await withdrawal).toBe('accepted')
      const seen = await bulks.read(caller, at, { signed: false, elements: knownOf(order) })
      expect(seen).toMatchObject({ status: 'Cancelled' })
    })

    test('are signed together where the profile permits it, and are rejected elsewhere', async ({ skip }) => {
      const offer = offered(harness(), skip)
      const several = [await placed(offer), await placed(offer)]
      const { caller } = required(several[0], 'No bulk was placed')
      const baskets = required(harness().connector.baskets, 'The connector offers no baskets')
      const requested = { payments: several.map(({ at }) => at), requestId: crypto.randomUUID(), back: harness().back }
      if (termsOf(caller)?.inBaskets !== true) {
        const kind = caller.bank.profile.baskets === null ? 'unsupported-product' : 'basket-rejected'
        await expect(baskets.create(caller, requested)).rejects.toMatchObject({ kind })
        return
      }
      const { bankBasketId } = await baskets.create(caller, requested)
      const { state } = await runAuthorisation(harness(), baskets.authorisations, { caller, target: bankBasketId })
      expect(state).toMatchObject({ state: 'signed' })
      for (const { bulks, at, order } of several) {
        const { status } = await bulks.read(caller, at, { signed: true, elements: knownOf(order) })
        expect(['InProgress', 'Completed']).toContain(status)
      }
    })

    test('that the bank rejects for one payment identify it, quote nothing of it, and leave nothing at the bank', async ({
      skip,
    }) => {
      const offer = offered(harness(), skip)
      const before = await harness().paymentsHeld()
      const name = 'Ola Nordmann ☃'
      const rejected = second((element) => ({ ...element, creditor: { ...element.creditor, name } }))
      const validationError = { position: SECOND, field: 'creditorName', text: expect.not.stringContaining('Nordmann') }
      await expect(placed(offer, rejected)).rejects.toMatchObject({
        kind: 'order-rejected',
        message: expect.not.stringContaining('Nordmann'),
        validationErrors: [validationError],
      })
      expect(await harness().paymentsHeld()).toBe(before)
    })

    test('whose response is lost have an unknown outcome', async ({ skip }) => {
      const offer = offered(harness(), skip)
      const before = await harness().paymentsHeld()
      await harness().loseAnswer('drop-connection', 'bulk')
      await expect(placed(offer)).rejects.toMatchObject({ kind: 'outcome-unknown' })
      expect(await harness().paymentsHeld()).toBe(before + 1)
    })

    test('that do not exist at the bank are unknown', async ({ skip }) => {
      const bulks = offered(harness(), skip)
      const { debtor } = await harness().bulk.order()
      const never = { ...CREDITORS, bankPaymentId: crypto.randomUUID(), debtorBban: debtor.bban }
      const unknown = { kind: 'unknown-resource' }
      const known = { signed: false, elements: [] }
      await expect(bulks.read(await ordering(), never, known)).rejects.toMatchObject(unknown)
      await expect(bulks.readOrder(await ordering(), never)).rejects.toMatchObject(unknown)
    })
  })

  async function placed(bulks: Offer, change: (order: BulkOrder) => BulkOrder = (order) => order) {
    const caller: BankCaller = await ordering()
    const order = change(await harness().bulk.order())
    const taken = await bulks.initiate(caller, order, request())
    const { bankPaymentId } = taken
    const at: SubmittedOrder = { ...CREDITORS, bankPaymentId, debtorBban: order.debtor.bban }
    return { bulks, caller, order, taken, at }
  }

  async function decided(bulks: Offer, decision: UserDecision, change?: (order: BulkOrder) => BulkOrder) {
    const bulk = await placed(bulks, change)
    const { caller, at } = bulk
    const { state } = await runAuthorisation(harness(), bulks.authorisations, { caller, target: at, decision })
    return { ...bulk, state }
  }

  /** The amounts of the entries on the debtor account, in minor units. */
  async function bookedOn(caller: BankCaller, { debtor }: BulkOrder): Promise<readonly bigint[]> {
    const accounts = required(harness().connector.accounts, 'The connector offers no accounts')
    const { resourceId } = await accountOf(harness(), caller, debtor)
    const today = await harness().today()
    const days = { from: today, to: today.add({ days: 5 }) }
    return (await accounts.bookedEntries(caller, resourceId, days)).map(({ amount }) => amount.minor)
  }

  function request() {
    return { requestId: crypto.randomUUID(), notification: harness().back.notification }
  }
}

/** Replaces the creditors' account numbers. */
const CREDITORS = { rail: 'account', creditorBban: 'bHk3tq1Yc2VzaG9ydGVyLXRoYW4tYS1kaWdlc3QtbWF5' } as const

type Offer = NonNullable<ConformanceHarness['connector']['bulkPayments']>

function offered({ connector, caller }: ConformanceHarness, skip: (note?: string) => never): Offer {
  return termsOf(caller)?.submissionMode === 'bulk'
    ? required(connector.bulkPayments, 'It offers none')
    : skip('The bank takes none')
}

function termsOf({ bank }: BankCaller): BankProfile['payroll'] {
  return bank.profile.payroll
}

/** A bulk with a changed second payment. */
function second(change: (element: BulkTransaction) => BulkTransaction): (order: BulkOrder) => BulkOrder {
  return ({ payments, ...order }) => ({
    ...order,
    payments: payments.map((element, position) => (position === SECOND ? change(element) : element)),
  })
}

function knownOf({ payments }: BulkOrder): readonly KnownBulkTransaction[] {
  return payments.map(({ endToEndId }) => ({ endToEndId, elementId: null, status: null, readAt: null }))
}

function withObservations(
  known: readonly KnownBulkTransaction[],
  reported: readonly BulkTransactionObservation[],
): readonly KnownBulkTransaction[] {
  return known.map((element, position) => {
    const { elementId = null, status = null } = reported.find((one) => one.position === position) ?? {}
    return { ...element, elementId, status, readAt: READ_AT }
  })
}
