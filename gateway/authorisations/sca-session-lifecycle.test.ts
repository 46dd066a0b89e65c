/** Tests the lifecycle of an SCA session: only the bank decides, links work once, evidence is stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HavnError } from '../../sdk/index.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser, visitBank } from '../testing/browser/bank-user.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, OLA } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'

type Consent = Awaited<ReturnType<typeof acceptedConsent>>

let gateway: TestGateway
let bank: SandboxBankControl
let kari: Consent
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  kari = await acceptedConsent(gateway)
})
beforeEach(async () => {
  await bank.clearFaults()
  await disablePaymentPolling(gateway)
})
afterAll(() => gateway.close())

async function unsignedPayments(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const body = domesticPayment(gateway)
    ids.push((await gateway.client.initiateDomesticPayment({ ...kari, body })).paymentId)
  }
  return ids
}

async function startedApproval(payments: string[], consent = kari, callbackUrl = CALLBACK) {
  const { id, sca } = await gateway.client.approvePayments({ ...consent, body: { payments, callbackUrl } })
  return { id, url: sca?.type === 'redirect' ? sca.url : '' }
}

async function approvalNow(approvalId: string, consent = kari) {
  const { status, payments } = await gateway.client.getPaymentApproval({ ...consent, params: { approvalId } })
  return { status, results: payments?.map(({ result }) => result) }
}

async function paymentStatuses(ids: string[]): Promise<string[]> {
  const shown = await Promise.all(ids.map((paymentId) => gateway.client.getPaymentStatus({ params: { paymentId } })))
  return shown.map(({ status }) => status)
}

/** The latest authorisation that the bank has started. */
async function latestAuthorisation(): Promise<string> {
  const payment = (await bank.payments()).at(-1)
  return payment?.authorisations.at(-1)?.authorisationId ?? ''
}

/** A browser that has left for the bank, and its URL there. */
async function browserAtBank(url: string) {
  const browser = openBrowser()
  await browser.get(url)
  const address = await browser.post(url, {})
  return { browser, address }
}

async function decideAt(
  { browser, address }: Awaited<ReturnType<typeof browserAtBank>>,
  decision: string,
  userId = KARI,
): Promise<string> {
  await browser.get(address)
  await browser.post(address, { userId })
  return await browser.post(address, { decision })
}

async function refusalOf(call: Promise<unknown>): Promise<HavnError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(thrown instanceof HavnError)) {
    throw new Error(`Nothing was refused: ${thrown}`)
  }
  return thrown
}

