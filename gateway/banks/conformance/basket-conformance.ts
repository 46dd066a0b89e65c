/** Conformance tests of signing baskets, at banks with and without them. */
import { describe, expect, type TestContext, test } from 'vitest'
import type { SubmittedOrder } from '../connector/bank-order.ts'
import type { BankCaller } from '../connector/connector.ts'
import { type ConformanceContext, initiateSampleOrder, required, runAuthorisation } from './conformance-harness.ts'

export function basketConformance({ harness, ordering, payments }: ConformanceContext): void {
  describe('baskets', () => {
    test('are signed as one where the bank has them, and are rejected elsewhere', async () => {
      const { caller, orders } = await placed()
      if (caller.bank.profile.baskets === null) {
        await expect(tie(caller, orders)).rejects.toMatchObject({ kind: 'unsupported-product' })
        return
      }
      const { bankBasketId } = await tie(caller, orders)
      const { state } = await runAuthorisation(harness(), product().authorisations, { caller, target: bankBasketId })
      expect(state).toMatchObject({ state: 'signed' })
      for (const at of orders) {
        const { status } = await payments().read(caller, at, { signed: true })
        expect(['InProgress', 'Completed']).toContain(status)
      }
    })

    test('that their user rejects leave their orders unsigned', async ({ skip }) => {
      const { caller, orders } = await placed(skip)
      const { bankBasketId } = await tie(caller, orders)
      const signing = { caller, target: bankBasketId, decision: 'reject' } as const
      expect((await runAuthorisation(harness(), product().authorisations, signing)).state).toMatchObject({
        state: 'rejected',
      })
      for (const at of orders) {
        expect(await payments().read(caller, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
      }
    })

    test('that are deleted release their orders, and deleting again does no harm', async ({ skip }) => {
      const { caller, orders } = await placed(skip)
      const { bankBasketId } = await tie(caller, orders)
      await expect(tie(caller, orders)).rejects.toMatchObject({ kind: 'basket-rejected' })
      await product().drop(caller, bankBasketId)
      await product().drop(caller, bankBasketId)
      await product().drop(caller, crypto.randomUUID())
      for (const target of orders) {
        const { state } = await runAuthorisation(harness(), payments().authorisations, { caller, target })
        expect(state).toMatchObject({ state: 'signed' })
      }
    })

    test('that are signed cannot be deleted', async ({ skip }) => {
      const { caller, orders } = await placed(skip)
      const { bankBasketId } = await tie(caller, orders)
      await runAuthorisation(harness(), product().authorisations, { caller, target: bankBasketId })
      await expect(product().drop(caller, bankBasketId)).rejects.toMatchObject({ kind: 'basket-rejected' })
    })

    test('of signed orders are rejected', async ({ skip }) => {
      const { caller, orders } = await placed(skip)
      const [target] = orders
      await runAuthorisation(harness(), payments().authorisations, { caller, target })
      await expect(tie(caller, orders)).rejects.toMatchObject({ kind: 'basket-rejected' })
    })
  })

  const product = () => required(harness().connector.baskets, 'The connector offers no baskets')

  /** Two orders; `skip` is called where the bank has no baskets. */
  async function placed(skip?: TestContext['skip']) {
    const caller = await ordering()
    skip?.(caller.bank.profile.baskets === null, 'The bank has no baskets')
    const first = await initiateSampleOrder(harness(), caller)
    const second = await initiateSampleOrder(harness(), caller)
    return { caller, orders: [first.at, second.at] as const }
  }

  function tie(caller: BankCaller, orders: readonly SubmittedOrder[]) {
    return product().create(caller, { payments: orders, requestId: crypto.randomUUID(), back: harness().back })
  }
}
