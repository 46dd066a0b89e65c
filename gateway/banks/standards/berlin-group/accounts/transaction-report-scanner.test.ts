/** Shows that a report gives the same entries for any chunks, and that invalid reports are rejected. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../../platform/parse-json.ts'
import { type ScannedEntry, scanReport, UnreadableReport } from './transaction-report-scanner.ts'

/** Texts that look like the structure around them. */
const anyText = fc.constantFrom('"', '\\', '{}', ']}', '[{"booked":[', 'å', '🌊', '\u2028', '', ' ')
const entry = fc.record({ transactionId: anyText, nested: fc.jsonValue({ maxDepth: 3 }), text: fc.string() })

describe('a report', () => {
  test('comes apart into the same entries wherever its parts end', () => {
    fc.assert(
      fc.property(
        fc.array(entry),
        fc.array(entry),
        fc.array(fc.integer({ min: 1, max: 40 })),
        fc.integer({ min: 0, max: 4 }),
        (...made) => {
          const [booked, pending, sizes, indent] = made
          const report = {
            account: { booked: 'x' },
            transactions: { booked, pending, _links: { next: { href: '/2' } } },
          }
          const text = JSON.stringify(report, null, indent)
          const { entries, shell } = scanned(partsOf(text, sizes))
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

  test('has entries in its own lists only, whatever else is called like them', () => {
    const { entries, shell } = scanned([
      '{"booked":[{"a":1}],"account":{"transactions":{"booked":[{"b":2}]}},"transactions":{"x":{"booked":[{"c":3}]},',
      '"information":[{"d":4}],"booked":[{"e":5}]}}',
    ])
    expect(entries).toEqual([{ list: 'booked', value: { e: 5 } }])
    expect(shell).toMatchObject({ booked: [{ a: 1 }], transactions: { information: [{ d: 4 }], booked: [] } })
  })

  test('keeps what is no entry in its list, so that it is seen', () => {
    expect(scanned(['{"transactions":{"booked":[1,null,[{}]]}}']).entries).toEqual([])
    expect(() => scanned(['{"transactions":{"booked":[1,null,[{}]]}}']).shell).toThrow(UnreadableReport)
    expect(scanned(['{"transactions":{"booked":[7]}}']).shell).toEqual({ transactions: { booked: [7] } })
  })

  test.each([
    ['is cut off', '{"transactions":{"booked":[{"a":1},{"a"'],
    ['is cut off between two entries', '{"transactions":{"booked":[{"a":1},'],
    ['is nothing', ''],
    ['is XML', '<Document/>'],
    ['has an entry that is no JSON', '{"transactions":{"booked":[{"a":01}]}}'],
    ['goes on behind its end', '{"transactions":{}}{}'],
  ])('that %s cannot be read', (_how, text) => {
    expect(() => scanned([text]).shell).toThrow(UnreadableReport)
  })

  test('is held up neither by an endless entry nor by endless talk around them', () => {
    const endless = 'x'.repeat(5 * 1024 * 1024)
    expect(() => scanned([`{"transactions":{"booked":[{"a":"${endless}`])).toThrow('An entry of the report exceeds')
    expect(() => scanned([`{"about":"${endless}`])).toThrow('outside its entries')
  })
})

function scanned(parts: readonly (string | Uint8Array)[]) {
  const scanner = scanReport()
  const entries: ScannedEntry[] = parts.flatMap((part) => scanner.take(Buffer.from(part)))
  return {
    entries,
    get shell() {
      return scanner.end()
    },
  }
}

/** The text in parts of these sizes, in turn; they end inside of characters, too. */
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
