/** Conformance tests of domestic payments. */
import { describe, expect, test } from 'vitest'
import { creditorAccountNumber, type DomesticOrder, submittedAs } from '../connector/bank-order.ts'
import type { BankCaller } from '../connector/connector.ts'
import {
  type ConformanceContext,
  initiateSampleOrder,
  runAuthorisation,
  type UserDecision,
} from './conformance-harness.ts'

/** An invalid account in every country and format. */
const BROKEN = { type: 'account', bban: '00000000001', iban: 'NO0000000000001' } as const

/** Nothing listens on the discard port of this machine. */
const CLOSED_ADDRESS = 'http://127.0.0.1:9'

export function paymentConformance({ harness, ordering, payments }: ConformanceContext): void {
  describe('domestic payments', () => {
    test('are unsigned once accepted', async () => {
      const { caller, at, taken } = await placed()
      expect(at.bankPaymentId).not.toBe('')
      expect(taken.observation).toMatchObject({ status: 'Unsigned', statusReason: null })
      expect(await payments().read(caller, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
    })

    test('on every rail, with a reference, a message, or neither, are accepted, and recognised by accounts and amount', async () => {
      for (const kind of harness().orders) {
        const { caller, at, order, taken } = await placed(kind)
        expect(taken.observation.status).toBe('Unsigned')
        expect(await payments().readOrder(caller, at)).toEqual({
          debtorBban: order.debtor.bban,
          creditorBban: creditorAccountNumber(order.creditor.account),
          amount: order.amount,
        })
      }
    })

    test('are open until the user decides', async () => {
      const { caller, at } = await placed()
      const started = await payments().authorisations.start(caller, at, { back: harness().back, preferred: null })
      const state = await payments().authorisations.read(caller, at, { ...started, partlySigned: false })
      expect(state).toMatchObject({ state: 'open' })
    })

    test('are in progress once signed, and completed once booked where the bank reports that', async () => {
      const { caller, at, state } = await decided('sign')
      expect(state).toMatchObject({ state: 'signed' })
      const signed = await payments().read(caller, at, { signed: true })
      expect(['InProgress', 'Completed']).toContain(signed.status)
      if (signed.status === 'InProgress') {
        await harness().settle(at.bankPaymentId)
      }
      const booked = await payments().read(caller, at, { signed: true })
      const last = caller.bank.profile.lastVisible === 'settled' ? 'Completed' : 'InProgress'
      expect(booked).toMatchObject({ status: last })
    })

    test('from an account without signature are in progress at once', async () => {
      const { caller, at, taken } = await placed({ debtor: harness().debtors.unsigned })
      expect(['InProgress', 'Completed']).toContain(taken.observation.status)
      const later = await payments().read(caller, at, { signed: true })
      expect(['InProgress', 'Completed']).toContain(later.status)
    })

    test('from an account with two signers wait for the second once the first has signed', async () => {
      const { caller, at, state } = await decided('sign', { debtor: harness().debtors.two })
      expect(state).toMatchObject({ state: 'signed' })
      expect(await payments().read(caller, at, { signed: true })).toMatchObject({
        status: 'CustomerActionRequired',
        statusReason: 'PartlySigned',
      })
      const second = { caller: harness().secondSigner, target: at, partlySigned: true }
      expect((await runAuthorisation(harness(), payments().authorisations, second)).state).toMatchObject({
        state: 'signed',
      })
      const { status } = await payments().read(caller, at, { signed: true })
      expect(['InProgress', 'Completed']).toContain(status)
    })

    test.each([
      ['reject', 'rejected'],
      ['leave', 'cancelled'],
    ] as const)('stay unsigned when the user decides to %s, and can be signed again', async (decision, state) => {
      const { caller, at, ...outcome } = await decided(decision)
      expect(outcome.state).toMatchObject({ state: harness().tellsRejections ? state : 'cancelled' })
      expect(await payments().read(caller, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
      const again = await payments().authorisations.start(caller, at, { back: harness().back, preferred: null })
      expect(again.authorisationId).not.toBe(outcome.authorisationId)
    })

    test('can be polled without the user', async () => {
      const { caller, at } = await placed()
      const away = { ...caller, psu: null }
      expect(await payments().read(away, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
    })

    test('can be submitted without the user', async () => {
      const { taken } = await initiateSampleOrder(harness(), { ...(await ordering()), psu: null })
      expect(taken.observation.status).toBe('Unsigned')
    })

    test('that do not exist at the bank are unknown', async () => {
      const { caller } = harness()
      const never = submittedAs(await harness().order(), crypto.randomUUID())
      const unknown = { kind: 'unknown-resource' }
      await expect(payments().read(caller, never, { signed: false })).rejects.toMatchObject(unknown)
      await expect(payments().readOrder(caller, never)).rejects.toMatchObject(unknown)
    })
  })

  describe('orders that the bank rejects', () => {
    test.each<[string, (order: DomesticOrder) => Partial<DomesticOrder>, string]>([
      ['receiver’s account', ({ creditor }) => ({ creditor: { ...creditor, account: BROKEN } }), 'creditorAccount'],
      ['receiver’s name', ({ creditor }) => ({ creditor: { ...creditor, name: 'A'.repeat(71) } }), 'creditorName'],
      ['amount', ({ amount }) => ({ amount: { ...amount, minor: 0n } }), 'amount'],
      ['message', () => ({ remittance: { type: 'message', value: 'a_b ¤' } }), 'remittance'],
    ])('for their %s return that error', async (_part, change, field) => {
      await expect(placed(change(await harness().order()))).rejects.toMatchObject({
        kind: 'order-rejected',
        validationErrors: [{ field }],
      })
    })

    test('for a day in the past return that error', async () => {
      const yesterday = (await harness().today()).subtract({ days: 1 })
      await expect(placed({ dueDate: yesterday })).rejects.toMatchObject({ kind: 'due-date-rejected' })
    })

    test('for an account that is not the user’s return that error', async () => {
      const kind = expect.stringMatching(/^(access-denied|account-unknown)$/)
      await expect(placed({ debtor: harness().foreignDebtor })).rejects.toMatchObject({ kind })
    })

    test('leave nothing at the bank', async () => {
      const before = await harness().paymentsHeld()
      const { amount } = await harness().order()
      await expect(placed({ amount: { ...amount, minor: 0n } })).rejects.toMatchObject({ kind: 'order-rejected' })
      expect(await harness().paymentsHeld()).toBe(before)
    })
  })

  describe('orders whose response is lost', () => {
    test.each(['withhold-answer', 'drop-connection'] as const)('(%s) have an unknown outcome', async (effect) => {
      const before = await harness().paymentsHeld()
      await harness().loseAnswer(effect)
      await expect(placed()).rejects.toMatchObject({ kind: 'outcome-unknown' })
      expect(await harness().paymentsHeld()).toBe(before + 1)
    })

    test('because the bank could not be reached were not submitted', async () => {
      const { bank } = harness().caller
      const unreachable = { bank: { ...bank, address: CLOSED_ADDRESS } }
      await expect(placed({}, unreachable)).rejects.toMatchObject({ kind: 'unavailable' })
    })
  })

  async function placed(change: Partial<DomesticOrder> = {}, other: Partial<BankCaller> = {}) {
    const caller = { ...(await ordering()), ...other }
    return { caller, ...(await initiateSampleOrder(harness(), caller, change)) }
  }

  async function decided(decision: UserDecision, change: Partial<DomesticOrder> = {}) {
    const { caller, at } = await placed(change)
    const { state, begun, by } = await runAuthorisation(harness(), payments().authorisations, {
      caller,
      target: at,
      decision,
    })
    return { caller: by, at, state, authorisationId: begun.authorisationId }
  }
}
