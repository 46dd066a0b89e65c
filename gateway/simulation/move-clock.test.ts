/** Tests moving the clock: due actions run in order in all programs, and wall time does not move. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { composeServer } from '../../launcher/roles/compose-server.ts'
import { openContext } from '../../launcher/roles/open-context.ts'
import { openBank } from '../../sandbox/testing/test-bank.ts'
import { HavnError } from '../../sdk/index.ts'
import { openLog } from '../platform/observability/log.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'
import { signInNetbank } from '../testing/payments/sign-in-netbank.ts'

/** Polls are at most 80 minutes apart, and a move makes them later by half of the time since the event. */
const SETTLEMENT_FOUND_MINUTES_MAX = 121
/** Three hours, and the two by which a poll may be late in a move. */
const LAPSE_FOUND_HOURS_MAX = 5.1

let gateway: TestGateway
let bank: SandboxBankControl
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await disablePaymentPolling(gateway)
  // Consents of other tests would have a stop each day.
  await gateway.context.database.pool.query("update consents set due_at = null where status = 'ACCEPTED'")
  await gateway.client.moveSandboxClock({ body: { reset: true } })
})

async function rejectionOf(call: Promise<unknown>): Promise<HavnError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(thrown instanceof HavnError)) {
    throw new Error(`Nothing was refused: ${thrown}`)
  }
  return thrown
}

async function signedPayment(dueDate: string): Promise<string> {
  const consent = await acceptedConsent(gateway)
  const body = domesticPayment(gateway, { dueDate })
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body })
  await signInNetbank(gateway, paymentId)
  return paymentId
}

const instant = (text: string) => Temporal.Instant.from(text)

