/** Tests reads without the user: counted before the bank is called, by kind, account and day of the bank. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { visitBank } from '../../testing/browser/bank-user.ts'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, OLA, PSU } from '../../testing/payments/sample-payments.ts'
import { findConsent } from '../consent-store.ts'
import { consentSweeps } from '../jobs.ts'
import {
  type AccountRead,
  countUnattendedRead,
  readQuotaErrorOf,
  reserveJobRead,
  withReadQuota,
} from './unattended-reads.ts'

let gateway: TestGateway
let bank: SandboxBankControl
let consentId: string
let accountIds: readonly string[]
let headers: Readonly<Record<string, string>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  const consent = await acceptedConsent(gateway)
  consentId = consent.consentId
  headers = await validHeaders(gateway, consentId)
  accountIds = (await gateway.client.listAccounts(consent)).accounts.map(({ id }) => id)
})
afterAll(() => gateway.close())
/** Nothing has been read that day, by our count and by the bank's. */
beforeEach(async () => {
  await bank.clearFaults()
  await gateway.context.database.pool.query('delete from unattended_reads; delete from sandbox_bank.consent_reads')
})

async function read(path: string, { isAttended = false, of = consentId } = {}) {
  const psu = isAttended ? {} : { 'psu-ip-address': undefined, 'psu-user-agent': undefined }
  return await sendRawRequest(gateway, ['GET', path], { headers: { ...headers, 'consent-id': of, ...psu } })
}

const balanceOf = (id: string | undefined) => `/api/v2/accounts/${id}/balance`
const statusOf = async (path: string, of = consentId) => (await read(path, { of })).status
const bankCalls = () => gateway.logLines().filter((line) => line.includes('a bank was called')).length

async function readAll(path: string, of = consentId): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) {
    statuses.push(await statusOf(path, of))
  }
  return statuses
}

describe('the fifth read of a day', () => {
  test('is rejected until the bank’s midnight, says when and how to read, and does not reach the bank', async () => {
    const path = balanceOf(accountIds[0])
    expect(await readAll(path)).toEqual([200, 200, 200, 200, 429])
    const before = bankCalls()
    const rejected = await read(path)
    expect(bankCalls()).toBe(before)
    const { clock } = gateway.context
    const midnight = clock.today('Europe/Oslo').add({ days: 1 }).toZonedDateTime('Europe/Oslo').toInstant()
    const seconds = midnight.since(clock.now()).total('seconds')
    expect(Math.abs(Number(rejected.headers.get('retry-after')) - seconds)).toBeLessThan(30)
    expect(rejected.body).toMatchObject({
      message: expect.stringMatching(/4 such requests a day.*T2[23]:00:00\.000Z.*PSU headers/),
    })
    expect(rejected.body).not.toHaveProperty('failure')
    expect((await read(path, { isAttended: true })).status).toBe(200)
  })

  test('of one account does not affect the others, nor the list, which the acceptance has read once', async () => {
    const own = await acceptedConsent(gateway, OLA)
    const [one, other] = (await gateway.client.listAccounts(own)).accounts
    await readAll(balanceOf(one?.id), own.consentId)
    expect(await statusOf(balanceOf(other?.id), own.consentId)).toBe(200)
    expect(await readAll('/api/v2/accounts', own.consentId)).toEqual([200, 200, 200, 429, 429])
  })

  test('is the fifth however many run at the same time', async () => {
    const path = balanceOf(accountIds[0])
    const statuses = await Promise.all(Array.from({ length: 12 }, () => statusOf(path)))
    expect(statuses.toSorted()).toEqual([...Array(4).fill(200), ...Array(8).fill(429)])
  })

  test('is accepted on the bank’s next day, after moving the clock', async () => {
    const path = balanceOf(accountIds[0])
    await readAll(path)
    const { clock } = gateway.context
    const midnight = clock.today('Europe/Oslo').add({ days: 1 }).toZonedDateTime('Europe/Oslo').toInstant()
    await gateway.client.moveSandboxClock({ body: { set: midnight.subtract({ seconds: 20 }).toString() } })
    expect(await statusOf(path)).toBe(429)
    await gateway.client.moveSandboxClock({ body: { set: midnight.toString() } })
    expect(await readAll(path)).toEqual([200, 200, 200, 200, 429])
  })
})

