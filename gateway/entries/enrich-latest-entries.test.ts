/** Tests that the latest entries are enriched, in any order of a bank's list, and at a limited cost. */
import { describe, expect, test } from 'vitest'
import type { BankEntry } from '../banks/connector/bank-account.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { ENRICHMENT_LIMITS, enrichLatestEntries } from './enrich-latest-entries.ts'
import { entryFormatter } from './format-entry.ts'
import type { EntryReader } from './open-entry-reader.ts'
import { bankEntry, paged, sampleAccount, shown } from './testing/entry-samples.ts'

/** A bank that responds as given, and counts its calls. */
function bankThat(answer: (id: string) => Promise<BankEntry>) {
  const requested: string[] = []
  let [now, most] = [0, 0]
  const accounts = {
    entryDetails: async (_caller: unknown, _resource: string, id: string) => {
      requested.push(id)
      now += 1
      most = Math.max(most, now)
      try {
        return await answer(id)
      } finally {
        now -= 1
      }
    },
  }
  const reading = {
    account: sampleAccount,
    bank: { profile: { entries: { details: true } } },
    accounts,
    request: (call: (caller: unknown) => unknown) => call({}),
    withQuota: (_kind: string, work: () => unknown) => work(),
  }
  // Fields that enriching does not use are left out.
  return { reading: reading as unknown as EntryReader, requested, most: () => most }
}

const reported = async (id: string) => bankEntry({ transactionId: id, purposeText: `reported of ${id}` })
const firstDay = Temporal.PlainDate.from('2026-01-01')
/** One a day from the first day on. */
const daily = (count: number) =>
  Array.from({ length: count }, (_, n) => bankEntry({ transactionId: `D${n}`, bookedOn: firstDay.add({ days: n }) }))
const pagesOf = (entries: readonly BankEntry[], size: number) =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, n) => entries.slice(n * size, (n + 1) * size))

async function enriched(reading: EntryReader, pages: readonly (readonly BankEntry[])[]) {
  return (await Array.fromAsync(enrichLatestEntries(reading, paged(...pages)))).flat()
}

describe.each([
  ['oldest first', (entries: readonly BankEntry[]) => entries],
  ['latest first', (entries: readonly BankEntry[]) => entries.toReversed()],
])('entries listed %s', (_order, inOrder) => {
  test('stay in their order, and a limited number of the latest are enriched', async () => {
    const { reading, requested, most } = bankThat(reported)
    const entries = inOrder(daily(350))
    const result = await enriched(reading, pagesOf(entries, 60))
    expect(result.map((one) => one.reported.transactionId)).toEqual(entries.map(({ transactionId }) => transactionId))
    const latest = daily(350)
      .slice(-ENRICHMENT_LIMITS.callsMax)
      .map(({ transactionId }) => transactionId)
    const shown = result.filter((one) => one.enriched)
    expect(new Set(shown.map((one) => one.reported.transactionId))).toEqual(new Set(latest))
    expect(shown.every((one) => one.reported.purposeText === `reported of ${one.reported.transactionId}`)).toBe(true)
    expect(requested).toHaveLength(ENRICHMENT_LIMITS.callsMax)
    expect(most()).toBeLessThanOrEqual(ENRICHMENT_LIMITS.atOnce)
  })

  test('are written before the last of them is read', async () => {
    const { reading } = bankThat(reported)
    let read = 0
    const pages = pagesOf(inOrder(daily(350)), 50)
    const source = (async function* () {
      for (const page of pages) {
        read += 1
        yield page
      }
    })()
    const iterator = enrichLatestEntries(reading, source)
    await iterator.next()
    await iterator.return(undefined)
    expect(read).toBeLessThan(pages.length)
  })
})

