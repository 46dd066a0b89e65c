/** Shows how booked entries are read page by page and translated. */
import { describe, expect, test } from 'vitest'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankRequest } from '../../../connector/connector-dependencies.ts'
import { sampleBank, sampleCaller } from '../../../testing/samples.ts'
import { type ScriptedAnswer, scriptedBank } from '../../../testing/scripted-bank.ts'

const DAYS = { from: Temporal.PlainDate.from('2026-11-01'), to: Temporal.PlainDate.from('2026-11-21') }
const FIRST_PAGE =
  'https://xs2a.fjordbanken.example/psd2/v1/accounts/r%2F1/transactions?bookingStatus=booked&dateFrom=2026-11-01&dateTo=2026-11-21'
const ENTRY = { transactionId: 't1', transactionAmount: { currency: 'NOK', amount: '-10.00' } }

describe('booked entries', () => {
  test('are requested between two days under the consent, also without the user', async () => {
    const { requested, result } = await read(() => page([ENTRY]), { psu: null })
    expect(result).toHaveLength(1)
    expect(requested.map(({ url }) => url)).toEqual([FIRST_PAGE])
    expect(requested[0]).toMatchObject({ method: 'GET', operation: 'getTransactions' })
    expect(Object.keys(requested[0]?.headers ?? {}).sort()).toEqual(['accept', 'consent-id', 'x-request-id'])
  })

  test.each([
    ['an absolute', 'https://xs2a.fjordbanken.example/psd2/v1/accounts/x/transactions?page=2'],
    ['a relative', '/psd2/v1/accounts/x/transactions?page=2'],
  ])('continue at %s link until there is none', async (_kind, href) => {
    const { requested, result } = await read((_request, call) =>
      call === 1 ? page([ENTRY], href) : page([{ ...ENTRY, transactionId: 't2' }]),
    )
    expect(requested[1]?.url).toBe('https://xs2a.fjordbanken.example/psd2/v1/accounts/x/transactions?page=2')
    expect(requested[1]?.headers['consent-id']).toBe('consent-1')
    expect(requested[1]?.headers['x-request-id']).not.toBe(requested[0]?.headers['x-request-id'])
    expect(result.map(({ transactionId }) => transactionId)).toEqual(['t1', 't2'])
  })

  test.each(['https://evil.example/v1/accounts', 'http://xs2a.fjordbanken.example/psd2', '//evil.example/'])(
    'are not followed to %s',
    async (href) => {
      await expect(read(() => page([ENTRY], href))).rejects.toMatchObject({ kind: 'misconfigured' })
    },
  )

  test('of a bank whose links never end are aborted', async () => {
    const { connector, requested } = scriptedBank((_request, call) => page([], `/psd2/v1/again/${call}`))
    const endless = connector.accounts?.bookedEntries(sampleCaller(), 'r1', DAYS)
    await expect(endless).rejects.toMatchObject({ kind: 'unavailable' })
    expect(requested).toHaveLength(10_000)
  })

  test('of a bank that links back are aborted at once', async () => {
    const { connector, requested } = scriptedBank((_request, call) => page([ENTRY], `/psd2/v1/pages/${call % 3}`))
    const endless = connector.accounts?.bookedEntries(sampleCaller(), 'r1', DAYS)
    await expect(endless).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('back') })
    expect(requested).toHaveLength(4)
  })

  test('are never requested without a consent', async () => {
    await expect(read(() => page([ENTRY]), { bankConsentId: null })).rejects.toMatchObject({ kind: 'consent-invalid' })
  })

  test.each([
    [429, 'ACCESS_EXCEEDED', 'too-many-reads'],
    [401, 'CONSENT_EXPIRED', 'consent-invalid'],
    [403, 'RESOURCE_UNKNOWN', 'account-unknown'],
    [503, 'SERVICE_UNAVAILABLE', 'unavailable'],
  ])('that the bank answers with %i %s are %s', async (status, code, kind) => {
    const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code }] })
    await expect(read(() => ({ status, headers: {}, body }))).rejects.toMatchObject({ kind })
  })
})

