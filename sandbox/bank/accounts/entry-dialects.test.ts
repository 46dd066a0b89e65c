/** Tests bank-specific entries: paging, ids that survive booking, and their control API. */

import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { bankTestClient } from '../../testing/bank-test-client.ts'
import { bankTestData, bankTestDataOf } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { isTestedAmong } from '../../testing/tested-banks.ts'
import { thirdPartyOf } from '../../testing/third-party.ts'
import { loadDemoFixture } from '../load-fixture.ts'

const Link = Type.Optional(Type.Object({ href: Type.String() }))
const Entries = Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown())))
const Report = Type.Object({
  transactions: Type.Optional(Type.Object({ booked: Entries, pending: Entries, _links: Type.Object({ next: Link }) })),
  _links: Type.Optional(Type.Object({ download: Link })),
})

const DAY_SECONDS = 86_400
/** More than a page, in addition to what the fixture has booked already. */
const MANY = 120
/** Two on each day. */
const SEASON = { count: 120, days: 60 }

/** Together they have every value of each property of a dialect. */
const DISTINCT = ['HAVBNO22', 'ORESDK22', 'LIMFDK22', 'KATTDK22', 'PAIJFIHH']
const testedBanks = bankTestData.filter(({ bic }) => isTestedAmong(DISTINCT, bic))

const fixture = loadDemoFixture()
const profileOf = new Map(fixture.banks.map((bank) => [bank.bic, bank]))

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterEach(() => thirdPartyOf(() => tested.bank).control('DELETE', '/faults'))
afterAll(() => tested.close())

describe.each(testedBanks.map(({ name, bic }) => [name, bic] as const))('entries at %s', (_name, bic) => {
  const profile = profileOf.get(bic)?.entries ?? expect.fail('The fixture has no such bank')

  test('that are many are all returned, each once, whatever the bank’s paging', async () => {
    const { at, control, readAll } = await visit(bic)
    await control('entries/generate', { count: MANY, days: 20 })
    const { booked, answers } = await readAll('booked')
    expect(booked.length).toBeGreaterThanOrEqual(MANY)
    const ids = booked.map(({ transactionId, entryReference }) => transactionId ?? entryReference)
    expect(new Set(ids).size).toBe(booked.length)
    // In pages; in one response; or as a link, a response that it is too early, and the report.
    expect(answers).toBe({ links: Math.ceil(booked.length / at.pageLength), whole: 1, download: 3 }[profile.paging])
  })

  test('that are pending are returned in the bank’s way, with the fields that stay when they are booked', async () => {
    const { control, readAll } = await visit(bic)
    const money = { amount: '77.31', counterparty: 'Somebody', endToEndId: 'e2e-7731', message: 'For everything' }
    await control('entries', { ...money, pendingSeconds: DAY_SECONDS })
    const isIt = (entry: object) => JSON.stringify(entry).includes('"77.31"')
    const before = profile.pending === 'none' ? [] : (await readAll('pending')).pending.filter(isIt)
    expect(before).toHaveLength(profile.pending === 'none' ? 0 : 1)
    await control('entries/settle', {})
    const [after, ...more] = (await readAll('booked')).booked.filter(isIt)
    expect(more).toEqual([])
    expect(after).toMatchObject({ debtorName: 'Somebody', endToEndId: 'e2e-7731', bookingDate: expect.any(String) })
    const stored = ['transactionId', 'entryReference', 'endToEndId'].filter(
      (name) => after?.[name] !== undefined && before[0]?.[name] === after[name],
    )
    expect(stored).toEqual(profile.pending === 'none' ? [] : storedAt[profile.keeps])
    const twice = profile.pending === 'none' ? [] : (await readAll('pending')).pending.filter(isIt)
    expect(twice).toHaveLength(profile.shownTwiceMinutes > 0 ? 1 : 0)
  })

  test('that are batches say so, and list their transactions in their details', async () => {
    const { at, control, readAll, get } = await visit(bic)
    const parts = [
      { amount: '-20.00', counterparty: 'One', message: 'Wages' },
      { amount: '-21.30', counterparty: 'Another', endToEndId: 'w-2' },
    ]
    await control('entries', { amount: '-41.30', counterparty: 'Wages', message: 'Wages of all', parts })
    const batch = (await readAll('booked')).booked.find((entry) => JSON.stringify(entry).includes('"-41.30"'))
    expect(batch).toMatchObject({ batchIndicator: true, batchNumberOfTransactions: 2 })
    expect(batch).not.toHaveProperty('entryDetails')
    expect(JSON.stringify(batch).includes('Wages of all')).toBe(profile.lists === 'full')
    const id = String(batch?.['transactionId'])
    const details = await get(`${at.path}/transactions/${profile.details ? id : newId()}${at.query}`)
    expect(details.status).toBe(profile.details ? 200 : 405)
    if (profile.details) {
      expect(details.body).toMatchObject({
        transactionsDetails: {
          transactionId: id,
          entryDetails: [
            { transactionAmount: { amount: '-20.00' }, creditorName: 'One' },
            { transactionAmount: { amount: '-21.30' }, creditorName: 'Another', endToEndId: 'w-2' },
          ],
        },
      })
      expect(JSON.stringify(details.body)).toContain('Wages of all'.slice(0, 10))
    }
  })
})