describe('POST /api/sandbox/clock', () => {
  it('moves ahead by a duration or to an instant, here and at the bank, and back by reset', async () => {
    const before = gateway.context.clock.real()
    const advanced = await gateway.client.moveSandboxClock({ body: { advance: 'P1DT2H' } })
    expect(advanced.offsetSeconds).toBeGreaterThan(26 * 3600 - 1)
    expect(advanced.offsetSeconds).toBeLessThan(26 * 3600 + 60)

    const target = before.add({ hours: 48 }).toString()
    const set = await gateway.client.moveSandboxClock({ body: { set: target } })
    expect(instant(set.now).since(instant(target)).total('seconds')).toBeLessThan(30)
    expect(
      Math.abs(
        instant(set.now)
          .since(await bank.now())
          .total('seconds'),
      ),
    ).toBeLessThan(30)

    const reset = await gateway.client.moveSandboxClock({ body: { reset: true } })
    expect(reset.offsetSeconds).toBe(0)
    expect(
      Math.abs(
        instant(reset.now)
          .since(await bank.now())
          .total('seconds'),
      ),
    ).toBeLessThan(30)
    expect(await gateway.client.getSandboxClock()).toMatchObject({ offsetSeconds: 0 })
  })

  it('leaves nothing scheduled for a later time when it is reset', async () => {
    await gateway.client.moveSandboxClock({ body: { advance: 'P3D' } })
    const paymentId = await signedPayment(gateway.context.clock.today('Europe/Oslo').toString())
    await gateway.client.moveSandboxClock({ body: { reset: true } })
    await gateway.sweep()
    const { rows } = await gateway.context.database.pool.query<{ pollAt: Temporal.Instant }>(
      'select poll_at as "pollAt" from payments where id = $1',
      [paymentId],
    )
    const tomorrow = gateway.context.clock.now().add({ hours: 24 })
    expect(rows[0]?.pollAt.epochMilliseconds).toBeLessThan(tomorrow.epochMilliseconds)
  })

  it('never goes back except by reset', async () => {
    await gateway.client.moveSandboxClock({ body: { advance: 'PT1H' } })
    const back = { set: gateway.context.clock.real().toString() }
    const rejection = await rejectionOf(gateway.client.moveSandboxClock({ body: back }))
    expect(rejection).toMatchObject({ status: 422, validationErrors: [{ code: 'InvalidRequest', path: '.set' }] })
    expect(gateway.context.clock.offsetMilliseconds()).toBeGreaterThan(3_590_000)
  })

  it.each([
    ['two fields', { advance: 'PT1H', set: '2036-01-01T00:00:00Z' }],
    ['two fields, one of them reset', { advance: 'PT1H', reset: true }],
    ['no field', {}],
    ['a duration in months', { advance: 'P1M' }],
    ['a negative duration', { advance: '-PT1H' }],
    ['reset with another value', { reset: false }],
    ['an invalid date', { set: '2027-02-30T00:00:00Z' }],
    ['more years than the limit', { advance: 'P99999D' }],
    ['a duration out of range', { advance: 'P99999999999999W' }],
    ['an instant in the far future', { set: '9999-12-31T00:00:00Z' }],
  ])('rejects %s with the list of validation errors, and moves nothing', async (_what, body) => {
    const response = await gateway.fetch('/api/sandbox/clock', {
      method: 'POST',
      headers: { authorization: `Bearer ${await gateway.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject([{ code: 'InvalidRequest' }])
    expect(gateway.context.clock.offsetMilliseconds()).toBe(0)
  })

  it('permits one move at a time: the other gets an error', async () => {
    const client = await gateway.context.database.pool.connect()
    await client.query('begin')
    await client.query('select 1 from business_clock_move_lock for update')
    const rejection = await rejectionOf(gateway.client.moveSandboxClock({ body: { advance: 'PT1H' } }))
    expect(rejection.status).toBe(409)
    expect(gateway.context.clock.offsetMilliseconds()).toBe(0)
    await client.query('rollback')
    client.release()
    expect((await gateway.client.moveSandboxClock({ body: { advance: 'PT1H' } })).offsetSeconds).toBeGreaterThan(3_590)
  })

  it('continues from the time to which another gateway moved the clock, also with one connection to the database', async () => {
    const config = { ...gateway.config, databaseConnectionsMax: 1 }
    const other = await openContext(config, openLog({ program: 'other', level: 'silent' }), {
      program: 'other',
      processMetrics: false,
    })
    await gateway.client.moveSandboxClock({ body: { advance: 'P2D' } })
    other.context.clock.setOffset(0)
    const server = await composeServer(other.context)
    const answer = await server.inject({
      method: 'POST',
      url: '/api/sandbox/clock',
      headers: { authorization: `Bearer ${await gateway.token()}` },
      payload: { advance: 'PT1H' },
    })
    expect(answer.json().offsetSeconds).toBeGreaterThan(2 * 86_400 + 3_590)
    await server.close()
    await other.close()
  })

  it('does not exist in production', async () => {
    const https = { HAVN_BASE_URL: 'https://havn.example', HAVN_AUTH_URL: 'https://havn.example' }
    const config = { ...gateway.config, mode: 'production', baseUrl: https.HAVN_BASE_URL } as const
    const opened = await openContext(config, openLog({ program: 'x', level: 'silent' }), {
      program: 'x',
      processMetrics: false,
    })
    const server = await composeServer(opened.context)
    for (const method of ['GET', 'POST'] as const) {
      const answer = await server.inject({
        method,
        url: '/api/sandbox/clock',
        ...(method === 'POST' ? { payload: {} } : {}),
      })
      expect(answer.statusCode).toBe(404)
    }
    await server.close()
    await opened.close()
  })
})

describe('one move over many due times', () => {
  it('has everything happen at its own time and in order: deadline, settlement, polls, expiry', async () => {
    const start = gateway.context.clock.now()
    const unaccepted = await gateway.client.createConsent({
      psu: PSU,
      body: { bic: 'FJORNO22', organizationNumber: '987654325', userId: '01815012345', callbackUrl: CALLBACK },
    })
    const today = gateway.context.clock.today('Europe/Oslo')
    const tomorrow = await signedPayment(today.add({ days: 1 }).toString())
    const signer = await acceptedConsent(gateway)
    const endOfDay = today.add({ days: 2 }).toZonedDateTime('Europe/Oslo').toInstant()
    const validUntil = endOfDay.add({ hours: 6 })
    // The bank's would be half a year, in which each day has its stop.
    await gateway.context.database.pool.query('update consents set valid_until = $2, due_at = now() where id = $1', [
      signer.consentId,
      validUntil,
    ])
    const unsigned = await gateway.client.initiateDomesticPayment({
      ...signer,
      body: domesticPayment(gateway, { dueDate: today.add({ days: 1 }).toString() }),
    })
    const approval = await gateway.client.approvePayments({
      ...signer,
      body: { payments: [unsigned.paymentId], callbackUrl: CALLBACK },
    })

    await gateway.client.moveSandboxClock({ body: { set: validUntil.add({ minutes: 1 }).toString() } })

    const { rows } = await gateway.context.database.pool.query<{ what: string; at: Temporal.Instant }>(
      `select 'approval' as what, updated_at as at from approvals where id = $1 and status = 'CANCELLED'
       union all select 'unaccepted', updated_at from consents where id = $2 and status = 'CANCELLED'
       union all select 'expired', updated_at from consents where id = $3 and status = 'EXPIRED'
       union all select status, at from payment_history where payment_id = $4 and status = 'Completed'
       union all select 'lapsed', at from payment_history where payment_id = $5 and status <> 'Unsigned'
       order by at`,
      [approval.id, unaccepted.id, signer.consentId, tomorrow, unsigned.paymentId],
    )
    expect(rows.map(({ what }) => what)).toEqual(['approval', 'unaccepted', 'Completed', 'lapsed', 'expired'])
    const [cancelled, ended, settled, lapsed, expired] = rows.map(({ at }) => at)
    const minutesAfterStart = (at: Temporal.Instant | undefined) => at?.since(start).total('minutes') ?? 0
    expect(minutesAfterStart(cancelled)).toBeCloseTo(10, 0)
    expect(minutesAfterStart(ended)).toBeCloseTo(15, 0)
    const atSix = today.add({ days: 1 }).toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: '06:00' }).toInstant()
    expect(settled?.since(atSix).total('minutes')).toBeGreaterThanOrEqual(0)
    expect(settled?.since(atSix).total('minutes')).toBeLessThanOrEqual(SETTLEMENT_FOUND_MINUTES_MAX)
    expect(lapsed?.since(endOfDay).total('hours')).toBeGreaterThanOrEqual(0)
    expect(lapsed?.since(endOfDay).total('hours')).toBeLessThanOrEqual(LAPSE_FOUND_HOURS_MAX)
    // The clock stops at the end of validity, and goes on while a busy machine processes what is due.
    expect(expired?.since(validUntil).total('seconds')).toBeGreaterThanOrEqual(0)
    expect(expired?.since(validUntil).total('seconds')).toBeLessThan(10)
  })

  it('ends although the bank is unavailable, and closes nothing unpolled', async () => {
    const consent = await acceptedConsent(gateway)
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    const approval = await gateway.client.approvePayments({
      ...consent,
      body: { payments: [paymentId], callbackUrl: CALLBACK },
    })
    await gateway.client.revokeConsent({ ...consent })
    await bank.injectFault({ operation: '*', effect: 'down' })
    await gateway.client.moveSandboxClock({ body: { advance: 'PT1H' } })
    const statusOf = async () => {
      const { rows } = await gateway.context.database.pool.query('select status from approvals where id = $1', [
        approval.id,
      ])
      return rows[0]?.status
    }
    expect(await statusOf()).toBe('STARTED')
    await bank.clearFaults()
    await gateway.client.moveSandboxClock({ body: { advance: 'PT3H' } })
    expect(await statusOf()).toBe('CANCELLED')
  })
})

describe('wall time does not move', () => {
  it('for tokens, which stay valid, and for the idempotency of requests', async () => {
    const token = await gateway.token()
    const moved = await gateway.client.moveSandboxClock({ body: { advance: 'P2D' } })
    expect(instant(moved.real).since(instant(moved.now)).total('days')).toBeCloseTo(-2, 1)
    const headers = { authorization: `Bearer ${token}` }
    expect((await gateway.fetch('/api/companies', { headers })).status).toBe(200)
    const [, payload = ''] = (await gateway.token()).split('.')
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(exp - gateway.context.clock.real().epochMilliseconds / 1000).toBeLessThanOrEqual(3600)
  })
})

describe('after a restart', () => {
  it('gateway and bank have the moved time', async () => {
    await gateway.client.moveSandboxClock({ body: { advance: 'P1D' } })
    const opened = await openContext(gateway.config, openLog({ program: 'again', level: 'silent' }), {
      program: 'again',
      processMetrics: false,
    })
    expect(opened.context.clock.offsetMilliseconds()).toBe(gateway.context.clock.offsetMilliseconds())
    expect(opened.context.clock.offsetMilliseconds()).toBeGreaterThan(86_400_000 - 60_000)
    await opened.close()
    const again = await openBank(gateway.connectionString)
    const apart = (await openSandboxBankControl(again).now()).since(gateway.context.clock.now())
    expect(Math.abs(apart.total('seconds'))).toBeLessThan(30)
    await again.close()
  })

  it('a process that does not move the clock itself follows it', async () => {
    const opened = await openContext(gateway.config, openLog({ program: 'follower', level: 'silent' }), {
      program: 'follower',
      processMetrics: false,
    })
    await gateway.client.moveSandboxClock({ body: { advance: 'PT5H' } })
    await expect.poll(() => opened.context.clock.offsetMilliseconds()).toBe(gateway.context.clock.offsetMilliseconds())
    await opened.close()
  })
})