describe('a bank', () => {
  test('that does not know a single entry is still asked for the others', async () => {
    const { reading, requested } = bankThat(async (id) => {
      if (id === 'D3') {
        throw new BankError('unknown-resource', 'no')
      }
      return await reported(id)
    })
    const result = await enriched(reading, [daily(6)])
    expect(requested).toHaveLength(6)
    expect(result.filter((one) => !one.enriched).map((one) => one.reported.transactionId)).toEqual(['D3'])
  })

  test.each([
    ['forbids it', new BankError('access-denied', 'no'), 1],
    ['requires the user to be present', new BankError('too-many-reads', 'no'), 1],
    ['has reached its limit for today', apiError('too-many-requests', 'no'), 1],
    ['does not respond', new BankError('unavailable', 'no'), ENRICHMENT_LIMITS.failuresMax],
  ])('that %s is skipped soon, and the entries are reported without details', async (_what, error, failures) => {
    const { reading, requested } = bankThat(() => Promise.reject(error))
    const result = await enriched(reading, [daily(60)])
    expect(requested.length).toBeLessThan(failures + ENRICHMENT_LIMITS.atOnce)
    expect(result).toHaveLength(60)
    expect(result.some((one) => one.enriched)).toBe(false)
  })

  test('that takes too long is not waited for, and not called again', async () => {
    const { reading, requested } = bankThat(() => new Promise(() => undefined))
    const limits = { ...ENRICHMENT_LIMITS, millisecondsMax: 1_000 }
    const result = (await Array.fromAsync(enrichLatestEntries(reading, paged(daily(60)), limits))).flat()
    expect(requested).toHaveLength(ENRICHMENT_LIMITS.atOnce)
    expect(result.filter((one) => one.enriched)).toEqual([])
    expect(result).toHaveLength(60)
  })

  test('an error of ours while enriching fails the list', async () => {
    const { reading } = bankThat(() => Promise.reject(new TypeError('bug')))
    await expect(enriched(reading, [daily(3)])).rejects.toThrow('bug')
  })

  test('that reports no id for an entry is not asked for its details', async () => {
    const { reading, requested } = bankThat(reported)
    await enriched(reading, [[bankEntry({ transactionId: null })]])
    expect(requested).toEqual([])
  })
})

describe('details', () => {
  test('add to the entry of the list, and change nothing in it: its identity stays', async () => {
    const parts = [bankEntry({ endToEndId: 'PART' })]
    const { reading } = bankThat(async () =>
      bankEntry({
        transactionId: null,
        lastingId: null,
        status: 'pending',
        counterpartyName: null,
        endToEndId: 'E2E',
        parts,
      }),
    )
    const listed = bankEntry({ transactionId: 'D1', lastingId: 'L1' })
    const [result] = await enriched(reading, [[listed]])
    const whole = { ...listed, endToEndId: 'E2E', parts, bookedOn: listed.bookedOn }
    expect(result).toEqual({ reported: whole, listed, enriched: true })
  })

  test.each([
    ['amount', { amount: { minor: -1n, currency: 'NOK' } }],
    ['currency', { amount: { minor: -125_000n, currency: 'SEK' } }],
    ['direction', { amount: { minor: 125_000n, currency: 'NOK' } }],
    ['id', { transactionId: 'D2' }],
    ['reference', { entryReference: 'R2' }],
  ])('with another %s belong to another entry, and are ignored', async (_what, another) => {
    const listed = bankEntry({ transactionId: 'D1', entryReference: 'R1' })
    const { reading } = bankThat(async () => ({ ...listed, purposeText: 'of another', ...another }))
    expect(await enriched(reading, [[listed]])).toEqual([{ reported: listed, listed, enriched: false }])
  })

  test('that give as id what the list gave as reference are used', async () => {
    const listed = bankEntry({ transactionId: 'R1', entryReference: 'R1' })
    const { reading } = bankThat(async () => ({ ...listed, transactionId: 'D1', purposeText: 'reported' }))
    expect(await enriched(reading, [[listed]])).toMatchObject([
      { reported: { purposeText: 'reported' }, enriched: true },
    ])
  })

  test('do not change the id of an entry without a bank reference', async () => {
    const listed = daily(3).map((one) => ({ ...one, lastingId: null }))
    const { reading } = bankThat(async (id) => bankEntry({ transactionId: id, lastingId: null, messages: ['Order 1'] }))
    const show = entryFormatter(sampleAccount)
    const extended = (await enriched(reading, [listed])).map((read) => show(read, undefined).shown)
    expect(extended.map((one) => one.enriched)).toEqual([true, true, true])
    expect(extended.map(({ stableEntryId }) => stableEntryId)).toEqual(
      shown(listed).map((one) => one.shown.stableEntryId),
    )
  })
})