describe('the outcome of an SCA session', () => {
  it.each([
    ['approve', 'success', 'ACCEPTED', 'InProgress'],
    ['reject', 'rejected', 'REJECTED', 'Unsigned'],
    ['cancel', 'cancelled', 'CANCELLED', 'Unsigned'],
  ] as const)('%s at the bank is %s, the approval %s and the payment %s', async (decision, said, status, paid) => {
    const payments = await unsignedPayments(1)
    const { id, url } = await startedApproval(payments)
    const back = await visitBank(url, { decision })
    expect(back.href).toBe(`${CALLBACK}?status=${said}`)
    expect(await approvalNow(id)).toEqual({ status, results: [status] })
    expect(await paymentStatuses(payments)).toEqual([paid])
  })

  it('comes from the bank, never from the callback URL', async () => {
    const { id, url } = await startedApproval(await unsignedPayments(1))
    const atTheBank = await browserAtBank(url)
    const back = await decideAt(atTheBank, 'approve')
    const end = await atTheBank.browser.follow(`${back}?refused=1&status=rejected`)
    expect(end.searchParams.get('status')).toBe('success')
    expect(await approvalNow(id)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('is not success while the bank has no signature, however the browser returned', async () => {
    const { id, url } = await startedApproval(await unsignedPayments(1))
    const { browser, address } = await browserAtBank(url)
    await browser.get(address)
    const { rows } = await gateway.context.database.pool.query<{ back: string }>(
      'select redirect_uri as back from sandbox_bank.authorisations order by position desc limit 1',
    )
    expect(await browser.get(rows[0]?.back ?? '')).toContain('Waiting for your bank')
    expect(await approvalNow(id)).toMatchObject({ status: 'STARTED' })
  })

  it('replaces a status in the partner’s redirect URL, and leaves everything else', async () => {
    const callbackUrl = `${CALLBACK}?order=7&status=success&status=paid`
    const { url } = await startedApproval(await unsignedPayments(1), kari, callbackUrl)
    const back = await visitBank(url, { decision: 'reject' })
    expect(back.href).toBe(`${CALLBACK}?order=7&status=rejected`)
  })
})

describe('a deadline', () => {
  it('cancels an unsigned approval after ten minutes; the link then says so, and a new approval is accepted', async () => {
    const payments = await unsignedPayments(1)
    const { id, url } = await startedApproval(payments)
    await passTime(gateway, 'PT9M')
    expect(await approvalNow(id)).toMatchObject({ status: 'STARTED' })
    await passTime(gateway, 'PT1M30S')
    expect(await approvalNow(id)).toEqual({ status: 'CANCELLED', results: ['CANCELLED'] })
    expect((await fetch(url)).status).toBe(410)
    expect((await fetch(url, { method: 'POST' })).status).toBe(410)
    const again = await startedApproval(payments)
    expect((await visitBank(again.url)).searchParams.get('status')).toBe('success')
  })

  it.each(['before the browser left', 'while the browser is at the bank'])(
    'counts a signature given just before it, %s, although the browser never returns',
    async (when) => {
      const payments = await unsignedPayments(1)
      const { id, url } = await startedApproval(payments)
      if (when.startsWith('while')) {
        await browserAtBank(url)
      }
      await bank.postControl(`/authorisations/${await latestAuthorisation()}/sign`)
      await passTime(gateway, 'PT11M')
      expect(await approvalNow(id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED'] })
      expect(await paymentStatuses(payments)).not.toContain('Unsigned')
    },
  )

  it('closes nothing while the bank is unavailable, and counts the signature once it is available', async () => {
    const { id } = await startedApproval(await unsignedPayments(1))
    await bank.postControl(`/authorisations/${await latestAuthorisation()}/sign`)
    await bank.injectFault({ operation: '*', effect: 'down' })
    await passTime(gateway, 'PT15M')
    const { rows } = await gateway.context.database.pool.query('select status from approvals where id = $1', [id])
    expect(rows[0]?.status).toBe('STARTED')
    await bank.clearFaults()
    await gateway.context.database.pool.query('update banks set paused_until = null, failures = 0')
    await passTime(gateway, 'PT1H')
    expect(await approvalNow(id)).toMatchObject({ status: 'ACCEPTED' })
  })
})

it.each([
  [409, 'STATUS_INVALID'],
  [403, 'PRODUCT_INVALID'],
])('an approval has its last known status while the bank answers polls with %i %s', async (status, code) => {
  const { id, url } = await startedApproval(await unsignedPayments(1))
  await browserAtBank(url)
  await bank.injectFault({ operation: '*', effect: 'status', status, code, times: 1 })
  expect(await approvalNow(id)).toMatchObject({ status: 'STARTED' })
  expect(await bank.faults()).toEqual([])
})

describe('an approval of the same payment', () => {
  it('supersedes an older one that no browser has used', async () => {
    const payments = await unsignedPayments(1)
    const older = await startedApproval(payments)
    const newer = await startedApproval(payments)
    expect(await approvalNow(older.id)).toMatchObject({ status: 'CANCELLED' })
    expect((await fetch(older.url)).status).toBe(410)
    expect((await visitBank(newer.url)).searchParams.get('status')).toBe('success')
    expect(await approvalNow(newer.id)).toMatchObject({ status: 'ACCEPTED' })
  })

  it('waits while a session at the bank is open, and is accepted once that has ended', async () => {
    const payments = await unsignedPayments(1)
    const older = await startedApproval(payments)
    const atTheBank = await browserAtBank(older.url)
    const refusal = await refusalOf(startedApproval(payments))
    expect(refusal).toMatchObject({ status: 400, failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' })
    await decideAt(atTheBank, 'cancel')
    const newer = await startedApproval(payments)
    expect(await approvalNow(older.id)).toMatchObject({ status: 'CANCELLED' })
    expect(await approvalNow(newer.id)).toMatchObject({ status: 'STARTED' })
  })
})

describe('several payments behind one link', () => {
  /** Follows the chain with one decision each, and returns the final URL of the browser. */
  async function walk(url: string, decisions: readonly string[]): Promise<URL> {
    const { browser, address: first } = await browserAtBank(url)
    let address = first
    for (const [position, decision] of decisions.entries()) {
      const back = await decideAt({ browser, address }, decision)
      if (decision !== 'approve' || position === decisions.length - 1) {
        return await browser.follow(back)
      }
      expect(await browser.get(back)).toContain(`${position + 1} of`)
      address = await browser.post(`${back}/next`, {})
    }
    throw new Error('The chain has no end')
  }

  it('are signed one after the other, and are all accepted', async () => {
    const payments = await unsignedPayments(2)
    const { id, url } = await startedApproval(payments)
    const end = await walk(url, ['approve', 'approve'])
    expect(end.searchParams.get('status')).toBe('success')
    expect(await approvalNow(id)).toEqual({ status: 'ACCEPTED', results: ['ACCEPTED', 'ACCEPTED'] })
    expect(await paymentStatuses(payments)).toEqual(['InProgress', 'InProgress'])
  })

  it('left half-way: signed payments stay signed, the rest stays unsigned and can be approved again', async () => {
    const payments = await unsignedPayments(3)
    const { id, url } = await startedApproval(payments)
    const { browser, address } = await browserAtBank(url)
    const back = await decideAt({ browser, address }, 'approve')
    await browser.get(back)
    const end = await browser.follow(await browser.post(`${back}/leave`, {}))
    expect(end.searchParams.get('status')).toBe('cancelled')
    expect(await approvalNow(id)).toEqual({ status: 'CANCELLED', results: ['ACCEPTED', 'CANCELLED', 'CANCELLED'] })
    expect(await paymentStatuses(payments)).toEqual(['InProgress', 'Unsigned', 'Unsigned'])
    const rest = await startedApproval(payments.slice(1))
    expect((await walk(rest.url, ['approve', 'approve'])).searchParams.get('status')).toBe('success')
  })

  it('expired half-way: the same', async () => {
    const payments = await unsignedPayments(2)
    const { id, url } = await startedApproval(payments)
    const atTheBank = await browserAtBank(url)
    await atTheBank.browser.get(await decideAt(atTheBank, 'approve'))
    await passTime(gateway, 'PT11M')
    expect(await approvalNow(id)).toEqual({ status: 'CANCELLED', results: ['ACCEPTED', 'CANCELLED'] })
    const [signed, unsigned] = await paymentStatuses(payments)
    expect([signed === 'Unsigned', unsigned]).toEqual([false, 'Unsigned'])
  })

  it('one of them rejected: the approval is rejected, what was signed before stays signed', async () => {
    const payments = await unsignedPayments(3)
    const { id, url } = await startedApproval(payments)
    const end = await walk(url, ['approve', 'reject'])
    expect(end.searchParams.get('status')).toBe('rejected')
    expect(await approvalNow(id)).toEqual({ status: 'REJECTED', results: ['ACCEPTED', 'REJECTED', 'CANCELLED'] })
    expect(await paymentStatuses(payments)).toEqual(['InProgress', 'Unsigned', 'Unsigned'])
  })
})

describe('another user of the company', () => {
  it('signs with a consent of their own what another user has registered', async () => {
    const payments = await unsignedPayments(1)
    const ola = await acceptedConsent(gateway, OLA)
    const { id, url } = await startedApproval(payments, ola)
    expect((await visitBank(url, { userId: OLA })).searchParams.get('status')).toBe('success')
    expect(await approvalNow(id, ola)).toMatchObject({ status: 'ACCEPTED' })
    const held = (await bank.payments()).at(-1)
    const { rows } = await gateway.context.database.pool.query<{ signer: string }>(
      'select signer_id as signer from sandbox_bank.authorisations where id = $1',
      [held?.authorisations.at(-1)?.authorisationId],
    )
    expect(rows).toEqual([{ signer: OLA }])
  })
})

describe('the evidence of an authorisation', () => {
  it('records who signed what, from where and when, and the bank’s answer, and numbers as they are sent', async () => {
    const [paymentId = ''] = await unsignedPayments(1)
    const { url } = await startedApproval([paymentId])
    const scaSessionId = new URL(url).pathname.split('/').at(-2) ?? ''
    expect(await (await fetch(url)).text()).toContain('<dd>8050.11.00017</dd>')
    await visitBank(url)
    const { rows } = await gateway.context.database.pool.query<{
      user: Buffer
      shown: { label: string; value: string }[]
      ip: string
      agent: string
      sca: string
      times: Temporal.Instant[]
      consent: string
    }>(
      `select t.user_sealed as user, t.shown, t.ip_address as ip, t.user_agent as agent, t.sca_status as sca, t.language,
         s.consent_id as consent, t.started_at as "startedAt", t.left_at as "leftAt", t.ended_at as "endedAt"
       from sca_steps t join sca_sessions s on s.partner_id = t.partner_id and s.id = t.sca_session_id
       where t.sca_session_id = $1`,
      [scaSessionId],
    )
    const [step] = rows
    expect(gateway.context.seal.open(step?.user ?? Buffer.alloc(0), `signing user ${scaSessionId}`)).toBe(KARI)
    expect(step).toMatchObject({ ip: '127.0.0.1', sca: 'finalised', consent: kari.consentId, language: 'en' })
    expect(step?.agent).toBeTruthy()
    const shown = Object.fromEntries((step?.shown ?? []).flat().map(({ label, value }) => [label, value]))
    expect(shown).toMatchObject({ amount: '1250.00 NOK', 'from-account': '80501100017' })
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(['to', 'to-account', 'date', 'message']))
    const times = Object.entries(step ?? {}).flatMap(([, value]) => (value instanceof Temporal.Instant ? [value] : []))
    expect(times).toHaveLength(3)
    expect(times.toSorted(Temporal.Instant.compare)).toEqual(times)
  })
})

describe('a secret that gives access', () => {
  it('is in no log line and in no column, in any journey', async () => {
    const [paymentId = ''] = await unsignedPayments(1)
    const { url } = await startedApproval([paymentId])
    await visitBank(url)
    await gateway.sweep()
    const accessToken = await gateway.token()
    const { rows } = await gateway.context.database.pool.query<{ address: string }>(
      `select redirect_uri as address from sandbox_bank.authorisations
       union select notification_uri from sandbox_bank.payments where notification_uri is not null
       union select notification_uri from sandbox_bank.consents where notification_uri is not null`,
    )
    const tokens = [url, ...rows.map(({ address }) => address)].map((address) =>
      new URL(address).pathname.split('/').at(-1),
    )
    const secrets = [...tokens, KARI, OLA, 'demo-partner-secret', accessToken]
    expect(tokens.length).toBeGreaterThan(10)
    expect(tokens.every((token) => token?.length === 43)).toBe(true)

    const log = gateway.logLines().join('')
    expect(log).toContain('/signing/:partnerId/:scaSessionId/:token')
    expect(secrets.filter((secret) => secret !== undefined && log.includes(secret))).toEqual([])
    const columns = await everythingKept()
    expect(columns).toContain(paymentId)
    expect(secrets.filter((secret) => secret !== undefined && columns.includes(secret))).toEqual([])
    const inHex = secrets.map((secret) => Buffer.from(secret ?? '').toString('hex'))
    expect(inHex.filter((secret) => columns.includes(secret))).toEqual([])
  })

  /** Every row of every table of the gateway, as text. */
  async function everythingKept(): Promise<string> {
    const { pool } = gateway.context.database
    const { rows: tables } = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    const texts = await Promise.all(
      tables.map(async ({ name }) => (await pool.query<{ row: string }>(`select t::text as row from ${name} t`)).rows),
    )
    return texts
      .flat()
      .map(({ row }) => row)
      .join('\n')
  }

  it('does not work for another token, another partner or another SCA session', async () => {
    const { url } = await startedApproval(await unsignedPayments(1))
    const { pathname } = new URL(url)
    const [, , partnerId, scaSessionId, token = ''] = pathname.split('/')
    const addresses = [
      `/signing/${partnerId}/${scaSessionId}/${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `/signing/${partnerId}/${scaSessionId}/`,
      `/signing/00000000-0000-7000-8000-000000000000/${scaSessionId}/${token}`,
      `/signing/${partnerId}/${partnerId}/${token}`,
      `/signing/${partnerId}/${scaSessionId}/return/${token}`,
      `/signing/not-an-id/${scaSessionId}/${token}`,
    ]
    const statuses = await Promise.all(addresses.map(async (path) => (await fetch(`${gateway.url}${path}`)).status))
    expect(statuses).toEqual(addresses.map(() => 404))
    expect((await fetch(url)).status).toBe(200)
  })
})