test('the limit of a bank that has counted more applies for the rest of its day, with the same 429', async () => {
  const path = balanceOf(accountIds[0])
  await readAll(path)
  await gateway.context.database.pool.query('delete from unattended_reads')
  const before = bankCalls()
  const first = await read(path)
  expect(bankCalls()).toBe(before + 1)
  const second = await read(path)
  expect(bankCalls()).toBe(before + 1)
  expect([first.status, second.status]).toEqual([429, 429])
  expect(Object(second.body).message).toBe(Object(first.body).message)
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a rejection after midnight counts for the day before, and uses up none of the new day', async () => {
  const { clock } = gateway.context
  const requested = { ...(await entriesRead()), psu: null }
  let day = clock.today('Europe/Oslo').add({ days: 3 })
  const context: Context = { ...gateway.context, clock: { ...clock, today: () => day } }
  const rejected = withReadQuota(context, requested, async () => {
    day = day.add({ days: 1 })
    throw new BankError('too-many-reads', 'Too often')
  })
  await expect(rejected).rejects.toMatchObject({ reasonCode: 'too-many-requests' })
  for (let n = 0; n < 4; n += 1) {
    await countUnattendedRead(context, requested)
  }
  await expect(countUnattendedRead(context, requested)).rejects.toMatchObject({ reasonCode: 'too-many-requests' })
  await readQuotaErrorOf(context, requested, new BankError('too-many-reads', 'Too often'), day.subtract({ days: 1 }))
  await expect(countUnattendedRead(context, requested)).rejects.toMatchObject({ reasonCode: 'too-many-requests' })
})

test('days that are long over are deleted, with any number of reads, and nothing of today is', async () => {
  const { context } = gateway
  const today = context.clock.today('Europe/Oslo')
  const stored = async () => {
    const text = 'select read_on::text as day, count(*)::int as count from unattended_reads group by 1 order by 1'
    return (await context.database.pool.query(text)).rows
  }
  await context.database.pool.query('delete from unattended_reads')
  const days = [today.subtract({ days: 400 }), today.subtract({ days: 9 }), today.subtract({ days: 1 }), today]
  for (const day of days) {
    await context.database.pool.query(
      `insert into unattended_reads (partner_id, consent_id, kind, stable_id, read_on, reads)
       select partner_id, id, 'balance', $2::text || n, $2::date, 4 from consents, generate_series(1, 60) n where id = $1`,
      [consentId, day.toString()],
    )
  }
  await runSweepsUntilIdle(consentSweeps(context, async () => false))
  expect(await stored()).toEqual(days.slice(2).map((day) => ({ day: day.toString(), count: 60 })))
})

describe('accepting a consent', () => {
  const requested = async () => {
    const body = { bic: 'FJORNO22', organizationNumber: '987654325', userId: OLA, callbackUrl: CALLBACK }
    const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
    return { consentId: id, psu: PSU, url: sca.type === 'redirect' ? sca.url : '' }
  }

  test('counts its read and is never rejected, however often it was tried that day', async () => {
    const { url, ...consent } = await requested()
    await gateway.context.database.pool.query(
      `insert into unattended_reads (partner_id, consent_id, kind, stable_id, read_on, reads)
       select partner_id, id, 'accounts', '', $2, 4 from consents where id = $1`,
      [consent.consentId, gateway.context.clock.today('Europe/Oslo').toString()],
    )
    expect((await visitBank(url, { userId: OLA })).searchParams.get('status')).toBe('success')
    expect((await gateway.client.getConsent(consent)).status).toBe('ACCEPTED')
  })

  test('does not wait for a bank whose limit is exhausted: the next list stores the accounts', async () => {
    const { url, ...consent } = await requested()
    await bank.injectFault({ operation: 'getAccounts', effect: 'status', status: 429 })
    expect((await visitBank(url, { userId: OLA })).searchParams.get('status')).toBe('success')
    expect((await gateway.client.getConsent(consent)).status).toBe('ACCEPTED')
    const stored = 'select from consent_accounts where consent_id = $1'
    expect((await gateway.context.database.pool.query(stored, [consent.consentId])).rowCount).toBe(0)
    await bank.clearFaults()
    expect((await gateway.client.listAccounts(consent)).accounts).toHaveLength(accountIds.length)
    expect(await statusOf('/api/v2/accounts', consent.consentId)).toBe(429)
  })
})

