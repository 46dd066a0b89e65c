/** Conformance tests of booked and pending entries, for any way in which banks list them. */
import { describe, expect, test } from 'vitest'
import type { BankEntry, EntriesQuery } from '../connector/bank-account.ts'
import type { BankCaller } from '../connector/connector.ts'
import { accountOf, type ConformanceContext, required } from './conformance-harness.ts'

/** More than one page at any bank. */
const MANY = 120
const MANY_DAYS = 60
/** They have a few of the many entries. */
const RECENT_DAYS = 3

export function entryConformance({ harness, consented }: ConformanceContext): void {
  describe('entries', () => {
    test('of many pages are returned once each, in one order, with an id and in the account’s currency', async () => {
      const at = await mainAccount()
      await harness().bookMany(at.bban, MANY)
      const entries = await read(at, 'booked', MANY_DAYS)
      expect(entries.length).toBeGreaterThanOrEqual(MANY)
      expect(new Set(entries.map(({ transactionId }) => transactionId)).size).toBe(entries.length)
      const days = entries.map(({ bookedOn }) =>
        required(bookedOn ?? undefined, 'A booked entry has no day').toString(),
      )
      const isSorted = [days.toSorted(), days.toSorted().toReversed()].some((sorted) => `${sorted}` === `${days}`)
      expect(isSorted).toBe(true)
      for (const entry of entries) {
        expect(entry).toMatchObject({ status: 'booked', amount: { currency: at.currency } })
        expect(entry.transactionId).toMatch(/\S/)
      }
    })

    test('that are read partly do not affect the next read', async () => {
      const at = await mainAccount()
      for await (const some of product().entries(at.caller, at.resourceId, await requested('both', MANY_DAYS))) {
        expect(some.length).toBeGreaterThan(0)
        break
      }
      expect((await read(at, 'booked')).length).toBeGreaterThan(0)
    })

    test('are the same in one list and in two, and pending entries are booked under the same identity', async () => {
      const at = await mainAccount()
      await harness().expectMoney(at.bban, 4_711_00n)
      const [booked, pending, both] = [await read(at, 'booked'), await read(at, 'pending'), await read(at, 'both')]
      const isBooked = (one: BankEntry) => booked.some(({ lastingId }) => lastingId === (one.lastingId ?? undefined))
      const left = pending.filter((one) => !isBooked(one))
      expect(both.map(known)).toEqual([...booked, ...left].map(known))
      const expected = pending.filter(({ amount }) => amount.minor === 4_711_00n)
      expect(expected).toHaveLength(at.caller.bank.profile.entries.pending ? 1 : 0)
      await harness().receiveMoney(at.bban)
      const after = (await read(at, 'both')).filter(({ amount }) => amount.minor === 4_711_00n)
      expect(after).toMatchObject([{ status: 'booked', counterpartyName: 'Kunde' }])
      if (expected.length > 0) {
        expect(after[0]?.lastingId).toMatch(/\S/)
        expect(after[0]?.lastingId).toBe(expected[0]?.lastingId)
      }
    })

    test('can be read one by one where the bank supports it, with its details', async () => {
      const at = await mainAccount()
      const [listed] = await read(at, 'booked')
      const entry = required(listed, 'There is no entry')
      const details = async (id: string | null) =>
        await required(product().entryDetails, 'The connector offers no entry details')(
          at.caller,
          at.resourceId,
          id ?? '',
        )
      if (at.caller.bank.profile.entries.details) {
        const { transactionId, amount, bookedOn, lastingId } = entry
        const reported = await details(transactionId)
        expect(reported).toMatchObject({ transactionId, amount, lastingId, status: 'booked' })
        expect(reported.bookedOn?.toString()).toBe(bookedOn?.toString())
        await expect(details(crypto.randomUUID())).rejects.toMatchObject({ kind: 'unknown-resource' })
      } else {
        await expect(details(entry.transactionId)).rejects.toMatchObject({ kind: 'unsupported-product' })
      }
    })

    test('of days that the bank does not serve are rejected for that reason', async () => {
      const at = await mainAccount()
      const days = { from: Temporal.PlainDate.from('1999-01-01'), to: Temporal.PlainDate.from('1999-01-31') }
      const reading = Array.fromAsync(product().entries(at.caller, at.resourceId, { days, which: 'booked' }))
      await expect(reading).rejects.toMatchObject({ kind: 'period-rejected' })
    })

    test('of an account that the consent does not include are rejected', async () => {
      const { caller } = await mainAccount()
      const reading = Array.fromAsync(product().entries(caller, crypto.randomUUID(), await requested('booked')))
      await expect(reading).rejects.toMatchObject({ kind: 'account-unknown' })
    })
  })

  const product = () => required(harness().connector.accounts, 'The connector offers no accounts')

  const requested = async (which: EntriesQuery['which'], days = RECENT_DAYS): Promise<EntriesQuery> => {
    const to = await harness().today()
    return { days: { from: to.subtract({ days }), to }, which }
  }

  async function mainAccount() {
    const caller = await consented()
    const { debtor } = await harness().order()
    const account = await accountOf(harness(), caller, debtor)
    return { caller, bban: debtor.bban, resourceId: account.resourceId, currency: account.currency }
  }

  async function read(
    { caller, resourceId }: { readonly caller: BankCaller; readonly resourceId: string | null },
    which: EntriesQuery['which'],
    days = RECENT_DAYS,
  ): Promise<readonly BankEntry[]> {
    return (await Array.fromAsync(product().entries(caller, resourceId, await requested(which, days)))).flat()
  }
}

function known({ lastingId, transactionId, amount }: BankEntry): string {
  return `${lastingId} ${transactionId} ${amount.minor}`
}
