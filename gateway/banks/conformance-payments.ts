/** What every connector guarantees of domestic payments. */
import { describe, expect, test } from 'vitest'
import type { Opened, UserDecision } from './conformance-harness.ts'
import type { BankCaller, DomesticOrder } from './connector.ts'

/** Nothing listens on the discard port of this machine. */
const CLOSED_ADDRESS = 'http://127.0.0.1:9'

/** Registers the tests of domestic payments. */
export function paymentConformance({ harness, consented, payments }: Opened): void {
  describe('domestic payments', () => {
    test('wait for their signature once taken', async () => {
      const { caller, taken } = await placed()
      expect(taken.bankPaymentId).not.toBe('')
      expect(taken.observation).toMatchObject({ status: 'Unsigned', statusReason: null })
      expect(await payments().read(caller, taken.bankPaymentId, { signed: false })).toMatchObject({
        status: 'Unsigned',
      })
    })

    test('can be recognised by their accounts and amount', async () => {
      const { caller, taken, order } = await placed()
      expect(await payments().readOrder(caller, taken.bankPaymentId)).toEqual({
        debtorBban: order.debtor.bban,
        creditorBban: order.creditor.bban,
        amount: order.amount,
      })
    })

    test('with a structured reference, and with nothing to say, are taken too', async () => {
      const { taken } = await placed({ remittance: { type: 'ocr', value: harness().reference } })
      expect(taken.observation.status).toBe('Unsigned')
      expect((await placed({ remittance: null })).taken.observation.status).toBe('Unsigned')
    })

    test('send their user to a host of the bank, and are open until the user decides', async () => {
      const { caller, taken } = await placed()
      const started = await payments().startAuthorisation(caller, taken.bankPaymentId, harness().back)
      expect(caller.bank.linkHosts).toContain(new URL(started.redirectUrl).host)
      const state = await payments().readAuthorisation(caller, taken.bankPaymentId, started.authorisationId)
      expect(state).toMatchObject({ state: 'open' })
    })

    test('are under way once signed, and completed once booked', async () => {
      const { caller, taken, state } = await decided('sign')
      expect(state).toMatchObject({ state: 'signed' })
      const signed = await payments().read(caller, taken.bankPaymentId, { signed: true })
      expect(['InProgress', 'Completed']).toContain(signed.status)
      if (signed.status === 'InProgress') {
        await harness().settle(taken.bankPaymentId)
      }
      const booked = await payments().read(caller, taken.bankPaymentId, { signed: true })
      expect(booked).toMatchObject({ status: 'Completed' })
    })

    test.each([
      ['reject', 'refused'],
      ['leave', 'cancelled'],
    ] as const)('stay unsigned when the user decides to %s, and can be begun anew', async (decision, state) => {
      const outcome = await decided(decision)
      expect(outcome.state).toMatchObject({ state })
      const { caller, taken } = outcome
      expect(await payments().read(caller, taken.bankPaymentId, { signed: false })).toMatchObject({
        status: 'Unsigned',
      })
      const again = await payments().startAuthorisation(caller, taken.bankPaymentId, harness().back)
      expect(again.authorisationId).not.toBe(outcome.authorisationId)
    })

    test('can be followed while the user is away', async () => {
      const { caller, taken } = await placed()
      const away = { ...caller, psu: null }
      expect(await payments().read(away, taken.bankPaymentId, { signed: false })).toMatchObject({ status: 'Unsigned' })
    })

    test('that are unsigned can be withdrawn', async () => {
      const { caller, taken } = await placed()
      expect(await payments().cancel(caller, taken.bankPaymentId, crypto.randomUUID())).toBe('accepted')
      expect(await payments().read(caller, taken.bankPaymentId, { signed: false })).toMatchObject({
        status: 'Cancelled',
      })
    })

    test('that are booked cannot be withdrawn', async () => {
      const { caller, taken } = await decided('sign')
      await harness()
        .settle(taken.bankPaymentId)
        .catch(() => undefined)
      await expect(payments().cancel(caller, taken.bankPaymentId, crypto.randomUUID())).rejects.toMatchObject({
        kind: 'cancellation-refused',
      })
    })

    test('that the bank never saw are unknown', async () => {
      const { caller } = harness()
      const unknown = { kind: 'unknown-resource' }
      await expect(payments().read(caller, crypto.randomUUID(), { signed: false })).rejects.toMatchObject(unknown)
      await expect(payments().readOrder(caller, crypto.randomUUID())).rejects.toMatchObject(unknown)
    })
  })

  describe('orders that the bank refuses', () => {
    test.each<[string, Partial<DomesticOrder>, string]>([
      ['receiver’s account', { creditor: { bban: '00000000001', name: 'Nobody' } }, 'creditorAccount'],
      ['receiver’s name', { creditor: { bban: '80501200011', name: 'A'.repeat(71) } }, 'creditorName'],
      ['amount', { amount: { minor: 0n, currency: 'NOK' } }, 'amount'],
      ['message', { remittance: { type: 'message', value: 'a_b ¤' } }, 'remittance'],
    ])('for their %s say so', async (_part, change, field) => {
      const refusal = await refusalOf(change)
      expect(refusal).toMatchObject({ kind: 'order-refused', problems: [{ field }] })
    })

    test('for a day that is over say so', async () => {
      const yesterday = (await harness().today()).subtract({ days: 1 })
      expect(await refusalOf({ dueDate: yesterday })).toMatchObject({ kind: 'due-date-refused' })
    })

    test('for an account that is not the user’s say so', async () => {
      const debtor = { bban: '86011117947', name: 'Somebody', currency: 'NOK' }
      expect((await refusalOf({ debtor })).kind).toMatch(/^(access-denied|account-unknown)$/)
    })

    test('leave nothing at the bank', async () => {
      const before = await harness().paymentsHeld()
      await refusalOf({ amount: { minor: 0n, currency: 'NOK' } })
      expect(await harness().paymentsHeld()).toBe(before)
    })
  })

  describe('orders whose answer is lost', () => {
    test.each(['withhold-answer', 'drop-connection'] as const)('(%s) have an unknown outcome', async (effect) => {
      const before = await harness().paymentsHeld()
      await harness().loseAnswer(effect)
      expect(await refusalOf({})).toMatchObject({ kind: 'outcome-unknown' })
      expect(await harness().paymentsHeld()).toBe(before + 1)
    })

    test('because nobody was there to take them were not placed', async () => {
      const { bank } = harness().caller
      const refusal = await refusalOf({}, { bank: { ...bank, address: CLOSED_ADDRESS } })
      expect(refusal).toMatchObject({ kind: 'unavailable' })
    })
  })

  async function placed(change: Partial<DomesticOrder> = {}, other: Partial<BankCaller> = {}) {
    const caller = { ...(await consented()), ...other }
    const order = { ...(await harness().order()), ...change }
    const request = { requestId: crypto.randomUUID(), notification: harness().back.notification }
    return { caller, order, taken: await payments().initiate(caller, order, request) }
  }

  async function decided(decision: UserDecision) {
    const { caller, taken } = await placed()
    const started = await payments().startAuthorisation(caller, taken.bankPaymentId, harness().back)
    await harness().decide(started, decision)
    const state = await payments().readAuthorisation(caller, taken.bankPaymentId, started.authorisationId)
    return { caller, taken, state, authorisationId: started.authorisationId }
  }

  async function refusalOf(change: Partial<DomesticOrder>, other: Partial<BankCaller> = {}) {
    return await placed(change, other).then(
      () => expect.fail('The bank took the order'),
      (refusal) => refusal,
    )
  }
}
