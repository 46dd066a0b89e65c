/** Tests the decoupled approach: codes at Swedish banks, a notified app at a Danish one. */
import { sql } from 'kysely'
import decodeQr from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../gateway/platform/database/database.ts'
import { type BankTestClient, bankTestClient } from '../../testing/bank-test-client.ts'
import { orderForBank } from '../../testing/bank-test-data.ts'
import { readPng } from '../../testing/read-png.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf, type Reply } from '../../testing/third-party.ts'
import type { Tables } from '../tables.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const APP = { 'TPP-Redirect-Preferred': 'false' }
const ANIMATED = { ...APP, 'Qr-Code-Required': 'true' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CODE = /^bankid\.[0-9a-f-]{36}\.\d+\.[0-9a-f]{64}$/

const visits = {
  seb: bankTestClient(() => tested, 'VASASESS'),
  swedbank: bankTestClient(() => tested, 'MALBSESS'),
  token: bankTestClient(() => tested, 'SKARSESS'),
  danish: bankTestClient(() => tested, 'KATTDK22'),
}

/** An authorisation of a new payment without a browser; every order is different, since one bank rejects equal ones. */
let orders = 0
async function begin({ bank, tpp, place }: BankTestClient, headers: object, changes: object = {}) {
  orders += 1
  const amount = `${1_000 + orders}.00`
  const placed = await place({ instructedAmount: { currency: bank.currency, amount }, ...changes })
  const payment = `${bank.payments}/${placed.text('paymentId')}`
  const { 'TPP-Redirect-URI': _ok, 'TPP-Nok-Redirect-URI': _nok, ...rest } = headersOf(bank)
  const started = await tpp.send('POST', `${payment}/authorisations`, { body: {}, headers: { ...rest, ...headers } })
  const path = `${payment}/authorisations/${started.status === 201 ? started.text('authorisationId') : ''}`
  const read = () => tpp.send('GET', path)
  const play = (action: string, body: object = {}) =>
    tpp.control('POST', `/authorisations/${started.text('authorisationId')}/${action}`, body)
  const status = async () => (await tpp.send('GET', `${payment}/status`)).text('transactionStatus')
  return { started, read, play, status, payment }
}

async function withDatabase<Result>(work: (query: Database<Tables>['query']) => Promise<Result>): Promise<Result> {
  const { connectionString } = tested
  const database = openDatabase<Tables>({
    connectionString,
    applicationName: 'tests',
    connectionsMax: 1,
    schema: 'sandbox_bank',
  })
  return await work(database.query).finally(() => database.close())
}

const approach = ({ headers }: Reply) => headers.get('aspsp-sca-approach')

test.each([
  ['nothing', {}, 'REDIRECT'],
  ['a browser', { 'TPP-Redirect-Preferred': 'true' }, 'REDIRECT'],
  ['a browser and a code', { ...ANIMATED, 'TPP-Redirect-Preferred': 'true' }, 'REDIRECT'],
  ['no browser', APP, 'DECOUPLED'],
  ['an app', { 'TPP-Decoupled-Preferred': 'true' }, 'DECOUPLED'],
  ['a code', { 'Qr-Code-Required': 'true' }, 'DECOUPLED'],
])('a bank with both approaches, with the preference %s, uses the intended one', async (_what, headers, expected) => {
  const { bank, tpp, place } = visits.seb
  const requested = { ...headersOf(bank), ...headers }
  const placed = await place({ instructedAmount: { currency: bank.currency, amount: '10.00' } }, requested)
  const payment = `${bank.payments}/${placed.text('paymentId')}`
  const started = await tpp.send('POST', `${payment}/authorisations`, { body: {}, headers: requested })
  expect([approach(placed), approach(started)]).toEqual([expected, expected])
})

describe('a bank that draws the QR code', () => {
  test('returns an image of the code next to its text, and a new one at each poll', async () => {
    const { started, read } = await begin(visits.seb, APP)
    expect([started.status, approach(started), started.text('scaStatus')]).toEqual([201, 'DECOUPLED', 'received'])
    expect(started.text('psuMessage')).toContain('skanna koden')
    const code = started.text('challengeData.data.0')
    expect(code).toMatch(CODE)
    expect(decodeQr(readPng(Buffer.from(started.text('challengeData.image'), 'base64')))).toBe(code)
    await expect.poll(async () => (await read()).text('challengeData.data.0'), { timeout: 5_000 }).not.toBe(code)
  })

  test('reports it as started when the code was scanned, and as signed when the user has signed', async () => {
    const { started, read, play, status } = await begin(visits.seb, APP)
    await play('scan')
    const scanned = await read()
    expect(scanned.body).toEqual({
      scaStatus: 'authenticationStarted',
      psuMessage: 'Öppna BankID-appen och skriv under',
    })
    expect((await play('sign')).body).toEqual({ redirect: null })
    expect(await status()).toBe('ACSP')
    expect(started.status).toBe(201)
  })
})

describe('a bank with an image of the QR code', () => {
  test('links to an image that changes each second and needs no certificate', async () => {
    const { started } = await begin(visits.swedbank, ANIMATED)
    expect(started.body).not.toHaveProperty('challengeData.data')
    const link = started.text('challengeData.imageLink')
    const code = async () => decodeQr(readPng(Buffer.from(await (await fetch(link)).arrayBuffer())))
    const first = await code()
    expect(first).toMatch(CODE)
    await expect.poll(code, { timeout: 5_000 }).not.toBe(first)
    const answer = await fetch(link)
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual(['image/png', 'no-store'])
  })

  test('returns none for a wrong URL, nor once the code was scanned', async () => {
    const { started, play } = await begin(visits.swedbank, ANIMATED)
    const link = started.text('challengeData.imageLink')
    expect((await fetch(`${link}x`)).status).toBe(404)
    await play('scan')
    expect((await fetch(link)).status).toBe(404)
  })

  test.each([
    ['a start token when no image is requested', 'swedbank'],
    ['a start token at a bank without images', 'token'],
  ] as const)('returns %s', async (_what, name) => {
    const { started, read } = await begin(visits[name], APP)
    const token = started.text('challengeData.data.0')
    expect(token).toMatch(UUID)
    expect(started.body).not.toHaveProperty('challengeData.image')
    expect((await read()).text('challengeData.data.0')).toBe(token)
  })
})

describe('a QR code', () => {
  test.each([
    ['seb', APP],
    ['swedbank', ANIMATED],
    ['token', APP],
  ] as const)('that was not scanned has failed, with the bank’s text: %s', async (name, headers) => {
    const { bank } = visits[name]
    const { read, play, status } = await begin(visits[name], headers)
    expect((await play('expire')).status).toBe(200)
    expect((await read()).body).toEqual({
      scaStatus: 'failed',
      psuMessage: 'BankID-beställningen har gått ut: ingen skannade koden i tid',
    })
    expect(await status()).toBe(bank.statuses.first)
    expect((await play('expire')).status).toBe(409)
  })

  test('expires 30 seconds of wall time after it was created', async () => {
    const { started, read } = await begin(visits.token, APP)
    const id = started.text('authorisationId')
    await withDatabase(async (query) => {
      const row = query.selectFrom('authorisations').where('id', '=', id)
      const { code_issued_at: begun, code_expires_at: expires } = await row.selectAll().executeTakeFirstOrThrow()
      expect(expires?.since(begun ?? expires).total('seconds')).toBe(30)
      await query
        .updateTable('authorisations')
        .set({ code_expires_at: String(begun) })
        .where('id', '=', id)
        .execute()
    })
    await expect.poll(async () => (await read()).text('scaStatus'), { timeout: 10_000 }).toBe('failed')
  })

  test('that was scanned does not expire any more', async () => {
    const { play } = await begin(visits.seb, APP)
    await play('scan')
    expect((await play('expire')).status).toBe(409)
  })

  test('is followed by another one, whose order replaces the first', async () => {
    const { read, payment } = await begin(visits.seb, APP)
    const { bank, tpp } = visits.seb
    const again = await tpp.send('POST', `${payment}/authorisations`, {
      body: {},
      headers: { ...headersOf(bank), ...APP },
    })
    expect(again.status).toBe(201)
    expect((await read()).status).toBe(400)
  })
})

describe('a bank that notifies the app', () => {
  test('signs there whatever the third party prefers, without a QR code', async () => {
    const { started, read, play, status } = await begin(visits.danish, { 'TPP-Redirect-Preferred': 'true' })
    expect(approach(started)).toBe('DECOUPLED')
    expect(started.body).toEqual({
      scaStatus: 'received',
      authorisationId: expect.any(String),
      psuMessage: 'Åbn MitID-appen og godkend',
      _links: { scaStatus: expect.anything() },
    })
    await play('scan')
    expect((await read()).text('scaStatus')).toBe('started')
    await play('sign')
    expect((await read()).body).toEqual({ scaStatus: 'finalised', psuMessage: 'Signed' })
    expect(await status()).toBe('ACSP')
  })

  test('is not opened before its user has chosen a method', async () => {
    const { started, read, play } = await begin(visits.danish, { 'PSU-ID': 'chooses.method' })
    expect(started.text('scaStatus')).toBe('psuAuthenticated')
    await play('scan')
    expect((await play('sign')).status).toBe(403)
    expect((await read()).text('scaStatus')).toBe('psuAuthenticated')
  })

  test('accepts no choice of a method that waited until the authorisation had ended', async () => {
    const { started, payment } = await begin(visits.danish, { 'PSU-ID': 'chooses.method' })
    const id = started.text('authorisationId')
    const body = { authenticationMethodId: 'app' }
    const choosing = await withDatabase((query) =>
      query.transaction().execute(async (transaction) => {
        const row = transaction.selectFrom('authorisations').where('id', '=', id)
        await row.select('id').forUpdate().execute()
        const chosen = visits.danish.tpp.send('PUT', `${payment}/authorisations/${id}`, { body })
        const waiting = sql`select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`
        await expect
          .poll(async () => (await waiting.execute(transaction)).rows.length, { timeout: 10_000 })
          .toBeGreaterThan(0)
        await transaction
          .updateTable('authorisations')
          .set({ outcome: 'replaced', due_at: null })
          .where('id', '=', id)
          .execute()
        return { chosen }
      }),
    )
    expect((await choosing.chosen).status).toBe(409)
  })

  test('lets only the user of the app sign', async () => {
    const { play, status } = await begin(visits.danish, {})
    expect((await play('sign', { userId: visits.danish.bank.secondUser })).status).toBe(403)
    expect(await status()).toBe('RCVD')
  })

  test('accepts a rejection in the app', async () => {
    const { read, play } = await begin(visits.danish, {})
    await play('reject')
    expect((await read()).body).toEqual({ scaStatus: 'failed', psuMessage: 'The user rejected the request' })
  })

  test('reports that at once, where a creation starts the authorisation', async () => {
    const { bank, tpp } = visits.danish
    const { 'TPP-Explicit-Authorisation-Preferred': _explicit, ...headers } = headersOf(bank)
    const placed = await tpp.send('POST', bank.payments, { body: orderForBank(bank), headers })
    expect([approach(placed), placed.text('psuMessage')]).toEqual(['DECOUPLED', 'Åbn MitID-appen og godkend'])
    expect(placed.body).not.toHaveProperty('_links.startAuthorisation')
  })
})
