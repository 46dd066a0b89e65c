/** Tests the scripted users at a real sandbox bank. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  consentRequest,
  order,
  PAYMENTS,
  type ThirdParty,
  thirdPartyOf,
  userHeaders,
} from '../../testing/third-party.ts'
import { scriptedIdInFormOf } from './scripted-user-lookup.ts'
import { type ScriptedUser, scriptedUsers } from './scripted-users.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())

const headersOf = (user: ScriptedUser) => ({ ...userHeaders, 'PSU-ID': scriptedIdInFormOf(user, '01815012345') ?? '' })

const now = async () => Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now'))

async function pass(duration: string): Promise<void> {
  const target = (await now()).toZonedDateTimeISO('UTC').add(duration).toInstant()
  await tpp.control('POST', '/clock', { now: target.toString() })
}

async function askForAccess(user: ScriptedUser): Promise<string> {
  const headers = headersOf(user)
  const id = (await tpp.send('POST', '/consents', { body: consentRequest(), headers })).text('consentId')
  await tpp.authorise(`/consents/${id}/authorisations`, headers)
  await pass('PT3S')
  return id
}

const consentStatus = async (id: string) => (await tpp.send('GET', `/consents/${id}/status`)).text('consentStatus')
const scaStatus = async (path: string) => {
  const { body } = await tpp.send('GET', path)
  const [id] =
    body !== null && typeof body === 'object' && 'authorisationIds' in body ? Object(body).authorisationIds : []
  return (await tpp.send('GET', `${path}/${id}`)).body
}

const statusOfConsent = { approve: 'valid', reject: 'rejected', cancel: 'received', forget: 'received' } as const
const textOf = {
  approve: { scaStatus: 'finalised', psuMessage: 'Signed' },
  reject: { scaStatus: 'failed', psuMessage: expect.stringContaining('rejected') },
  cancel: { scaStatus: 'failed', psuMessage: expect.stringContaining('cancelled') },
  forget: { scaStatus: 'failed', psuMessage: expect.stringContaining('expired') },
} as const

/** Of the users with one decision the first one: `scripted-outcomes.test.ts` of the gateway has all of them. */
function oneOfEach(users: readonly ScriptedUser[], what: 'consent' | 'payment' | 'cancellation') {
  return [...Map.groupBy(users, (user) => user[what]).values()].flatMap(([first]) => first ?? [])
}

/** Those who sign on the bank's pages, or in an app. */
const askable = scriptedUsers.filter(({ wantsPassword }) => wantsPassword !== true)
const paying = askable.filter(({ mayPay }) => mayPay)