const storedAt = {
  id: ['transactionId', 'endToEndId'],
  reference: ['entryReference', 'endToEndId'],
  'reference-alone': ['entryReference', 'endToEndId'],
  'end-to-end-id': ['endToEndId'],
  nothing: [],
} as const

describe('reads without the user', () => {
  test('are counted by account and kind, however many pages they take; details of each entry apart', async () => {
    const { at, get, readAll, control } = await visit('FJELNO22')
    await control('entries/generate', { count: MANY, days: 20 })
    const away = { 'PSU-IP-Address': undefined }
    for (let time = 0; time < 4; time += 1) {
      expect((await readAll('booked', away)).booked.length).toBeGreaterThan(100)
      expect((await readAll('pending', away)).pending).toEqual([])
    }
    const [one, other] = (await readAll('booked')).booked.map(
      ({ transactionId }) => `${at.path}/transactions/${transactionId}`,
    )
    const again = await get(`${at.path}/transactions${at.asking('booked')}`, away)
    expect([again.status, JSON.stringify(again.body)]).toEqual([429, expect.stringContaining('ACCESS_EXCEEDED')])
    expect((await get(`${at.path}/transactions${at.asking('pending')}`, away)).status).toBe(429)
    expect((await get(`${at.path}/transactions${at.asking('booked')}`)).status).toBe(200)
    for (let time = 0; time < 4; time += 1) {
      expect((await get(one ?? '', away)).status).toBe(200)
    }
    expect((await get(one ?? '', away)).status).toBe(429)
    expect((await get(other ?? '', away)).status).toBe(200)
  })
})

