/** Tests that nothing is ordered twice while master keys are rotated on several hosts: each request meets other keys. */
import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { composeServer } from '../../launcher/roles/compose-server.ts'
import { openContext } from '../../launcher/roles/open-context.ts'
import { resealAll } from '../../launcher/roles/reseal.ts'
import { payrollSubmissionSweep } from '../orders/jobs.ts'
import { generateMasterKeyLine } from '../platform/crypto/envelope-encryption.ts'
import { runSweepsUntilIdle } from '../platform/jobs/sweep-runner.ts'
import { openLog } from '../platform/observability/log.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

type Host = Awaited<ReturnType<typeof startHost>>

let gateway: TestGateway
let stage: PayrollFixture
let hosts: readonly Host[]
let partner: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
  partner = await validHeaders(gateway)
  const first = (await readFile(gateway.config.masterKeyFile, 'utf8')).trim()
  const [second, third] = [generateMasterKeyLine('second'), generateMasterKeyLine('third')]
  hosts = [
    await startHost([first]),
    await startHost([first, second]),
    await startHost([second, first]),
    await startHost([third, second, first]),
  ]
})
afterAll(async () => {
  for (const host of hosts) {
    await host.close()
  }
  await gateway.close()
})

/** A gateway process of its own with this key file, the newest key first. */
async function startHost(keys: readonly string[]) {
  const masterKeyFile = `${gateway.config.masterKeyFile}-${crypto.randomUUID()}`
  await writeFile(masterKeyFile, keys.join('\n'))
  const log = openLog({ program: 'gateway', level: 'silent' })
  const options = { program: 'havn test', processMetrics: false, clock: gateway.context.clock }
  const { context, close } = await openContext({ ...gateway.config, masterKeyFile }, log, options)
  const server = await composeServer(context)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    context,
    /** Posts as the demo partner under a consent. */
    post: (path: string, consentId: string, body: unknown, idempotencyKey?: string): Promise<Answer> =>
      sendRawRequest({ fetch: (to, init) => fetch(`${url}${to}`, init) }, ['POST', path], {
        headers: { ...partner, 'consent-id': consentId, 'idempotency-key': idempotencyKey },
        body,
      }),
    close: async () => {
      await server.close()
      await close()
    },
  }
}

/** What each host answers to the same request, in turn. */
async function answersOf(path: string, consentId: string, body: unknown, idempotencyKey?: string) {
  const answers = await forEachRow(
    hosts,
    (host) => `host ${hosts.indexOf(host)}`,
    (host) => host.post(path, consentId, body, idempotencyKey),
  )
  return [...answers.values()]
}

async function orderedAt(bic: string, count = 2) {
  const bank = nordicBank(bic)
  const { consentId } = await stage.payer.consentOf(bank)
  return { bank, consentId, body: stage.payroll(bank, count) }
}

function newestHost(): Host {
  const host = hosts.at(-1)
  if (host === undefined) {
    throw new Error('No host was started')
  }
  return host
}

async function submitAt({ context }: Host): Promise<void> {
  await runSweepsUntilIdle([payrollSubmissionSweep(context)])
}

const bulksAtBank = async (bic: string) => {
  const { rows } = await gateway.context.database.pool.query<{ count: number }>(
    `select count(*)::int as count from sandbox_bank.payments where bank = $1 and service = 'bulk-payments'`,
    [bic],
  )
  return rows[0]?.count
}

test('a bulk whose outcome is unknown is not ordered again by any host', async () => {
  const { bank, consentId, body } = await orderedAt(PAYROLL_BANKS.bulk)
  const fault = { bank: bank.bic, operation: 'initiateBulkPayment', effect: 'drop-connection', times: 1 }
  await openSandboxBankControl(gateway.bank).postControl('/faults', fault)
  const [lost, ...others] = await answersOf('/api/v2/payroll', consentId, body)
  expect(lost).toMatchObject({ status: 503, body: { payrollId: expect.any(String) } })
  const { payrollId } = Object(lost?.body)
  expect(others).toEqual(
    others.map(() => expect.objectContaining({ status: 409, body: expect.objectContaining({ payrollId }) })),
  )
})

test('an equal payroll is found on every host, also after the older keys were removed', async () => {
  for (const bic of [PAYROLL_BANKS.bulk, PAYROLL_BANKS.baskets, PAYROLL_BANKS.chain]) {
    const { consentId, body } = await orderedAt(bic)
    const [first, ...equal] = await answersOf('/api/v2/payroll', consentId, body)
    const { payrollId } = Object(first?.body)
    const warning = expect.objectContaining({ code: 'PossibleDuplicate', payrollId })
    expect(equal.map(({ body: answer }) => Object(answer).warnings)).toEqual(
      equal.map(() => expect.arrayContaining([warning])),
    )
  }
})

test('transactions of equal payrolls are submitted once while the outcome of the first is unknown', async () => {
  // A host with the older keys alone cannot read payrolls of the others; none of them may be left.
  await submitAt(newestHost())
  const { bank, consentId, body } = await orderedAt(PAYROLL_BANKS.chain, 1)
  const fault = { bank: bank.bic, operation: 'initiatePayment', effect: 'drop-connection', times: 1 }
  await openSandboxBankControl(gateway.bank).postControl('/faults', fault)
  for (const host of hosts) {
    await host.post('/api/v2/payroll', consentId, body)
    await submitAt(host)
  }
  const { rows } = await gateway.context.database.pool.query<{ count: number }>(
    `select count(*)::int as count from payments where end_to_end_id = $1`,
    [body.transactions[0]?.metadata.endToEndId],
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('a request under one Idempotency-Key is answered with the first response, and another one is rejected', async () => {
  const { consentId } = await acceptedConsent(gateway)
  const body = domesticPayment(gateway)
  const [first, ...repeated] = await answersOf('/api/v2/payments', consentId, body, 'rotated')
  expect(first?.status).toBe(200)
  expect(repeated.map(({ status, body: answer }) => [status, answer])).toEqual(repeated.map(() => [200, first?.body]))
  const others = await answersOf('/api/v2/payments', consentId, domesticPayment(gateway), 'rotated')
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 422))
})

test('after the data are under the newest key, a host with that key alone finds what older ones stored', async () => {
  const { bank, consentId, body } = await orderedAt(PAYROLL_BANKS.bulk)
  const held = await bulksAtBank(bank.bic)
  const first = await hosts[0]?.post('/api/v2/payroll', consentId, body, 'before')
  const { context } = newestHost()
  await resealAll(context, context.seal)
  const [newest = ''] = (await readFile(context.config.masterKeyFile, 'utf8')).split('\n')
  const last = await startHost([newest])
  try {
    expect(await last.post('/api/v2/payroll', consentId, body, 'before')).toMatchObject({ body: first?.body })
    expect(await bulksAtBank(bank.bic)).toBe((held ?? 0) + 1)
    const { payrollId } = Object(first?.body)
    expect(await last.post('/api/v2/payroll', consentId, body)).toMatchObject({
      body: { warnings: [{ code: 'PossibleDuplicate', payrollId }] },
    })
  } finally {
    await last.close()
  }
})
