/** Tests QR codes that the user's app scans: fresh, shared, renewed while unscanned, and closed in time. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { consentOf } from '../consents/consent-lookup.ts'
import { getPaymentApproval } from '../payments/approve-payments.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'
import { formatScaQr } from './get-qr-code.ts'

const SEB = nordicBank('VASASESS')

let gateway: TestGateway
let bank: SandboxBankControl
let payer: PaymentDriver
/**
 * The gateway's wall time, which passes at any speed on a loaded machine: ahead of the machine's by this much, or
 * stopped.
 */
const wall: { aheadMilliseconds: number; stoppedAt?: Temporal.Instant } = { aheadMilliseconds: 0 }
beforeAll(async () => {
  gateway = await startTestGateway()
  const { real } = gateway.context.clock
  Object.assign(gateway.context.clock, {
    real: () => wall.stoppedAt ?? real().add({ milliseconds: wall.aheadMilliseconds }),
  })
  bank = openSandboxBankControl(gateway.bank)
  payer = openPaymentDriver(gateway)
})
afterEach(() => bank.clearFaults())
afterAll(() => gateway.close())

async function approvalByCode(at: NordicBank, count = 1) {
  const payments: string[] = []
  for (let number = 0; number < count; number += 1) {
    payments.push((await payer.order(at)).paymentId)
  }
  const consent = await payer.consentOf(at)
  const body = { payments, callbackUrl: CALLBACK, preferredScaMethod: 'Qr' as const }
  const { id, sca } = await gateway.client.approvePayments({ ...consent, body })
  const read = () => gateway.client.getPaymentApproval({ ...consent, params: { approvalId: id } })
  return { id, payments, sca, read, look: () => lookAt(id, consent.consentId) }
}

/** As partners read it, except for the rate limit. */
async function lookAt(approvalId: string, consentId: string) {
  const [row] = await query<{ partnerId: string }>('select partner_id as "partnerId" from approvals where id = $1', [
    approvalId,
  ])
  const partnerId = row?.partnerId ?? ''
  const consent = (await consentOf(gateway.context, { partnerId, consentId })) ?? expect.fail('There is no consent')
  const caller = { partnerId, partnerName: '', callbackOrigins: [], clientId: '', consent, psu: null }
  return await getPaymentApproval(gateway.context, caller, approvalId)
}

async function query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(sql, [...values])).rows
}

/** The current authorisation of the gateway, by its subject. */
async function authorisationOf(subjectId: string): Promise<{ id: string; renewals: number }> {
  const [row] = await query<{ id: string; renewals: number }>(
    `select t.authorisation_id as id, t.renewals from sca_steps t
     join sca_sessions s on s.partner_id = t.partner_id and s.id = t.sca_session_id
     where s.subject_id = $1 and t.state = 'open'`,
    [subjectId],
  )
  return { id: row?.id ?? '', renewals: row?.renewals ?? -1 }
}

/** As if its code had been renewed so often. */
async function setRenewals(subjectId: string, renewals: number): Promise<void> {
  await query(
    `update sca_steps t set renewals = $2 from sca_sessions s
     where s.partner_id = t.partner_id and s.id = t.sca_session_id and s.subject_id = $1 and t.state = 'open'`,
    [subjectId, renewals],
  )
}

/** Half a minute passes, at the bank and here. */
async function letLapse(authorisationId: string): Promise<void> {
  await query('update sandbox_bank.authorisations set code_expires_at = code_issued_at where id = $1', [
    authorisationId,
  ])
  await query("update sca_steps set started_at = started_at - interval '30 seconds' where authorisation_id = $1", [
    authorisationId,
  ])
  // The bank sleeps until its next due time: it has to be woken.
  await bank.postControl('/clock', { now: (await bank.now()).toString() })
  const ended = 'select 1 from sandbox_bank.authorisations where id = $1 and outcome is not null'
  await expect.poll(() => query(ended, [authorisationId])).toHaveLength(1)
}

/** The bank's last response is a second old, and so is its QR code. */
async function aSecondLater(): Promise<void> {
  wall.aheadMilliseconds += 1_000
  await query("update sca_sessions set read_at = read_at - interval '1 second'")
  await query("update sandbox_bank.authorisations set code_issued_at = code_issued_at - interval '1 second'")
}

