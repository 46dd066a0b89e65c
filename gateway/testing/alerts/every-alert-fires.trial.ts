/** Makes the cause of each alert happen, and requires that the alert is silent before and fires afterwards. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as passed } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { bookDeal } from '../../fx/deals/book-deal.ts'
import { cancelDeal } from '../../fx/deals/change-deal.ts'
import { updateDealMetrics } from '../../fx/deals/get-deal.ts'
import { bookingRequest } from '../../fx/testing/deal-samples.ts'
import { openFxFixture } from '../../fx/testing/fx-fixture.ts'
import { startExchangeFixture } from '../fx/exchange-fixture.ts'
import { eventually } from '../gateway/eventually.ts'
import { freePorts } from '../gateway/free-ports.ts'
import { startWorkerProcess } from '../gateway/role-process.ts'
import { testCertificates } from '../gateway/test-certificates.ts'
import { startTestGateway } from '../gateway/test-gateway.ts'
import { acceptedConsent, PSU } from '../payments/sample-payments.ts'
import { openPayrollSubmissionFixture } from '../payrolls/payroll-submission-fixture.ts'
import { startWebhookGateway } from '../webhooks/webhook-gateway.ts'
import { ALERT_CAUSES } from './alert-causes.ts'
import { checkRules, firesIn } from './evaluate-alerts.ts'
import { type Scrape, scrapeGateway, scrapePort, seriesOf } from './scraped-metrics.ts'

const rules = await readFile(new URL('../../../deploy/monitoring/havn-alerts.yml', import.meta.url), 'utf8')
const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)/gm)].map(([, name = '']) => name)
const rows: string[] = []
const WORKER = '# none\n'
const CONNECTIONS_MAX = 4
const CONSENTS = 3
const HANG_MILLISECONDS = 2_000
const SAMPLES_MILLISECONDS = 300
/** By the sandbox bank's rules. */
const AMOUNT_THAT_THE_BANK_REJECTS = '7732.00'
/** Well below what HavnEventLoopDelayed requires. */
const CALM_SECONDS = 0.2

const wallSeconds = () => Temporal.Now.instant().epochMilliseconds / 1_000

async function requireFired(cause: string, names: readonly string[], scrapes: readonly [Scrape, Scrape], at?: number) {
  const series = seriesOf(...scrapes, at ?? wallSeconds())
  for (const name of names) {
    const { silent, fired, output } = await firesIn(name, series)
    rows.push(`${name.padEnd(34)} ${fired && silent ? 'fired' : 'FAILED'}   ${cause}`)
    expect({ name, silent, fired }, output).toEqual({ name, silent: true, fired: true })
  }
}

afterAll(() => {
  console.log(`\n${rows.toSorted().join('\n')}`)
})

test('promtool accepts the rules and the configuration', async () => {
  expect(await checkRules()).toContain(`${alerts.length} rules found`)
})

test.each(ALERT_CAUSES)('$alerts: $cause', async ({ cause, alerts: names, needsConsent = false, make }) => {
  const stage = await startWebhookGateway()
  const consent = needsConsent ? await acceptedConsent(stage.gateway) : { consentId: '', psu: PSU }
  const before = { gateway: await scrapeGateway(stage.gateway), worker: WORKER }
  const during = await make(stage, consent)
  const after = { gateway: during ?? (await scrapeGateway(stage.gateway)), worker: WORKER }
  // What is damaged on purpose is not what this trial is about.
  await stage.close().catch(() => undefined)
  await requireFired(cause, names, [before, after])
})

test('HavnConsentsWithoutAccounts: the bank has the accounts under another name than three companies', async () => {
  const gateway = await startTestGateway()
  const before = { gateway: await scrapeGateway(gateway), worker: WORKER }
  await gateway.context.database.pool.query(`update companies set name = 'Vestavind Handel AS'`)
  for (let accepted = 0; accepted < CONSENTS; accepted += 1) {
    await acceptedConsent(gateway)
  }
  const after = { gateway: await scrapeGateway(gateway), worker: WORKER }
  await gateway.close()
  await requireFired('no account has the name of its company', ['HavnConsentsWithoutAccounts'], [before, after])
})

/** The start of a process delays its event loop, too; each scrape begins the measurement again. */
async function scrapeWhenCalm(port: number): Promise<string | undefined> {
  return await eventually(async () => {
    const scraped = await scrapePort(port)
    const [, delay] = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(scraped ?? '') ?? []
    expect(Number(delay)).toBeLessThan(CALM_SECONDS)
    return scraped
  })
}