test('a read that did not reach the bank is not counted', async () => {
  const path = balanceOf(accountIds[0])
  await bank.injectFault({ operation: 'getBalances', effect: 'drop-request' })
  expect(await statusOf(path)).toBe(503)
  await bank.clearFaults()
  await gateway.context.database.pool.query('update banks set paused_until = null, failures = 0, failing_since = null')
  expect(await readAll(path)).toEqual([200, 200, 200, 200, 429])
})

test('a bank that exceeds its limit although the user is present is not recorded as requiring the PSU headers', async () => {
  const psu = { ipAddress: '127.0.0.1', userAgent: 'x', headers: {} }
  const rejection = new BankError('too-many-reads', 'Too often').saying({ retryAfterSeconds: 90, isRateLimit: true })
  const attended = { ...(await entriesRead()), psu }
  const reported = await readQuotaErrorOf(gateway.context, attended, rejection)
  expect(reported).toMatchObject({ reasonCode: 'too-many-requests', extras: { retryAfterSeconds: 90 } })
  expect(String(reported)).not.toContain('PSU')
  expect(await reserveJobRead(gateway.context, attended)).toBe(true)
})

test('a bank that permits the next call today has not used up its reads of the day', async () => {
  const { context } = gateway
  const requested = { ...(await entriesRead()), psu: null }
  const rejection = new BankError('too-many-reads', 'Too often').saying({ retryAfterSeconds: 1, isRateLimit: true })
  const reported = await readQuotaErrorOf(context, requested, rejection)
  expect(reported).toMatchObject({ reasonCode: 'too-many-requests', extras: { retryAfterSeconds: 1 } })
  await countUnattendedRead(context, requested)
})

describe('a background job', () => {
  test('leaves half of a day’s reads to the partner, and counts against none of the partner’s', async () => {
    const job = await entriesRead()
    const taken = async () => await reserveJobRead(gateway.context, job)
    expect([await taken(), await taken(), await taken()]).toEqual([true, true, false])
    for (let n = 0; n < 2; n += 1) {
      await countUnattendedRead(gateway.context, { ...job, psu: null })
    }
    await expect(countUnattendedRead(gateway.context, { ...job, psu: null })).rejects.toMatchObject({
      reasonCode: 'too-many-requests',
    })
  })

  test('reads nothing where the bank permits a single read', async () => {
    const { context } = gateway
    const one: Context = { ...context, config: { ...context.config, unattendedReadsPerDay: 1 } }
    expect(await reserveJobRead(one, await entriesRead())).toBe(false)
    await countUnattendedRead(one, { ...(await entriesRead()), psu: null })
  })
})

test('concurrent reads of the list keep every account’s id', async () => {
  const lists = await Promise.all(Array.from({ length: 6 }, () => read('/api/v2/accounts', { isAttended: true })))
  const ids = lists.map(({ body }) =>
    Object(body)
      .accounts.map(({ id }: { id: string }) => id)
      .toSorted(),
  )
  expect(ids).toEqual(lists.map(() => accountIds.toSorted()))
})

async function entriesRead(): Promise<Omit<AccountRead, 'psu'>> {
  const { context } = gateway
  const { rows } = await context.database.pool.query<{ partner: string }>(
    'select partner_id as partner from consents where id = $1',
    [consentId],
  )
  const consent = await findConsent(context, { partnerId: rows[0]?.partner ?? '', id: consentId })
  const at = await context.banks.find('FJORNO22')
  if (consent === undefined || at === undefined) {
    throw new Error('The consent or its bank is not there')
  }
  return { bank: at, consent, kind: 'entries', stableId: 'an account' }
}
