/** Conformance tests of cancellations, according to the bank's profile. */
import { describe, expect, test } from 'vitest'
import type { SubmittedOrder } from '../connector/bank-order.ts'
import type { BankCaller } from '../connector/connector.ts'
import { type ConformanceContext, initiateSampleOrder, runAuthorisation, settleIfOpen } from './conformance-harness.ts'

/** Far enough ahead that no bank executes the order during a test. */
const DAYS_AHEAD = 14

export function cancellationConformance({ harness, ordering, payments }: ConformanceContext): void {
  describe('cancelling', () => {
    test('an unsigned order succeeds at once where the bank supports cancellation, and is rejected elsewhere', async () => {
      const { caller, at } = await placed(false)
      if (caller.bank.profile.cancellation === 'none') {
        await expect(withdraw(caller, at)).rejects.toMatchObject({ kind: 'cancellation-rejected' })
        expect(await payments().read(caller, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
      } else {
        expect(await withdraw(caller, at)).toBe('accepted')
        expect(await payments().read(caller, at, { signed: false })).toMatchObject({ status: 'Cancelled' })
      }
    })

    test('a signed order with a later date follows the profile', async () => {
      const { caller, at } = await placed(true)
      const { cancellation } = caller.bank.profile
      if (cancellation === 'none') {
        await expect(withdraw(caller, at)).rejects.toMatchObject({ kind: 'cancellation-rejected' })
      } else {
        expect(await withdraw(caller, at)).toBe(cancellation === 'free' ? 'accepted' : 'authorisation-required')
      }
      const { status } = await payments().read(caller, at, { signed: true })
      expect(status).toBe(cancellation === 'free' ? 'Cancelled' : 'InProgress')
    })

    test.for(['sign', 'reject', 'leave'] as const)(
      'with a signature is completed by the signature (%s)',
      async (decision, context) => {
        const { profile } = harness().caller.bank
        context.skip(profile.cancellation !== 'after-signing', 'The bank wants no signature')
        const { caller, at } = await placed(true)
        await withdraw(caller, at)
        const signing = { caller, target: at, decision }
        const { state } = await runAuthorisation(harness(), payments().cancellation.authorisations, signing)
        const { status } = await payments().read(caller, at, { signed: true })
        expect(status).toBe(decision === 'sign' ? 'Cancelled' : 'InProgress')
        expect(state.state === 'signed').toBe(decision === 'sign')
      },
    )

    test('a booked order is rejected', async () => {
      const caller = await ordering()
      const { at } = await initiateSampleOrder(harness(), caller)
      const { by } = await runAuthorisation(harness(), payments().authorisations, { caller, target: at })
      await settleIfOpen(harness(), at)
      await expect(withdraw(by, at)).rejects.toMatchObject({ kind: 'cancellation-rejected' })
    })

    test('an order that does not exist at the bank is rejected as unknown', async () => {
      const { caller, at } = await placed(false)
      // Without tokens: an unsigned order needs none.
      const stranger = { ...harness().caller, userId: caller.userId }
      const withdrawal = withdraw(stranger, { ...at, bankPaymentId: crypto.randomUUID() })
      await expect(withdrawal).rejects.toMatchObject({ kind: 'unknown-resource' })
    })
  })

  async function placed(signed: boolean) {
    const caller = await ordering()
    const { at } = await initiateSampleOrder(harness(), caller, { dueDate: await laterDay() })
    if (!signed) {
      return { caller, at }
    }
    const { state, by } = await runAuthorisation(harness(), payments().authorisations, { caller, target: at })
    expect(state).toMatchObject({ state: 'signed' })
    return { caller: by, at }
  }

  async function laterDay(): Promise<Temporal.PlainDate> {
    return (await harness().today()).add({ days: DAYS_AHEAD })
  }

  function withdraw(caller: BankCaller, at: SubmittedOrder) {
    return payments().cancellation.cancel(caller, at, crypto.randomUUID())
  }
}