/** The approval has expired, and no sweep has run yet. */
async function letTimePass(subjectId: string): Promise<void> {
  await query('update sca_sessions set expires_at = $2, due_at = $2, read_at = null where subject_id = $1', [
    subjectId,
    gateway.context.clock.now().toString(),
  ])
}

/** Pastes a code into the app, identifies the user, and decides. */
async function signInApp(code: string, userId: string, decision = 'approve'): Promise<void> {
  const app = openBrowser()
  const order = await app.post(`${gateway.bank.pagesUrl}/app`, { code })
  await app.post(order, { userId })
  await app.post(order, { decision })
}

async function askedConsent() {
  const body = {
    bic: SEB.bic,
    organizationNumber: SEB.organizationNumber,
    userId: SEB.users[0],
    callbackUrl: CALLBACK,
    preferredScaMethod: 'Qr' as const,
  }
  const { id, sca } = await gateway.client.createConsent({ psu: PSU, body })
  return { sca, read: () => gateway.client.getConsent({ consentId: id }) }
}

async function readings(): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => /^havn_bank_\w*_count.*getConsentAuthorisation/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const PNG = /^iVBORw0KGgo/

describe('a QR code that the partner shows', () => {
  it.each([
    ['VASASESS', 'Dynamic', /^bankid\./],
    ['SKARSESS', 'Static', /^bankid:\/\/\/\?autostarttoken=/],
  ])('is scanned at %s, which shows it as %s, and signs', async (bic, kind, form) => {
    const { sca, payments, read, look } = await approvalByCode(nordicBank(bic))
    expect(sca).toMatchObject({
      type: 'qr',
      image: expect.stringMatching(PNG),
      code: expect.stringMatching(form),
      kind,
    })
    const shown = await read()
    expect(shown).toMatchObject({ status: 'STARTED', sca: { type: 'qr', kind, image: expect.stringMatching(PNG) } })
    await signInApp(shown.sca?.type === 'qr' ? (shown.sca.code ?? '') : '', nordicBank(bic).users[0])
    await aSecondLater()
    expect(await look()).toMatchObject({ status: 'ACCEPTED' })
    expect(await read()).not.toHaveProperty('sca')
    expect(await payer.statusOf(payments[0] ?? '')).toMatchObject({ status: 'InProgress' })
  })

  it('has no text at a bank that returns an image only', async () => {
    const { sca, look, id } = await approvalByCode(nordicBank('MALBSESS'))
    expect(sca).toMatchObject({ type: 'qr', image: expect.stringMatching(PNG), code: null, kind: 'Dynamic' })
    await bank.postControl(`/authorisations/${(await authorisationOf(id)).id}/sign`)
    await aSecondLater()
    expect((await look()).status).toBe('ACCEPTED')
  })

  it('is renewed after a second, and never older than that', async () => {
    const { sca, read } = await approvalByCode(SEB)
    await aSecondLater()
    const shown = await read()
    const [first, second] = [sca, shown.sca].map((code) => (code?.type === 'qr' ? code.code : null))
    expect(second).toMatch(/^bankid\./)
    expect(second).not.toBe(first)
  })

  it('is requested from the bank once, by any caller within a second', async () => {
    const { read } = await askedConsent()
    wall.stoppedAt = gateway.context.clock.real()
    const before = await readings()
    const shown = await Promise.all(Array.from({ length: 8 }, read))
    delete wall.stoppedAt
    expect(shown.every(({ sca }) => sca?.type === 'qr')).toBe(true)
    expect((await readings()) - before).toBe(1)
  })

  it.each([
    ['has a text for expired codes', 'SKARSESS'],
    ['has no text for expired codes', 'VASASESS'],
  ])(
    'that is not scanned is renewed by the sweep, not by reading, ten times at most, at a bank that %s',
    async (_says, bic) => {
      const { id, look } = await approvalByCode(nordicBank(bic))
      for (const renewals of [0, 9]) {
        if (renewals > 0) {
          await setRenewals(id, renewals)
        }
        const { id: authorisationId, renewals: stored } = await authorisationOf(id)
        expect(stored).toBe(renewals)
        await letLapse(authorisationId)
        await aSecondLater()
        expect((await look()).status).toBe('STARTED')
        expect((await authorisationOf(id)).id).toBe(authorisationId)
        await gateway.sweep()
      }
      const last = await authorisationOf(id)
      expect(last.renewals).toBe(10)
      expect(await look()).toMatchObject({ status: 'STARTED', sca: { type: 'qr' } })
      await letLapse(last.id)
      await aSecondLater()
      expect((await look()).status).toBe('CANCELLED')
    },
    60_000,
  )

  it.each([
    ['that was read last', true],
    ['that it started with, if no other was read', false],
  ])('stays in the response until its successor exists: the one %s', async (_which, wasRead) => {
    const { id, sca, look } = await approvalByCode(SEB, 2)
    await aSecondLater()
    const last = wasRead ? (await look()).sca : sca
    const codeIn = (shown: typeof sca) => (shown?.type === 'qr' ? shown.code : null)
    expect(codeIn(last)).toMatch(/^bankid\./)
    const start = await authorisationOf(id)
    await letLapse(start.id)
    await aSecondLater()
    const lapsed = (await look()).sca
    expect(codeIn(lapsed)).toBe(codeIn(last))
    await gateway.sweep()
    await aSecondLater()
    const successor = (await look()).sca
    expect(codeIn(successor)).not.toBe(codeIn(last))
    // Signed, and the QR code of the next payment does not exist yet, nor while the bank is unavailable.
    await bank.postControl(`/authorisations/${(await authorisationOf(id)).id}/sign`)
    await aSecondLater()
    expect(codeIn((await look()).sca)).toBe(codeIn(successor))
    await bank.postControl('/faults', { bank: SEB.bic, operation: '*', effect: 'down' })
    await aSecondLater()
    expect(codeIn((await look()).sca)).toBe(codeIn(successor))
    await bank.clearFaults()
    await gateway.context.banks.resetFailures()
  })

  it('is valid until a time of the business clock, which the sandbox moves', () => {
    const [real, now] = ['2026-11-23T09:00:00Z', '2026-11-26T09:00:00Z'].map((time) => Temporal.Instant.from(time))
    const clock = { ...gateway.context.clock, real: () => real ?? expect.fail(), now: () => now ?? expect.fail() }
    const validUntil = clock.real().add({ seconds: 30 })
    const code = { image: null, code: 'x', kind: 'Static', validUntil } as const
    expect(formatScaQr({ ...gateway.context, clock }, code)).toMatchObject({ validUntil: '2026-11-26T09:00:30.000Z' })
  })

  it('that cannot be renewed is retried as often, and no more', async () => {
    const at = nordicBank('SKARSESS')
    const { id, read } = await approvalByCode(at)
    const { id: authorisationId } = await authorisationOf(id)
    const fault = { bank: at.bic, operation: 'startPaymentAuthorisation', effect: 'status', status: 409 }
    await bank.postControl('/faults', fault)
    await letLapse(authorisationId)
    await aSecondLater()
    await setRenewals(id, 7)
    // The bank notifies us of the end in its own time, and the notification may be one of the tries.
    let tries = 7
    while (tries < 10) {
      await query("update sca_sessions set due_at = '2020-01-01' where subject_id = $1", [id])
      await gateway.sweep()
      const current = await authorisationOf(id)
      expect(current.id).toBe(authorisationId)
      tries = current.renewals
    }
    expect(tries).toBe(10)
    await query("update sca_sessions set due_at = '2020-01-01' where subject_id = $1", [id])
    await gateway.sweep()
    expect((await read()).status).toBe('CANCELLED')
  })

  it('is not renewed once the approval has expired', async () => {
    const { id, read } = await approvalByCode(SEB)
    await letLapse((await authorisationOf(id)).id)
    await letTimePass(id)
    await gateway.sweep()
    expect((await read()).status).toBe('CANCELLED')
  })

  it('that was scanned at the last moment counts, although the approval has expired when the bank is polled', async () => {
    const { id, read } = await approvalByCode(SEB)
    await read()
    await bank.postControl(`/authorisations/${(await authorisationOf(id)).id}/sign`)
    await letTimePass(id)
    expect((await read()).status).toBe('ACCEPTED')
  })

  it('of the next payment appears when the previous one is signed', async () => {
    const { id, look } = await approvalByCode(SEB, 2)
    const first = await authorisationOf(id)
    await bank.postControl(`/authorisations/${first.id}/sign`)
    await aSecondLater()
    await look()
    await gateway.sweep()
    const second = await authorisationOf(id)
    expect(second.id).not.toBe(first.id)
    expect(await look()).toMatchObject({ status: 'STARTED', sca: { type: 'qr', kind: 'Dynamic' } })
    await bank.postControl(`/authorisations/${second.id}/sign`)
    await aSecondLater()
    expect(await look()).toMatchObject({ status: 'ACCEPTED' })
  })

  it('of the next payment is not requested for a partner that was disabled: the approval ends', async () => {
    const { id, payments } = await approvalByCode(SEB, 2)
    await bank.postControl(`/authorisations/${(await authorisationOf(id)).id}/sign`)
    await query('update partners set disabled_at = created_at')
    await aSecondLater()
    await gateway.sweep()
    const steps = 'select state from sca_steps where target_id = any($1) order by position'
    const [approval] = await query('select status from approvals where id = $1', [id])
    await query('update partners set disabled_at = null')
    expect([approval, await query(steps, [payments])]).toEqual([
      { status: 'CANCELLED' },
      [{ state: 'signed' }, { state: 'pending' }],
    ])
  })

  it.each([
    ['was read a moment ago', 1, async () => undefined],
    ['expired unscanned', 1, letLapse],
    ['is the first of two', 2, async () => undefined],
  ])('that is polled is signed by the simulated user, also if it %s', async (_which, count, change) => {
    const { id, read, look } = await approvalByCode(SEB, count)
    await aSecondLater()
    await change((await authorisationOf(id)).id)
    wall.stoppedAt = gateway.context.clock.real()
    await look()
    const signing = { params: { approvalId: id, decision: 'sign' }, body: {} } as const
    expect(await gateway.client.decideSandboxApproval(signing)).toMatchObject({ outcome: 'success' })
    delete wall.stoppedAt
    expect((await read()).status).toBe('ACCEPTED')
  })

  it('is stored in no column and in no log line', async () => {
    const { sca, read } = await approvalByCode(SEB)
    const shown = await read()
    const codes = [sca, shown.sca].map((code) => (code?.type === 'qr' ? (code.code ?? '') : ''))
    const tokens = codes.map((code) => code.split('.')[1] ?? '')
    expect(tokens.every((token) => token.length === 36)).toBe(true)
    const steps = await query<{ row: string }>('select t::text as row from sca_steps t')
    const stored = steps.map(({ row }) => row).join('\n') + gateway.logLines().join('')
    expect(tokens.filter((token) => stored.includes(token))).toEqual([])
  })

  it('blocks other approvals of the payment once it was scanned, until the session has ended', async () => {
    const at = nordicBank('SKARSESS')
    const { id, payments, sca } = await approvalByCode(at)
    await openBrowser().post(`${gateway.bank.pagesUrl}/app`, { code: sca?.type === 'qr' ? (sca.code ?? '') : '' })
    const again = async () =>
      await gateway.client.approvePayments({
        ...(await payer.consentOf(at)),
        body: { payments, callbackUrl: CALLBACK, preferredScaMethod: 'Qr' },
      })
    await expect(again()).rejects.toMatchObject({ failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' })
    await bank.postControl(`/authorisations/${(await authorisationOf(id)).id}/reject`)
    await aSecondLater()
    expect(await again()).toMatchObject({ status: 'STARTED', sca: { type: 'qr' } })
  })

  it('of a consent has it accepted without a browser', async () => {
    const { sca, read } = await askedConsent()
    await signInApp(sca.type === 'qr' ? (sca.code ?? '') : '', SEB.users[0])
    await aSecondLater()
    expect((await read()).status).toBe('ACCEPTED')
  })
})
