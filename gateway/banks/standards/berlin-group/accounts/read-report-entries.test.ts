/** Shows that a report gives the same entries for any chunks, and that invalid reports are rejected. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../../platform/parse-json.ts'
import { type ReportEntry, readReportEntries, UnreadableReport } from './read-transaction-reports.ts'

/** Texts that look like the structure around them. */
const anyText = fc.constantFrom('"', '\\', '{}', ']}', '[{"booked":[', 'å', '🌊', '\u2028', '', ' ')
const entry = fc.record({ transactionId: anyText, nested: fc.jsonValue({ maxDepth: 3 }), text: fc.string() })

describe('a report', () => {
  test('is parsed into the same entries wherever its chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry),
        fc.array(entry),
        fc.array(fc.integer({ min: 1, max: 40 })),
        fc.integer({ min: 0, max: 4 }),
        async (...made) => {
          const [booked, pending, sizes, indent] = made
          const report = {
            account: { booked: 'x' },
            transactions: { booked, pending, _links: { next: { href: '/2' } } },
          }
          const text = JSON.stringify(report, null, indent)
          const { entries, shell } = await scanned(partsOf(text, sizes))
          expect(entries).toEqual(
            [
              ...booked.map((value) => ({ list: 'booked', value })),
              ...pending.map((value) => ({ list: 'pending', value })),
            ].map(({ list, value }) => ({ list, value: parseJson(JSON.stringify(value)) })),
          )
          expect(shell).toEqual({ ...report, transactions: { ...report.transactions, booked: [], pending: [] } })
        },
      ),
    )
  })

  test('has entries in its own lists only, whatever else has the same name', async () => {
    const { entries, shell } = await scanned([
      '{"booked":[{"a":1}],"account":{"transactions":{"booked":[{"b":2}]}},"transactions.booked":[{"f":6}],',
      '"transactions":{"x":{"booked":[{"c":3}]},"information":[{"d":4}],"b\\u006foked":[{"e":5}]}}',
    ])
    expect(entries).toEqual([{ list: 'booked', value: { e: 5 } }])
    expect(shell).toMatchObject({ booked: [{ a: 1 }], transactions: { information: [{ d: 4 }], booked: [] } })
  })

  test.each([
    ['is cut off', '{"transactions":{"booked":[{"a":1},{"a"'],
    ['is cut off between two entries', '{"transactions":{"booked":[{"a":1},'],
    ['is empty', ''],
    ['is XML', '<Document/>'],
    ['has an entry with invalid JSON', '{"transactions":{"booked":[{"a":01}]}}'],
    ['continues after its end', '{"transactions":{}}{}'],
  ])('that %s cannot be read', async (_how, text) => {
    await expect(scanned([text])).rejects.toThrow(UnreadableReport)
  })

  const SHORT = 'x'.repeat(100_000)
  const SHORTS = Array.from({ length: 50 }, () => `"${SHORT}"`).join(',')
  test.each([
    ['an endless text in an entry', `{"transactions":{"booked":[{"a":"${'x'.repeat(5 * 1024 * 1024)}`, 'longer than'],
    ['an endless entry', `{"transactions":{"booked":[{"a":[${SHORTS}`, 'in one element'],
    ['endless content around the entries', `{"about":[${SHORTS}`, 'outside of the lists'],
  ])('is delayed by %s only for a limited time', async (_what, text, message) => {
    await expect(scanned(partsOf(text, [65_536]))).rejects.toThrow(message)
  })

  test('of any length is buffered only as far as its entries were not passed on', async () => {
    const many = Array.from({ length: 60 }, () => `{"a":"${SHORT}"}`).join(',')
    expect((await scanned(partsOf(`{"transactions":{"booked":[${many}]}}`, [65_536]))).entries.length).toBe(60)
  })
})

async function scanned(parts: readonly (string | Uint8Array)[]) {
  const entries: ReportEntry[] = []
  const report = readReportEntries(streamOf(parts))
  for (let step = await report.next(); ; step = await report.next()) {
    if (step.done === true) {
      return { entries, shell: step.value }
    }
    entries.push(...step.value)
  }
}

async function* streamOf(parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  yield* parts.map((part) => Buffer.from(part))
}

/** The text in chunks of these sizes, in turn; they also end inside of characters. */
function partsOf(text: string, sizes: readonly number[]): readonly Uint8Array[] {
  const bytes = Buffer.from(text)
  const parts: Uint8Array[] = []
  let from = 0
  for (let turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    parts.push(bytes.subarray(from, from + size))
    from += size
  }
  return parts
}
