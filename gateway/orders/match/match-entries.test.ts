/** Tests the matching of entries with payments: one entry settles one payment, and an ambiguous one settles none. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookedEntry } from '../../banks/connector/bank-account.ts'
import { belongToEqualPayments, keyEntries, type MatchablePayment, matchEntries } from './match-entries.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
let count = 0

function payment(changes: Partial<MatchablePayment> = {}): MatchablePayment {
  count += 1
  const endToEndId = changes.endToEndId ?? `INV-${count}`
  const dueDate = changes.dueDate ?? day('2026-06-15')
  return {
    id: `payment ${String(count).padStart(6, '0')}`,
    amount: { minor: 125_000n, currency: 'SEK' },
    countryCode: 'SE',
    creditorBban: '5402-9681',
    dueDate,
    endToEndId,
    bankEndToEndId: endToEndId,
    firstDay: dueDate,
    lastDayWithoutId: dueDate.add({ days: 5 }),
    lastDay: dueDate.add({ days: 10 }),
    texts: [],
    ...changes,
  }
}

function entry(changes: Partial<BookedEntry> = {}): BookedEntry {
  count += 1
  return {
    transactionId: `T${count}`,
    amount: { minor: -125_000n, currency: 'SEK' },
    bookedOn: day('2026-06-15'),
    counterpartyBban: '54029681',
    counterpartyIban: null,
    counterpartyName: null,
    endToEndId: null,
    reference: null,
    message: null,
    ...changes,
  }
}

function matched(payments: readonly MatchablePayment[], entries: readonly BookedEntry[]): (string | undefined)[] {
  const matches = matchEntries(payments, keyEntries(entries))
  return payments.map((one) => matches.find((match) => match.payment === one)?.entry)
}

describe('entries that may be the booking of an order', () => {
  const own = payment({ endToEndId: 'INV-A' })
  it.each([
    ['one that names no order', [null], ['INV-B'], true],
    ['more than there are equal payments', [null, null], ['INV-B'], false],
    ['one that names the order', ['INV-A'], ['INV-B'], false],
    ['one that names the order and an equal payment', ['INV-A'], ['INV-B', 'INV-A'], true],
  ])('belong to equal payments: %s', (_what, named, equalPaymentIds, expected) => {
    const entries = named.map((endToEndId) => entry({ endToEndId }))
    const equal = { ownId: 'INV-A', equalPaymentIds }
    expect(belongToEqualPayments(entries, () => [own], equal)).toBe(expected)
  })
})

describe('an entry', () => {
  it('settles the payment with its amount, creditor and date, in whatever format the number of the creditor is written', () => {
    const booked = entry()
    expect(matched([payment()], [booked])).toEqual([`id ${booked.transactionId}`])
  })

  it.each(['', '-', 'notprovided', 'NOT PROVIDED', 'NOTPROVIDED', 'N/A', 'unknown', ' '])(
    'with the endToEndId %j names no other payment',
    (endToEndId) => {
      const booked = entry({ endToEndId })
      expect(matched([payment()], [booked])).toEqual([`id ${booked.transactionId}`])
    },
  )

  it.each(['', '-', '****9681', 'N/A'])('with the account %j names no other creditor', (counterpartyBban) => {
    const booked = entry({ counterpartyBban, counterpartyIban: counterpartyBban, endToEndId: 'INV-A' })
    const named = payment({ endToEndId: 'INV-A' })
    expect(matched([named], [booked])).toEqual([`id ${booked.transactionId}`])
  })

  it('has a key of its own where its bank gives one id to two entries, and the same where it repeats an entry', () => {
    const [one, other] = [
      entry({ transactionId: 'T' }),
      entry({ transactionId: 'T', amount: { minor: -1n, currency: 'SEK' } }),
    ]
    const keys = keyEntries([one, other]).map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
    expect(keys).not.toContain('id T')
    expect(keyEntries([one, one]).map(({ key }) => key)).toEqual(['id T', 'id T'])
  })

  it.each<[string, Partial<BookedEntry>]>([
    ['that credits the account', { amount: { minor: 125_000n, currency: 'SEK' } }],
    ['of another amount', { amount: { minor: -125_001n, currency: 'SEK' } }],
    ['in another currency', { amount: { minor: -125_000n, currency: 'EUR' } }],
    ['to another creditor', { counterpartyBban: '54029682' }],
    ['to an unnamed creditor', { counterpartyBban: null }],
    ['booked before the due date', { bookedOn: day('2026-06-14') }],
    ['booked six days after it', { bookedOn: day('2026-06-21') }],
    ['with another endToEndId than was sent to the bank', { endToEndId: 'INV-OTHER' }],
    ['without a booking date', { bookedOn: null }],
  ])('%s settles nothing', (_what, changes) => {
    expect(matched([payment()], [entry(changes)])).toEqual([undefined])
  })

  it.each([
    ['FI8579812345678900', '79812345678900'],
    ['FI8579812345678900', 'FI8579812345678900'],
    ['12345600000785', 'FI2112345600000785'],
  ])('may name the creditor %s by its domestic number or its IBAN as %s', (creditorBban, counterpartyBban) => {
    const booked = entry({ counterpartyBban })
    expect(matched([payment({ countryCode: 'FI', creditorBban })], [booked])).toEqual([`id ${booked.transactionId}`])
  })

  it('may name the creditor by IBAN', () => {
    const waiting = payment({ countryCode: 'NO', creditorBban: '86011117947' })
    const named = (counterpartyIban: string) => [entry({ counterpartyBban: null, counterpartyIban })]
    expect(matched([waiting], named('NO9386011117947'))[0]).toBeDefined()
    expect(matched([waiting], named('NO8330001234567'))).toEqual([undefined])
  })

  it('that names the endToEndId need not name a creditor, but must not name another one', () => {
    const waiting = payment({ endToEndId: 'INV-A' })
    expect(matched([waiting], [entry({ endToEndId: 'INV-A', counterpartyBban: null })])[0]).toBeDefined()
    expect(matched([waiting], [entry({ endToEndId: 'INV-A', counterpartyBban: '99999999' })])).toEqual([undefined])
    expect(matched([waiting], [entry({ endToEndId: 'INV-A', bookedOn: day('2026-06-25') })])[0]).toBeDefined()
    expect(matched([waiting], [entry({ endToEndId: 'INV-A', bookedOn: day('2026-06-26') })])).toEqual([undefined])
  })

  it('may name the endToEndId in full, or as sent to the bank', () => {
    const waiting = payment({ endToEndId: 'A-LONG-ONE', bankEndToEndId: 'A-LO-1234' })
    for (const endToEndId of ['A-LONG-ONE', 'A-LO-1234']) {
      expect(matched([waiting], [entry({ endToEndId, counterpartyBban: null })])[0]).toBeDefined()
    }
    expect(matched([waiting], [entry({ endToEndId: 'A-LO' })])).toEqual([undefined])
  })

  it('with an id of the bank settles a payment sent without one, if all else agrees and no other entry does', () => {
    const waiting = payment({ bankEndToEndId: null, texts: ['Invoice 17'] })
    const own = { endToEndId: 'BANK-77' }
    expect(matched([waiting], [entry({ ...own, message: 'INVOICE 17' })])[0]).toBeDefined()
    expect(matched([waiting], [entry({ ...own, message: 'Rent' })])).toEqual([undefined])
    expect(matched([waiting], [entry({ ...own, counterpartyBban: null })])).toEqual([undefined])
    expect(matched([waiting], [entry(own), entry(own)])).toEqual([undefined])
  })

  it.each([
    ['a reference that was padded', ['0001234561'], { reference: '1234561' }],
    ['a truncated and transliterated message', ['Fakturor från Øresund, juni'], { message: 'FAKTUROR FRAN ORESUND' }],
    ['a message that the bank shows as the reference', ['Invoice 17'], { reference: 'Invoice 17', message: 'x' }],
    ['no text where none was sent', [], { message: 'Payment' }],
  ])('may show %s', (_what, texts, shown) => {
    expect(matched([payment({ texts })], [entry(shown)])[0]).toBeDefined()
    expect(matched([payment({ texts: ['99'] })], [entry(shown)])).toEqual([undefined])
  })

  it('that matches one payment leaves equal payments with a later due date open', () => {
    const [now, then] = [payment(), payment({ dueDate: day('2026-07-15') })]
    expect(matched([then, now], [entry()])).toEqual([undefined, expect.any(String)])
  })

  it('that names the endToEndId of another payment in the list settles only that one', () => {
    const [one, other] = [payment({ endToEndId: 'A' }), payment({ endToEndId: 'B' })]
    const named = matched([one, other], [entry({ endToEndId: 'B' })])
    expect(named[0]).toBeUndefined()
    expect(named[1]).toBeDefined()
  })

  it('settles none of two equal payments while there is one entry for both', () => {
    const alike = [payment(), payment()]
    expect(matched(alike, [entry()])).toEqual([undefined, undefined])
    expect(new Set(matched(alike, [entry(), entry()])).size).toBe(2)
    expect(matched(alike, [entry(), entry(), entry()])).toEqual([undefined, undefined])
  })

  it('without an id of the bank differs from an equal one by its number', () => {
    const duplicates = [entry({ transactionId: null }), entry({ transactionId: null })]
    const keys = matched([payment(), payment()], duplicates)
    expect(new Set(keys).size).toBe(2)
    expect(keys).not.toContain(undefined)
  })
})

it('never settles two payments by one entry, nor one payment twice, in any combination', () => {
  const few = fc.integer({ min: 0, max: 2 })
  const payments = fc.array(
    fc
      .record({ minor: few, to: few, day: few, id: few, sent: fc.boolean() })
      .map(({ minor, to, day: days, id, sent }) =>
        payment({
          amount: { minor: BigInt(minor + 1), currency: 'SEK' },
          creditorBban: `5402-968${to}`,
          dueDate: day('2026-06-15').add({ days }),
          endToEndId: `E${id}`,
          ...(sent ? {} : { bankEndToEndId: null }),
        }),
      ),
  )
  const entries = fc.array(
    fc.record({ minor: few, to: few, day: few, id: few, named: fc.boolean() }).map((reported) =>
      entry({
        ...(reported.named ? {} : { transactionId: null }),
        amount: { minor: -BigInt(reported.minor + 1), currency: 'SEK' },
        counterpartyBban: `5402968${reported.to}`,
        bookedOn: day('2026-06-15').add({ days: reported.day }),
        endToEndId: reported.id === 0 ? null : `E${reported.id}`,
      }),
    ),
  )
  fc.assert(
    fc.property(payments, entries, (waiting, booked) => {
      const matches = matchEntries(waiting, keyEntries(booked))
      expect(new Set(matches.map((match) => match.entry)).size).toBe(matches.length)
      expect(new Set(matches.map((match) => match.payment)).size).toBe(matches.length)
      for (const match of matches) {
        const shown = keyEntries(booked).find(({ key }) => key === match.entry)
        expect(shown?.amount.minor).toBe(-match.payment.amount.minor)
        expect(shown?.counterpartyBban).toBe(match.payment.creditorBban.replace('-', ''))
        const { bankEndToEndId } = match.payment
        expect(bankEndToEndId === null || shown?.endToEndId === null || shown?.endToEndId === bankEndToEndId).toBe(true)
      }
    }),
  )
})
