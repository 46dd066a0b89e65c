/** Shows the translation of booked and pending entries in every format of banks. */
import { describe, expect, test } from 'vitest'
import { sampleBank } from '../../../testing/samples.ts'
import { entryOriginOf, toBankEntry, unwrapEntry } from './translate-entries.ts'
import { parseEntry, parseEntryDetails } from './wire-accounts.ts'

const ENTRY = { transactionId: 't1', transactionAmount: { currency: 'NOK', amount: '-10.00' } }
const NORWAY = { countryCode: 'NO', timeZone: 'Europe/Oslo', lastingId: null } as const

describe('an entry', () => {
  test('has a purpose that no placeholder hides', () => {
    const purpose = { proprietaryBankTransactionCode: 'N/A', additionalInformation: 'Interest', purposeCode: '-' }
    expect(translated({ ...ENTRY, ...purpose })).toMatchObject({
      purposeText: 'Interest',
      purposeCode: null,
      ownTransactionCode: null,
    })
  })

  test('has days of its bank, also where those are times in UTC', () => {
    const [bookingDate, valueDate] = ['2026-11-19T23:00:00Z', '2026-11-20T00:00:00Z']
    expect(translated({ ...ENTRY, bookingDate, valueDate })).toMatchObject({
      bookedOn: Temporal.PlainDate.from('2026-11-20'),
      valueOn: Temporal.PlainDate.from('2026-11-20'),
    })
  })

  test('has everything that its bank reports', () => {
    const reported = translated({
      ...ENTRY,
      entryReference: 'e1',
      endToEndId: 'invoice-1',
      bookingDate: '2026-11-03',
      valueDate: '2026-11-04',
      creditorName: 'Granli Trelast AS',
      creditorAccount: { iban: 'NO9386011117947' },
      debtorName: 'Nordlys Handel AS',
      debtorAccount: { bban: '80501100017' },
      proprietaryBankTransactionCode: 'Betaling',
      bankTransactionCode: 'PMNT-ICDT-DMCT',
      purposeCode: 'SUPP',
      balanceAfterTransaction: { balanceType: 'interimBooked', balanceAmount: { currency: 'NOK', amount: '-5.5' } },
    })
    expect(reported).toMatchObject({
      status: 'booked',
      transactionId: 't1',
      entryReference: 'e1',
      endToEndId: 'invoice-1',
      counterpartyName: 'Granli Trelast AS',
      counterpartyBban: '86011117947',
      counterpartyIban: 'NO9386011117947',
      own: { name: 'Nordlys Handel AS', bban: '80501100017', iban: null },
      purposeText: 'Betaling',
      purposeCode: 'SUPP',
      transactionCode: 'PMNT-ICDT-DMCT',
      ownTransactionCode: 'Betaling',
      balanceAfter: { minor: -550n, currency: 'NOK' },
      batch: null,
      parts: [],
      exchanges: [],
    })
    expect([reported?.bookedOn?.toString(), reported?.valueOn?.toString()]).toEqual(['2026-11-03', '2026-11-04'])
  })

  test.each([
    ['a text', { remittanceInformationStructured: '2345676' }, [['2345676', null]]],
    ['an object', { remittanceInformationStructured: { reference: '18', referenceType: 'SCOR' } }, [['18', 'SCOR']]],
    [
      'a list of texts',
      { remittanceInformationStructuredArray: ['1', '2'] },
      [
        ['1', null],
        ['2', null],
      ],
    ],
    [
      'both, and empty ones',
      {
        remittanceInformationStructured: '1',
        remittanceInformationStructuredArray: [{ reference: '' }, {}, { reference: '2', referenceType: 'OCR' }],
      },
      [
        ['1', null],
        ['2', 'OCR'],
      ],
    ],
  ])('has its references from %s', (_form, remittance, references) => {
    const entry = translated({ ...ENTRY, ...remittance })
    expect(entry?.references.map(({ reference, type }) => [reference, type])).toEqual(references)
    expect(entry?.reference).toBe(references[0]?.[0])
  })

  test('has its message in one piece and as the bank splits it', () => {
    expect(translated({ ...ENTRY, remittanceInformationUnstructuredArray: ['Faktura ', '4711'] })).toMatchObject({
      message: 'Faktura 4711',
      messages: ['Faktura ', '4711'],
    })
    expect(translated(ENTRY)).toMatchObject({ message: null, messages: [], reference: null, references: [] })
  })

  test.each([
    ['a batch of a known number', { batchIndicator: true, batchNumberOfTransactions: 12 }, { count: 12 }],
    ['a batch in texts', { batchIndicator: 'true', batchNumberOfTransactions: '12' }, { count: 12 }],
    ['a batch of unknown size', { batchIndicator: true }, { count: null }],
    ['a batch of nonsense', { batchIndicator: true, batchNumberOfTransactions: 'many' }, { count: null }],
    ['no batch', { batchIndicator: false, batchNumberOfTransactions: 1 }, null],
  ])('can be %s', (_what, reported, batch) => {
    expect(translated({ ...ENTRY, ...reported })?.batch).toEqual(batch)
  })

  test('has the contents of a batch', () => {
    const entryDetails = [
      { transactionAmount: { currency: 'NOK', amount: '-4.00' }, creditorName: 'One', endToEndId: 'w-1' },
      {
        creditorAccount: { bban: '80501200011' },
        endToEndId: 'NOTPROVIDED',
        remittanceInformationUnstructured: 'Wages',
      },
    ]
    expect(translated({ ...ENTRY, batchIndicator: true, entryDetails })?.parts).toMatchObject([
      { amount: { minor: -400n }, counterpartyName: 'One', endToEndId: 'w-1', message: null },
      { amount: null, counterpartyBban: '80501200011', endToEndId: null, message: 'Wages' },
    ])
  })

  const amounting = (amount: string) => ({
    transactionAmount: { currency: 'NOK', amount },
    creditorName: 'To',
    debtorName: 'From',
  })
  test.each([
    ['that has no direction for any part', '-10.00', ['4.00', '6.00'], [-400n, 'To', -600n, 'To']],
    ['that has no direction for any part, and is a credit', '10.00', ['4.00', '6.00'], [400n, 'From', 600n, 'From']],
    ['with one part in the other direction', '-10.00', ['-12.00', '2.00'], [-1200n, 'To', 200n, 'From']],
    [
      'that is a credit, with one part in the other direction',
      '10.00',
      ['12.00', '-2.00'],
      [1200n, 'From', -200n, 'To'],
    ],
  ])('has, for each part of a batch %s, its counterparty', (_how, amount, parts, reported) => {
    const entry = translated({ ...amounting(amount), batchIndicator: true, entryDetails: parts.map(amounting) })
    expect(entry?.parts.flatMap((part) => [part.amount?.minor, part.counterpartyName])).toEqual(reported)
  })

  test.each([
    ['a list', (exchange: object) => [exchange]],
    ['one', (exchange: object) => exchange],
  ])('has exchange rates as %s', (_form, wrap) => {
    const exchange = {
      sourceCurrency: 'EUR',
      targetCurrency: 'NOK',
      unitCurrency: 'EUR',
      exchangeRate: '11.5',
      quotationDate: '2026-11-03',
      contractIdentification: 'c1',
    }
    expect(translated({ ...ENTRY, currencyExchange: wrap(exchange) })?.exchanges).toMatchObject([
      { source: 'EUR', target: 'NOK', unit: 'EUR', rate: '11.5', contract: 'c1' },
    ])
  })

  test('ignores optional fields that do not match the standard', () => {
    const odd = {
      currencyExchange: 'no',
      balanceAfterTransaction: 7,
      entryDetails: {},
      purposeCode: 5,
      bankTransactionCode: null,
    }
    expect(translated({ ...ENTRY, ...odd })).toMatchObject({
      exchanges: [],
      balanceAfter: null,
      parts: [],
      purposeCode: null,
      purposeText: null,
    })
  })

  test.each([
    ['transactionId', 't1'],
    ['entryReference', 'e1'],
    ['endToEndId', 'invoice-1 -1000 NOK'],
    [null, null],
  ] as const)('has the same %s before and after it is booked, where that is stable', (lastingId, known) => {
    const entry = { ...ENTRY, entryReference: 'e1', endToEndId: 'invoice-1' }
    const origin = entryOriginOf(sampleBank({ dialect: { entries: { pending: 'together', lastingId } } }))
    for (const status of ['booked', 'pending'] as const) {
      expect(toBankEntry(parseEntry(entry) ?? expect.fail(), status, origin)).toMatchObject({
        status,
        lastingId: known,
      })
    }
    const bare = parseEntry({ transactionAmount: ENTRY.transactionAmount, endToEndId: 'NOTPROVIDED' }) ?? expect.fail()
    expect(toBankEntry(bare, 'booked', origin)).toMatchObject({
      lastingId: null,
      transactionId: null,
      endToEndId: null,
    })
  })

  test('has no date where its bank reports one that does not exist', () => {
    expect(translated({ ...ENTRY, bookingDate: '2026-02-30', valueDate: '2026-03-01' })).toMatchObject({
      bookedOn: null,
      valueOn: Temporal.PlainDate.from('2026-03-01'),
    })
  })

  test.each(['', '-', 'NOT PROVIDED', 'N/A'])('has nothing where its bank reports %j', (nothing) => {
    const ids = { transactionId: nothing, entryReference: nothing, endToEndId: nothing }
    const account = { iban: nothing, bban: nothing, other: { identification: nothing } }
    const parties = { creditorName: nothing, creditorAccount: account, debtorName: nothing, debtorAccount: account }
    const texts = {
      remittanceInformationUnstructured: nothing,
      remittanceInformationStructured: { reference: nothing },
    }
    expect(translated({ ...ENTRY, ...ids, ...parties, ...texts })).toEqual(
      translated({ transactionAmount: ENTRY.transactionAmount }),
    )
  })

  test('with an unreadable amount is not translated', () => {
    const unreadable = parseEntry({ transactionAmount: { currency: 'NOK', amount: '1.001' } }) ?? expect.fail()
    expect(toBankEntry(unreadable, 'booked', NORWAY)).toBeUndefined()
  })

  test.each([
    ['as in the text of the standard', { transactionsDetails: ENTRY }],
    ['as in its file', { transactionsDetails: { transactionDetails: ENTRY } }],
    ['wrapped only in its name', { transactionDetails: ENTRY }],
  ])('on its own is read %s', (_how, body) => {
    const details = parseEntryDetails(JSON.stringify(body)) ?? expect.fail()
    expect(unwrapEntry(details).transactionId).toBe('t1')
  })
})

function translated(entry: object) {
  return toBankEntry(parseEntry(entry) ?? expect.fail('The entry has not the shape'), 'booked', NORWAY)
}