describe('an entry', () => {
  test('has the counterparty, whichever the direction of the money', async () => {
    const sides = {
      debtorName: 'Nordlys Handel AS',
      debtorAccount: { bban: '80501100017' },
      creditorName: 'Granli Trelast AS',
      creditorAccount: { iban: 'NO9386011117947' },
    }
    const [paid, received] = await translated([
      { ...sides, transactionAmount: { currency: 'NOK', amount: '-1250.00' }, bookingDate: '2026-11-03' },
      { ...sides, transactionAmount: { currency: 'NOK', amount: '99.5' }, bookingDate: '2026-11-04' },
    ])
    expect(paid).toMatchObject({ counterpartyBban: '86011117947', counterpartyName: 'Granli Trelast AS' })
    expect(paid?.amount).toEqual({ minor: -125_000n, currency: 'NOK' })
    expect(paid?.bookedOn).toEqual(Temporal.PlainDate.from('2026-11-03'))
    expect(received).toMatchObject({ counterpartyBban: '80501100017', counterpartyName: 'Nordlys Handel AS' })
  })

  test('keeps the IBAN of the counterparty where it contains no account number', async () => {
    const creditorAccount = { iban: 'SE6760000000000219161038' }
    const bank = sampleBank({ countryCode: 'SE' })
    expect(await translated([{ ...ENTRY, creditorAccount }], bank)).toMatchObject([
      { counterpartyBban: null, counterpartyIban: 'SE6760000000000219161038' },
    ])
  })

  test('is sorted after all older ones, in whatever order the bank lists them', async () => {
    const days = ['2026-11-09', '2026-11-03', '2026-11-21', '2026-11-03']
    const entries = await translated(
      days.map((bookingDate, at) => ({ ...ENTRY, transactionId: `t${at}`, bookingDate })),
    )
    expect(entries.map(({ transactionId }) => transactionId)).toEqual(['t1', 't3', 't0', 't2'])
  })

  test('has reference and message from whichever field contains them', async () => {
    const entries = await translated([
      { ...ENTRY, remittanceInformationStructured: { reference: '2345676', referenceType: 'SCOR' } },
      { ...ENTRY, remittanceInformationStructured: '2345676' },
      { ...ENTRY, remittanceInformationStructuredArray: [{ reference: '2345676' }, { reference: '1' }] },
      { ...ENTRY, remittanceInformationUnstructured: 'Faktura 4711' },
      { ...ENTRY, remittanceInformationUnstructuredArray: ['Faktura ', '4711'] },
    ])
    expect(entries.map(({ reference, message }) => [reference, message])).toEqual([
      ['2345676', null],
      ['2345676', null],
      ['2345676', null],
      [null, 'Faktura 4711'],
      [null, 'Faktura 4711'],
    ])
  })

  test('with few fields is returned with what it has', async () => {
    expect(
      await translated([{ ...ENTRY, endToEndId: 'NOTPROVIDED', transactionId: undefined, entryReference: 'e1' }]),
    ).toMatchObject([
      {
        transactionId: 'e1',
        amount: { minor: -1_000n, currency: 'NOK' },
        bookedOn: null,
        counterpartyBban: null,
        counterpartyIban: null,
        counterpartyName: null,
        endToEndId: null,
        reference: null,
        message: null,
      },
    ])
  })

  test('with an unreadable amount is left out', async () => {
    expect(await translated([{ transactionAmount: { currency: 'NOK', amount: '1.001' } }, ENTRY])).toHaveLength(1)
  })
})

function page(booked: readonly object[], next?: string): ScriptedAnswer {
  const _links = { account: { href: '/x' }, ...(next === undefined ? {} : { next: { href: next } }) }
  return { body: { account: { bban: '80501100017' }, transactions: { booked, _links } } }
}

async function read(script: (request: BankRequest, call: number) => ScriptedAnswer, change: Partial<BankCaller> = {}) {
  const { connector, requested } = scriptedBank(script)
  const caller = sampleCaller({ bank: sampleBank(), ...change })
  const result = await connector.accounts?.bookedEntries(caller, 'r/1', DAYS)
  return { requested, result: result ?? expect.fail('The connector offers no accounts') }
}

async function translated(booked: readonly object[], bank = sampleBank()) {
  return (await read(() => page(booked), { bank })).result
}
