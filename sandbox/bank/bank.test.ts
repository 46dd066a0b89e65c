/** Tests the bank as a whole: persistence across restarts, its clock, and concurrent requests. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { openBank, requireNoViolations } from '../testing/test-bank.ts'
import { order, PAYMENTS, type ThirdParty, thirdPartyOf, userHeaders } from '../testing/third-party.ts'
import type { SandboxBank } from './bank.ts'

let database: FreshDatabase
let bank: SandboxBank
let tpp: ThirdParty
beforeEach(async () => {
  database = await freshDatabase()
  bank = await openBank(database.connectionString)
  tpp = thirdPartyOf(() => bank)
})
afterEach(async () => {
  await bank.close()
  await database.drop()
  requireNoViolations(bank)
})

const restart = async () => {
  await bank.close()
  bank = await openBank(database.connectionString)
}
const statusOf = async (id: string) => (await tpp.send('GET', `${PAYMENTS}/${id}/status`)).text('transactionStatus')

describe('a restart', () => {
  test('keeps consents, payments, authorisations in progress and the clock', async () => {
    await tpp.control('POST', '/clock', { now: '2031-03-03T11:00:00Z' })
    const consentId = await tpp.consent()
    const id = await tpp.pay({ requestedExecutionDate: '2031-03-05' })
    const { id: authorisationId } = await tpp.authorise(`${PAYMENTS}/${id}/authorisations`)
    await restart()
    expect((await tpp.control('GET', '/clock')).text('now')).toMatch('2031-03-03T11:0')
    expect((await tpp.send('GET', `/consents/${consentId}/status`)).body).toEqual({ consentStatus: 'valid' })
    await tpp.control('POST', `/authorisations/${authorisationId}/sign`)
    expect(await statusOf(id)).toBe('ACTC')
  })

  test('processes at once what was due while the bank was closed', async () => {
    await tpp.control('POST', '/clock', { now: '2031-03-03T11:00:00Z' })
    const id = await tpp.pay({ requestedExecutionDate: '2031-03-03' })
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    await restart()
    await tpp.control('POST', '/clock', { now: '2031-03-03T11:01:00Z' })
    expect(await statusOf(id)).toBe('ACSC')
  })
})

describe('/control/clock', () => {
  test('returns the time and the next due time', async () => {
    const now = '2031-03-03T11:00:00Z'
    expect((await tpp.control('POST', '/clock', { now })).body).toMatchObject({
      now: expect.stringMatching(/^2031-03-03T11:00:00/),
      nextDueAt: null,
    })
    const id = await tpp.pay({ requestedExecutionDate: '2031-03-05' })
    expect((await tpp.control('GET', '/clock')).text('nextDueAt')).toBe('2031-03-05T23:00:00Z')
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    expect((await tpp.control('GET', '/clock')).text('nextDueAt')).toBe('2031-03-04T23:00:00Z')
    const atThatInstant = await tpp.control('POST', '/clock', { now: '2031-03-04T23:00:00Z' })
    expect(atThatInstant.text('nextDueAt')).toBe('2031-03-05T05:00:00Z')
    expect(await statusOf(id)).toBe('ACSP')
  })

  test('goes back by a reset', async () => {
    await tpp.control('POST', '/clock', { now: '2031-03-03T11:00:00Z' })
    const reset = await tpp.control('POST', '/clock', { reset: true })
    const behind = Temporal.Now.instant()
      .since(Temporal.Instant.from(reset.text('now')))
      .total('seconds')
    expect(behind).toBeLessThan(60)
  })

  test('rejects a time that no calendar reaches, and goes on', async () => {
    for (const now of ['+275760-09-13T00:00:00Z', '+020000-01-01T00:00:00Z', '-000100-01-01T00:00:00Z']) {
      expect([now, (await tpp.control('POST', '/clock', { now })).status]).toEqual([now, 400])
      expect((await tpp.control('GET', '/clock')).status).toBe(200)
    }
  })

  test('rejects an invalid timestamp', async () => {
    expect((await tpp.control('POST', '/clock', { now: 'soon' })).status).toBe(400)
    expect((await tpp.control('POST', '/clock', {})).status).toBe(400)
  })
})

describe('two concurrent orders', () => {
  test('start one authorisation each and are signed once', async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    const started = await Promise.all(Array.from({ length: 5 }, () => tpp.authorise(path)))
    const open = await Promise.all(started.map(({ id }) => tpp.send('GET', `${path}/${id}`)))
    expect(open.filter((one) => one.text('scaStatus') === 'received')).toHaveLength(1)
  })

  test('are both stored', async () => {
    const placed = await Promise.all(
      Array.from({ length: 10 }, () => tpp.send('POST', PAYMENTS, { body: order(), headers: userHeaders })),
    )
    expect(new Set(placed.map((one) => one.text('paymentId'))).size).toBe(10)
  })
})