describe('of processes', () => {
  test('HavnInstanceDown, HavnNoWorker, HavnEventLoopDelayed: a worker hangs for two seconds, then it is killed', async () => {
    const gateway = await startTestGateway()
    const [port = 0] = await freePorts(1)
    const worker = await startWorkerProcess(gateway.config, { HAVN_WORKER_PORT: String(port) })
    const ofGateway = await scrapeGateway(gateway)
    const running = { gateway: ofGateway, worker: await scrapeWhenCalm(port) }
    // A delay is measured between two samples, the first of which is taken after the scrape.
    await passed(SAMPLES_MILLISECONDS)
    worker.signal('SIGSTOP')
    await passed(HANG_MILLISECONDS)
    worker.signal('SIGCONT')
    await passed(SAMPLES_MILLISECONDS)
    const delayed = { gateway: ofGateway, worker: await scrapePort(port) }
    await worker.kill()
    const dead = { gateway: ofGateway, worker: await scrapePort(port) }
    await gateway.close()
    await requireFired('a worker hangs', ['HavnEventLoopDelayed'], [running, delayed])
    await requireFired('the only worker is killed', ['HavnInstanceDown', 'HavnNoWorker'], [running, dead])
  })

  test('HavnConnectionsRejected: more connections are opened than HAVN_CONNECTIONS_MAX', async () => {
    const gateway = await startTestGateway({ settings: { HAVN_CONNECTIONS_MAX: String(CONNECTIONS_MAX) } })
    const before = { gateway: await scrapeGateway(gateway), worker: WORKER }
    const { hostname, port } = new URL(gateway.url)
    const sockets = Array.from({ length: 4 * CONNECTIONS_MAX }, () => connect(Number(port), hostname))
    await Promise.race(
      sockets.map(
        async (socket) =>
          await once(
            socket.on('error', () => undefined),
            'close',
          ),
      ),
    )
    const after = { gateway: await scrapeGateway(gateway), worker: WORKER }
    for (const socket of sockets) {
      socket.destroy()
    }
    await gateway.close()
    await requireFired('too many connections are opened', ['HavnConnectionsRejected'], [before, after])
  })

  test('HavnCertificateExpiring, HavnCertificateExpiresSoon: the end of the certificates comes near', async () => {
    const certificates = await testCertificates()
    const gateway = await startTestGateway({ settings: certificates.settings, trust: certificates.trust })
    const scraped = { gateway: await scrapeGateway(gateway), worker: WORKER }
    await gateway.close()
    await certificates.remove()
    const [, expiry = ''] = /havn_certificate_expiry_timestamp_seconds\{[^}]*\} (\S+)/.exec(scraped.gateway ?? '') ?? []
    const former = {
      ...scraped,
      gateway: scraped.gateway?.replaceAll(
        /((?:expiry|warning)_timestamp_seconds\{.*\}) .*/g,
        `$1 ${Number(expiry) + 90 * 86_400}`,
      ),
    }
    const within = (days: number) => Number(expiry) - days * 86_400
    await requireFired('20 days are left', ['HavnCertificateExpiring'], [former, scraped], within(20))
    await requireFired('5 days are left', ['HavnCertificateExpiresSoon'], [former, scraped], within(5))
  })
})

describe('of exchange and payrolls', () => {
  test('HavnExchangeNotUnwound: the provider does not cancel a conversion for two hours', async () => {
    const fixture = await openFxFixture()
    const scrape = async () => {
      await updateDealMetrics(fixture.context)
      return { gateway: await fixture.context.metrics.registry.metrics(), worker: WORKER }
    }
    const before = await scrape()
    const { deal } = await bookDeal(fixture.context, await bookingRequest(fixture.context))
    await cancelDeal(fixture.context, deal, 'unsigned')
    fixture.pass({ hours: 2 })
    const after = await scrape()
    await fixture.close()
    await requireFired('a cancelled exchange stays open', ['HavnExchangeNotUnwound'], [before, after])
  })

  test('HavnExchangeDeadlineUndecided: the bank is down at the deadline of an exchange, and 20 minutes longer', async () => {
    const exchange = await startExchangeFixture()
    const { client } = exchange.gateway
    const before = { gateway: await scrapeGateway(exchange.gateway), worker: WORKER }
    await exchange.order()
    await client.disturbSandboxBank({ params: { bic: exchange.bank.bic }, body: { effect: 'down' } })
    await exchange.pass('PT20M')
    const after = { gateway: await scrapeGateway(exchange.gateway), worker: WORKER }
    await exchange.close().catch(() => undefined)
    const cause = 'the bank is down at the deadline of an exchange'
    await requireFired(cause, ['HavnExchangeDeadlineUndecided'], [before, after])
  })

  test('HavnFxProviderFailing: the FX provider is down', async () => {
    const exchange = await startExchangeFixture()
    const before = { gateway: await scrapeGateway(exchange.gateway), worker: WORKER }
    await exchange.fx.fault('down')
    await exchange.order().catch(() => undefined)
    await exchange.order().catch(() => undefined)
    const after = { gateway: await scrapeGateway(exchange.gateway), worker: WORKER }
    await exchange.close().catch(() => undefined)
    await requireFired('the FX provider is down', ['HavnFxProviderFailing'], [before, after])
  })

  test('HavnPayrollSubmissionIdle: no worker submits a payroll, and two hours pass', async () => {
    const stage = await openPayrollSubmissionFixture()
    const before = { gateway: await scrapeGateway(stage.gateway), worker: WORKER }
    await stage.create('baskets', ['1001.01', '2002.02'])
    await stage.sql(`update payrolls set created_at = created_at - interval '2 hours'`)
    const after = { gateway: await scrapeGateway(stage.gateway), worker: WORKER }
    await stage.gateway.close().catch(() => undefined)
    await requireFired('no worker submits a payroll', ['HavnPayrollSubmissionIdle'], [before, after])
  })

  test('HavnPayrollFailing: the bank rejects one order of a payroll, and does not cancel the others', async () => {
    const stage = await openPayrollSubmissionFixture()
    const before = { gateway: await scrapeGateway(stage.gateway), worker: WORKER }
    const payroll = await stage.create('baskets', ['1001.01', AMOUNT_THAT_THE_BANK_REJECTS])
    await stage.injectFault('baskets', { operation: 'cancelPayment', effect: 'status', status: 503 })
    await stage.submit(payroll)
    await stage.gateway.sweep()
    const after = { gateway: await scrapeGateway(stage.gateway), worker: WORKER }
    await stage.gateway.close().catch(() => undefined)
    await requireFired(
      'the bank does not cancel the orders of a failed payroll',
      ['HavnPayrollFailing'],
      [before, after],
    )
  })
})

test('every alert has a cause here that makes it fire', () => {
  const fired = rows.map((row) => row.split(' ')[0] ?? '')
  expect(alerts.filter((name) => !fired.includes(name))).toEqual([])
})
