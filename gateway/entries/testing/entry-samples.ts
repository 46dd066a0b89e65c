/** Samples of entries as banks report them, valid unless stated otherwise, and every entry that a bank may report. */
import fc from 'fast-check'
import type { BankEntry, EntryParty } from '../../banks/connector/bank-account.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import { anyCharacter } from '../../testing/any-character.ts'
import type { Entry } from '../entry.ts'
import { entryFormatter } from '../format-entry.ts'

const NOBODY: EntryParty = { bban: null, iban: null, name: null }
let count = 0

export const sampleAccount: ConsentAccount = {
  id: '01a207a2-5e10-747c-9cf2-5ec84d8dbc74',
  resourceId: 'r1',
  stableId: 'Yb3k0v9QmW5xTz1cHs7dLg',
  bban: '80501100017',
  iban: 'NO9680501100017',
  bic: 'FJORNO22',
  name: 'Driftskonto',
  ownerName: 'Nordlys Handel AS',
  currency: 'NOK',
  type: 'Current',
  payable: true,
}

/** A payment of 1250.00 NOK that was booked, with an id of its own. */
export function bankEntry(changes: Partial<BankEntry> = {}): BankEntry {
  count += 1
  return {
    transactionId: `T${count}`,
    entryReference: null,
    lastingId: `T${count}`,
    status: 'booked',
    amount: { minor: -125_000n, currency: 'NOK' },
    bookedOn: Temporal.PlainDate.from('2026-11-10'),
    valueOn: Temporal.PlainDate.from('2026-11-10'),
    counterpartyBban: '80501200011',
    counterpartyIban: null,
    counterpartyName: 'Granli Trelast AS',
    own: NOBODY,
    endToEndId: null,
    reference: null,
    references: [],
    message: null,
    messages: [],
    purposeText: null,
    purposeCode: null,
    transactionCode: null,
    ownTransactionCode: null,
    balanceAfter: null,
    batch: null,
    parts: [],
    exchanges: [],
    ...changes,
  }
}

/** As partners are shown them, at a bank in Oslo. */
export function shown(entries: readonly BankEntry[]): readonly Entry[] {
  const show = entryFormatter(sampleAccount)
  return entries.map((reported) => show({ reported, listed: reported, enriched: false }, undefined))
}

/** Pages as a bank gives them. */
export async function* paged<Item>(...pages: readonly (readonly Item[])[]): AsyncGenerator<readonly Item[]> {
  yield* pages
}

/** Everything that has been written. */
export async function written(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('')
}

/** Texts with everything in them that has a meaning somewhere; as long as the types of a statement allow. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength }),
    fc.string({
      unit: fc.constantFrom(
        '"',
        ',',
        '\r',
        '\n',
        '\t',
        ';',
        "'",
        '=',
        '+',
        '-',
        '@',
        '<',
        '&',
        ']',
        '>',
        'æ',
        '😀',
        '\0',
      ),
      minLength: 1,
      maxLength,
    }),
  )
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => Temporal.PlainDate.from(date.toISOString().slice(0, 10)))
const money = fc.record({
  minor: fc.oneof(
    fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n }),
    fc.bigInt({ min: -1000n, max: 1000n }),
  ),
  currency: fc.constantFrom('NOK', 'SEK', 'DKK', 'EUR', 'JPY'),
})
const reference = fc.record({ reference: text(35), type: orNull(fc.constantFrom('SCOR', 'KID', 'OCR')) })

export const anyEntry: fc.Arbitrary<BankEntry> = fc
  .record({
    transactionId: orNull(text(60)),
    lastingId: orNull(text(20)),
    status: fc.constantFrom('booked' as const, 'pending' as const),
    amount: money,
    bookedOn: orNull(day),
    valueOn: orNull(day),
    counterpartyBban: orNull(fc.stringMatching(/^[0-9]{8,14}$/)),
    counterpartyIban: orNull(fc.stringMatching(/^[A-Z]{2}[0-9]{2}[0-9]{11,20}$/)),
    counterpartyName: orNull(text(140)),
    endToEndId: orNull(text(35)),
    references: fc.array(reference, { maxLength: 3 }),
    messages: fc.array(text(200), { maxLength: 2 }),
    purposeText: orNull(text(100)),
    purposeCode: orNull(fc.constantFrom('SALA', 'SUPP')),
    transactionCode: orNull(fc.constantFrom('PMNT-ICDT-DMCT', 'PMNT-RCDT-ESCT', 'other')),
    ownTransactionCode: orNull(text(60)),
    batch: orNull(fc.record({ count: orNull(fc.nat({ max: 1000 })) })),
  })
  .map((entry) =>
    bankEntry({
      ...entry,
      reference: entry.references[0]?.reference ?? null,
      message: entry.messages.length === 0 ? null : entry.messages.join(''),
    }),
  )