describe('a scripted user', () => {
  test.each(oneOfEach(askable, 'consent'))('$name decides on consents', async (user) => {
    const id = await askForAccess(user)
    expect(await consentStatus(id)).toBe(statusOfConsent[user.consent])
    expect(await scaStatus(`/consents/${id}/authorisations`)).toEqual(textOf[user.consent])
  })

  test.each(oneOfEach(paying, 'payment'))('$name decides on payments', async (user) => {
    const headers = headersOf(user)
    const id = await tpp.pay({}, headers)
    await tpp.authorise(`${PAYMENTS}/${id}/authorisations`, headers)
    await pass('PT3S')
    expect(await scaStatus(`${PAYMENTS}/${id}/authorisations`)).toEqual(textOf[user.payment])
    const { body } = await tpp.send('GET', `${PAYMENTS}/${id}/status`)
    expect(body).toMatchObject({ transactionStatus: user.payment === 'approve' ? 'ACSP' : 'RCVD' })
  })

  test.each(
    oneOfEach(
      paying.filter(({ payment }) => payment === 'approve'),
      'cancellation',
    ),
  )('$name decides on cancellations', async (user) => {
    const headers = headersOf(user)
    const today = (await now()).toZonedDateTimeISO('Europe/Oslo').toPlainDate()
    const id = await tpp.pay({ requestedExecutionDate: today.add({ days: 10 }).toString() }, headers)
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    expect((await tpp.send('DELETE', `${PAYMENTS}/${id}`)).status).toBe(202)
    await tpp.authorise(`${PAYMENTS}/${id}/cancellation-authorisations`, headers)
    await pass('PT3S')
    const { body } = await tpp.send('GET', `${PAYMENTS}/${id}/status`)
    expect(body).toMatchObject({ transactionStatus: user.cancellation === 'approve' ? 'CANC' : 'ACTC' })
  })

  test.each(
    scriptedUsers.flatMap((user) => (user.consentEnds === undefined ? [] : [{ ...user, ends: user.consentEnds }])),
  )('$name loses access in time', async (user) => {
    const id = await askForAccess(user)
    await pass('PT30M')
    expect(await consentStatus(id)).toBe('valid')
    await pass('PT30M')
    expect(await consentStatus(id)).toBe(user.ends.status)
  })

  test('who signs later does so in the online bank, where the third party had given up', async () => {
    for (const user of scriptedUsers.filter(({ signsLateAfter }) => signsLateAfter !== undefined)) {
      const headers = headersOf(user)
      const id = await tpp.pay({}, headers)
      await tpp.authorise(`${PAYMENTS}/${id}/authorisations`, headers)
      await pass('PT59M')
      const status = async () => (await tpp.send('GET', `${PAYMENTS}/${id}/status`)).text('transactionStatus')
      expect(await status()).toBe('RCVD')
      await pass('PT2M')
      expect(await status()).toMatch(/^ACS[PC]$/)
      expect(await scaStatus(`${PAYMENTS}/${id}/authorisations`)).toMatchObject({ scaStatus: 'failed' })
    }
  })

  test('who would have to enter a password is offered neither page nor app', async () => {
    for (const user of scriptedUsers.filter(({ wantsPassword }) => wantsPassword === true)) {
      const headers = headersOf(user)
      const id = await tpp.pay({}, headers)
      const started = await tpp.send('POST', `${PAYMENTS}/${id}/authorisations`, { body: {}, headers })
      expect([started.status, started.headers.get('aspsp-sca-approach')]).toEqual([201, 'EMBEDDED'])
      expect(started.body).toMatchObject({ _links: { updatePsuAuthentication: { href: expect.any(String) } } })
      expect(started.body).not.toHaveProperty('_links.scaRedirect')
      const played = await tpp.control('POST', `/authorisations/${started.text('authorisationId')}/sign`, {})
      expect(played.status).toBe(409)
    }
  })

  test('without the right to pay is rejected when paying', async () => {
    for (const user of scriptedUsers.filter(({ mayPay }) => !mayPay)) {
      const reply = await tpp.send('POST', PAYMENTS, { body: order(), headers: headersOf(user) })
      expect([reply.status, reply.text('tppMessages.0.code')]).toEqual([403, 'SERVICE_BLOCKED'])
    }
  })

  test('without the right to pay signs no payment that another user ordered', async () => {
    for (const user of scriptedUsers.filter(({ mayPay }) => !mayPay)) {
      const id = await tpp.pay()
      await tpp.authorise(`${PAYMENTS}/${id}/authorisations`, headersOf(user))
      await pass('PT3S')
      expect(await scaStatus(`${PAYMENTS}/${id}/authorisations`)).toEqual(textOf.cancel)
      expect((await tpp.send('GET', `${PAYMENTS}/${id}/status`)).text('transactionStatus')).toBe('RCVD')
    }
  })

  test('is not offered on the signing page, except in the app that names one', async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    const { link } = await tpp.authorise(path)
    expect(await (await fetch(link)).text()).not.toContain('Signs Everything')
  })

  test('has an id in each bank’s format, and no two have the same', () => {
    for (const like of ['01815012345', 'KN12345', '199081150100', 'freja.jensen', '10020030']) {
      const ids = scriptedUsers.map((user) => scriptedIdInFormOf(user, like))
      expect(new Set(ids).size).toBe(scriptedUsers.length)
      expect(ids).not.toContain(undefined)
    }
  })
})

test('a decision counts that is made when the authorisation was found to have expired', async () => {
  const id = await tpp.pay()
  const { id: authorisationId } = await tpp.authorise(`${PAYMENTS}/${id}/authorisations`)
  const pool = new pg.Pool({ connectionString: tested.connectionString })
  const deciding = await pool.connect()
  await deciding.query('begin')
  await deciding.query('select from sandbox_bank.payments where id = $1 for update', [id])
  const passing = pass('PT1H')
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 10_000 }).toBeGreaterThan(0)
  const decided = "update sandbox_bank.authorisations set outcome = 'rejected', due_at = null where id = $1"
  await deciding.query(decided, [authorisationId])
  await deciding.query('commit')
  deciding.release()
  await passing
  await pool.end()
  expect((await tpp.send('GET', `${PAYMENTS}/${id}/status`)).text('transactionStatus')).toBe('RCVD')
})