describe('the control API', () => {
  test('creates the same entries from the same books, and the resulting balance', async () => {
    const books = await startTestBank()
    const { tpp } = bankTestClient(() => books, 'SAIMFIHH')
    const { body: clock } = await tpp.control('GET', '/clock')
    const made = []
    for (const _again of [1, 2]) {
      await tpp.control('POST', '/reset')
      await tpp.control('POST', '/clock', Object(clock))
      const { control, readAll } = await visit('SAIMFIHH', books)
      await control('entries/generate', SEASON)
      const { booked } = await readAll('booked', {}, SEASON.days + 35)
      const ours = booked.filter((entry) => /"(Customer|Supplier) /.test(JSON.stringify(entry)))
      const balance = await balanceOf(books, 'SAIMFIHH')
      // A reset does not start the numbers of entries again.
      made.push({ balance, booked: ours.map(({ _links, entryReference: _number, ...entry }) => entry) })
    }
    await books.close()
    expect(made[0]?.booked).toHaveLength(SEASON.count)
    expect(JSON.stringify(made[0]) === JSON.stringify(made[1])).toBe(true)
    const days = made[0]?.booked.map(({ bookingDate }) => String(bookingDate)) ?? []
    expect(days).toEqual(days.toSorted().toReversed())
    expect(new Set(days).size).toBe(SEASON.days)
    expect(made[0]?.booked[0]).toMatchObject({
      balanceAfterTransaction: { balanceAmount: { amount: made[0]?.balance } },
    })
  })

  test('books entries of earlier days, each with the balance after it in the order of the statement', async () => {
    const { control, readAll } = await visit('VSKYNO22')
    const daysAgo = (days: number) => FIRST_DAY.subtract({ days }).toString()
    const entry = (amount: string, days: number) => ({ amount, counterparty: 'Somebody', bookedOn: daysAgo(days) })
    await control('entries', entry('12.34', 30))
    await control('entries/import', { entries: [entry('1.00', 4), entry('-2.00', 12), entry('4.00', 12)] })
    await control('entries/generate', { count: 40, days: 20 })
    await control('entries', entry('8.00', 7))
    const { booked } = await readAll('booked')
    expect(booked.find(({ bookingDate }) => bookingDate === daysAgo(30))).toMatchObject({
      transactionAmount: { amount: '12.34' },
    })
    const minor = (value: unknown) => Math.round(Number(Object(value).amount) * 100)
    const rows = booked.map(({ transactionAmount, balanceAfterTransaction, bookingDate }) => ({
      bookingDate,
      amount: minor(transactionAmount),
      balance: minor(Object(balanceAfterTransaction).balanceAmount),
    }))
    let balance = minor({ amount: await balanceOf(tested, 'VSKYNO22') })
    for (const [index, row] of rows.entries()) {
      expect(row, `entry ${index} from the newest`).toMatchObject({ balance })
      balance -= row.amount
    }
    for (const [bookedOn, message] of [
      ['2099-01-01', '2099-01-01 is in the future'],
      ['2026-99-01', '2026-99-01 is no date'],
    ] as const) {
      const rejected = await control('entries', { amount: '12.34', counterparty: 'Somebody', bookedOn })
      expect([rejected.status, rejected.text('message')], bookedOn).toEqual([400, message])
    }
  })

  test.each([
    ['page 2 of a list', 'FJORNO22', { operation: 'getTransactions', page: 2 }],
    ['a downloaded report', 'VASASESS', { operation: 'downloadTransactions' }],
    ['a list in one response', 'SAIMFIHH', { operation: 'getTransactions' }],
  ])('makes %s fail, or break off in the middle', async (_what, bic, where) => {
    const { control, readAll } = await visit(bic)
    await control('entries/generate', { count: MANY, days: 20 })
    const strike = (fault: object) =>
      thirdPartyOf(() => tested.bank).control('POST', '/faults', { bank: bic, ...where, ...fault, times: 1 })
    await strike({ effect: 'status', status: 503 })
    await expect(readAll('booked')).rejects.toThrow('503')
    await strike({ effect: 'cut-answer' })
    await expect(readAll('booked')).rejects.toThrow(/terminated|closed/)
    expect((await readAll('booked')).booked.length).toBeGreaterThanOrEqual(MANY)
  })
})

async function balanceOf({ bank }: TestBank, bic: string): Promise<unknown> {
  const { body } = await thirdPartyOf(() => bank).control('GET', '/accounts')
  const account = fixture.accounts.find((one) => one.bic === bic && one.history.length > 0)
  return Array.isArray(body) ? body.find(({ bban }) => bban === account?.bban)?.balance : undefined
}

/** A third party with a consent to the main account of a bank, and bookings on that account from elsewhere. */
async function visit(bic: string, { bank: running }: TestBank = tested) {
  const bank = bankTestDataOf(bic)
  const tpp = thirdPartyOf(() => running, bank)
  const account = fixture.accounts.find((one) => one.bic === bic && one.history.length > 0)
  const consentId = await tpp.consent()
  const present = { 'PSU-IP-Address': '192.0.2.7' }
  const get = async (href: string, change: Readonly<Record<string, string | undefined>> = {}) => {
    const headers = Object.entries({
      ...bank.headers,
      ...present,
      'Consent-ID': consentId,
      'X-Request-ID': crypto.randomUUID(),
      ...change,
    })
    const answer = await fetch(URL.parse(href, running.xs2aUrl) ?? href, {
      headers: headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
    })
    const text = await answer.text()
    const body: unknown = text === '' ? null : JSON.parse(text)
    return { status: answer.status, body }
  }
  const accounts = await tpp.send('GET', '/accounts', { headers: { ...present, 'Consent-ID': consentId } })
  const path = `${bank.base}/accounts/${accounts.text('accounts.0.resourceId')}`
  const asking = (bookingStatus: string, daysAgo = 60) => {
    const dateFrom = FIRST_DAY.subtract({ days: daysAgo }).toString()
    return `?${new URLSearchParams({ bookingStatus, dateFrom })}${bank.query.replace('?', '&')}`
  }
  /** Follows every link to its end. */
  const readAll = async (status: string, change: Readonly<Record<string, string | undefined>> = {}, daysAgo = 60) => {
    const [booked, pending]: Record<string, unknown>[][] = [[], []]
    let answers = 0
    for (
      let href: string | undefined = `${path}/transactions${asking(status, daysAgo)}`;
      href !== undefined;
      answers += 1
    ) {
      const answer = await get(href, change)
      if (answer.status !== 202) {
        const { transactions, _links } =
          answer.status === 200 ? Value.Parse(Report, answer.body) : expect.fail(`${answer.status}`)
        booked?.push(...(transactions?.booked ?? []))
        pending?.push(...(transactions?.pending ?? []))
        href = transactions?._links.next?.href ?? _links?.download?.href
      }
    }
    return { booked: booked ?? [], pending: pending ?? [], answers }
  }
  const control = (what: string, body: object) => tpp.control('POST', `/accounts/${account?.bban}/${what}`, body)
  return {
    at: { path, query: bank.query, asking, pageLength: profileOf.get(bic)?.transactionsPerPage ?? 0 },
    get,
    readAll,
    control,
  }
}
