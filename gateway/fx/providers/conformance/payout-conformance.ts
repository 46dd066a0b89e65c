/** Conformance suite: payouts, inbound funds and their return, notifications. */
import { describe, expect, test } from 'vitest'
import type { Conversion } from '../conversion.ts'
import type { ProviderInboundFunds } from '../fx-provider.ts'
import type { PayoutOrder } from '../payout.ts'
import { type FxConformanceTools, rejectionKindOf } from './fx-conformance-harness.ts'

export function payoutConformance({ harness, booked }: FxConformanceTools): void {
  const ordered = async (conversion: Conversion): Promise<PayoutOrder> => {
    const { provider, receiver } = harness()
    const { id: beneficiaryId } = await provider.createBeneficiary(receiver, crypto.randomUUID())
    const order = { beneficiaryId, amount: conversion.buy, conversionId: conversion.id }
    const words = { reference: 'Invoice 7', reason: 'Goods', purposeCode: null, method: 'priority' } as const
    return { ...order, ...words, requestId: crypto.randomUUID(), payer: null }
  }
  /** A settled conversion, so that its bought amount can be paid out. */
  const settled = async (): Promise<Conversion> => {
    const conversion = await booked()
    await harness().send(conversion.sell, 'Funding')
    await harness().pass({ hours: 120 })
    return conversion
  }

  describe('a payout', () => {
    test('waits for its conversion, leaves, and arrives', async () => {
      const { provider, send, pass } = harness()
      const conversion = await booked()
      const order = await ordered(conversion)
      const payout = await provider.orderPayout(order)
      const { amount, requestId } = order
      expect(payout).toMatchObject({ state: 'waiting', amount, requestId })
      expect(await provider.readPayout(payout.id)).toEqual(payout)
      await send(conversion.sell, 'Funding')
      await pass({ hours: 120 })
      expect(await provider.readPayout(payout.id)).toMatchObject({ state: 'completed' })
      expect(await provider.findPayout(requestId)).toMatchObject({ id: payout.id, state: 'completed' })
    })

    test('again with the same id is the same payout, also concurrently', async () => {
      const { provider, held } = harness()
      const order = await ordered(await booked())
      const all = await Promise.all([1, 2, 3, 4].map(() => provider.orderPayout(order)))
      expect(new Set(all.map(({ id }) => id)).size).toBe(1)
      expect(await held(order.requestId)).toBe(1)
    })

    test.each(['whole', 'half'] as const)('whose response was lost (%s) is found, and exists once', async (fault) => {
      const { provider, loseAnswer, held } = harness()
      const order = await ordered(await booked())
      await loseAnswer('paying-out', fault)
      expect(await rejectionKindOf(provider.orderPayout(order))).toBe('outcome-unknown')
      const found = await provider.findPayout(order.requestId)
      expect(found).toMatchObject({ requestId: order.requestId, amount: order.amount })
      expect(await provider.orderPayout(order)).toMatchObject({ id: found?.id })
      expect(await held(order.requestId)).toBe(1)
    })

    test('of more than was bought is rejected', async () => {
      const { provider } = harness()
      const order = await ordered(await booked())
      const amount = { ...order.amount, minor: order.amount.minor + 1n }
      expect(await rejectionKindOf(provider.orderPayout({ ...order, amount }))).toBe('invalid')
      expect(await provider.findPayout(order.requestId)).toBeNull()
    })

    test.each([
      ['held', { state: 'held' }],
      ['failed', { state: 'failed' }],
      ['returned', { state: 'failed' }],
    ] as const)('may be %s, and reports what was returned', async (fault, outcome) => {
      const { provider, fail, pass } = harness()
      const order = await ordered(await settled())
      await fail(fault)
      const { id } = await provider.orderPayout(order)
      await pass({ hours: 96 })
      const payout = await provider.readPayout(id)
      expect(payout).toMatchObject(outcome)
      expect(payout.returned).toEqual(fault === 'held' ? null : order.amount)
      expect(payout.failureReason === null).toBe(fault === 'held')
    })
  })

  describe('inbound funds', () => {
    const receiptsSince = async (since: Temporal.Instant): Promise<readonly ProviderInboundFunds[]> =>
      (await Array.fromAsync(harness().provider.inboundFunds(since))).flat().filter((reported) => 'amount' in reported)

    test('are listed with their reference, once each, in order, and from a given time', async () => {
      const { provider, pair, send, now, pass } = harness()
      await pass({ seconds: 5 })
      const since = await now()
      const amounts = [10_001n, 10_002n, 10_003n].map((minor) => ({ minor, currency: pair.sell }))
      for (const [index, amount] of amounts.entries()) {
        await pass({ seconds: 2 })
        await send(amount, `HVNREFERENCE${index}`)
      }
      const inboundFunds = await receiptsSince(since)
      expect(inboundFunds.map(({ amount, reference }) => ({ amount, reference }))).toEqual(
        amounts.map((amount, index) => ({ amount, reference: `HVNREFERENCE${index}` })),
      )
      const [first, second] = inboundFunds
      expect(await provider.readInboundFunds(first?.id ?? '')).toEqual(first)
      const later = await receiptsSince(second?.receivedAt ?? since)
      expect(later.map(({ id }) => id)).toEqual(inboundFunds.slice(1).map(({ id }) => id))
      expect(await receiptsSince((await now()).add({ hours: 1 }))).toEqual([])
    })

    test('of many pages are listed completely', async () => {
      const { pair, send, now, pass } = harness()
      await pass({ seconds: 5 })
      const since = await now()
      for (let index = 0; index < 60; index += 1) {
        await send({ minor: BigInt(20_000 + index), currency: pair.sell }, `Many ${index}`)
      }
      const ids = (await receiptsSince(since)).map(({ id }) => id)
      expect(new Set(ids).size).toBe(60)
      expect(ids).toHaveLength(60)
    })

    test('are returned to their sender, once per request id', async () => {
      const { provider, pair, send, now, pass, held } = harness()
      await pass({ seconds: 5 })
      const since = await now()
      await send({ minor: 55_555n, currency: pair.sell }, 'Too late')
      const [receipt] = await receiptsSince(since)
      const recorded = { id: receipt?.id ?? '', amount: { minor: 55_555n, currency: pair.sell } }
      const requestId = crypto.randomUUID()
      const [one, other] = await Promise.all([
        provider.returnInboundFunds(recorded, requestId),
        provider.returnInboundFunds(recorded, requestId),
      ])
      expect(one).toEqual(other)
      expect(await provider.returnInboundFunds(recorded, requestId)).toEqual(one)
      expect(await held(requestId)).toBe(1)
      await pass({ hours: 96 })
      expect(await provider.readPayout(one.payoutId)).toMatchObject({
        state: 'completed',
        amount: { minor: 55_555n, currency: pair.sell },
        requestId,
      })
    })
  })

  describe('a notification of the provider', () => {
    test('contains what changed, and is accepted only unaltered', async () => {
      const { provider, arrived, send, pass } = harness()
      await arrived()
      const conversion = await booked()
      const payout = await provider.orderPayout(await ordered(conversion))
      await send(conversion.sell, 'Funding')
      await pass({ hours: 120 })
      const pushed = await arrived()
      const notices = pushed.flatMap((one) => provider.parseNotification(one) ?? [])
      const { requestId } = conversion
      expect(notices).toContainEqual({ about: 'conversion', id: conversion.id, requestId })
      expect(notices).toContainEqual({ about: 'payout', id: payout.id, requestId: payout.requestId })
      const about = notices.find((notice) => notice.about === 'receipt')
      expect(await provider.readInboundFunds(about?.id ?? '')).toMatchObject({ amount: conversion.sell })
      for (const { headers, rawBody } of pushed) {
        const changed = Buffer.concat([rawBody, Buffer.from(' ')])
        expect(provider.parseNotification({ headers, rawBody: changed })).toBeNull()
        expect(provider.parseNotification({ headers: {}, rawBody })).toBeNull()
      }
    })
  })
}
