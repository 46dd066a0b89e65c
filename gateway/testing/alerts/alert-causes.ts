/** Produces the causes of alerts in a running gateway, each by the means of its own field. */
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startSweeps } from '../../platform/jobs/sweep-runner.ts'
import { openFileBank } from '../banks/file-bank.ts'
import { openSandboxBankControl } from '../banks/sandbox-bank-control.ts'
import { eventually } from '../gateway/eventually.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import { type acceptedConsent, domesticPayment } from '../payments/sample-payments.ts'
import { demoPartnerId, enqueueStatusChange } from '../webhooks/enqueue-status-change.ts'
import type { WebhookGateway } from '../webhooks/webhook-gateway.ts'
import { scrapeGateway } from './scraped-metrics.ts'

/** What happens, which alerts follow, and how. It resolves to a scrape of its own where the cause ends with it. */
export type AlertCause = {
  readonly cause: string
  readonly alerts: readonly string[]
  /** Whether a user's consent is needed: its calls to the bank are made before the cause. */
  readonly needsConsent?: boolean
  make(stage: WebhookGateway, consent: Consent): Promise<string | undefined>
}

/** A consent with the session of its user. */
export type Consent = Awaited<ReturnType<typeof acceptedConsent>>

const FAILED_ORDERS = 4
const REJECTED_ORDERS = 10
const REFUSED_DELIVERIES = 6

const sql = async ({ context }: TestGateway, text: string) => void (await context.database.pool.query(text))

type OrderFault = Omit<Parameters<ReturnType<typeof openSandboxBankControl>['injectFault']>[0], 'operation'>
/** The fault is one of the bank at this order. */
async function order(gateway: TestGateway, consent: Consent, fault?: OrderFault): Promise<undefined> {
  const one = { operation: 'initiatePayment', times: 1 }
  await (fault && openSandboxBankControl(gateway.bank).injectFault({ ...one, ...fault }))
  await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) }).catch(() => undefined)
}

/** Renames a table while work runs: the database rejects the statements of one module. */
async function withoutTable(gateway: TestGateway, table: string, work: () => Promise<void>): Promise<void> {
  await sql(gateway, `alter table ${table} rename to ${table}_renamed`)
  try {
    await work()
  } finally {
    await sql(gateway, `alter table ${table}_renamed rename to ${table}`)
  }
}

export const ALERT_CAUSES: readonly AlertCause[] = [
  {
    cause: 'a partner sends payments without fields',
    alerts: ['HavnPaymentsRejected'],
    make: async ({ gateway }) => {
      const headers = { authorization: `Bearer ${await gateway.token()}`, 'content-type': 'application/json' }
      for (let sent = 0; sent < REJECTED_ORDERS; sent += 1) {
        await gateway.fetch('/api/v2/payments', { method: 'POST', headers, body: '{}' })
      }
    },
  },
  {
    cause: 'the bank loses the connection after it has received an order',
    alerts: ['HavnUnknownOutcome'],
    needsConsent: true,
    make: ({ gateway }, consent) => order(gateway, consent, { effect: 'drop-connection' }),
  },
  {
    cause: 'the bank cancels a payment that it had completed, and four hours pass',
    alerts: ['HavnOperatorTasksOpen'],
    needsConsent: true,
    make: async ({ gateway }, consent) => {
      await order(gateway, consent)
      const control = openSandboxBankControl(gateway.bank)
      const [payment] = await control.payments()
      for (const transactionStatus of ['ACSC', 'CANC']) {
        await control.postControl(`/payments/${payment?.paymentId}/status`, { transactionStatus })
        await sql(gateway, 'update payments set poll_at = created_at, lease_until = null')
        await gateway.sweep()
      }
    },
  },
  {
    cause: 'a bank sends a file of 60 MB',
    alerts: ['HavnBankFilesUnreadable'],
    make: async ({ gateway }) => {
      const bank = await openFileBank(gateway)
      const path = join(bank.folder, 'from-bank', 'long.xml')
      await writeFile(path, '')
      await truncate(path, 60_000_000)
      await bank.look()
      await bank.close()
    },
  },
  {
    cause: 'the bank rejects our certificate',
    alerts: ['HavnBankRejectsIdentity'],
    needsConsent: true,
    make: ({ gateway }, consent) =>
      order(gateway, consent, { effect: 'status', status: 401, code: 'CERTIFICATE_INVALID' }),
  },
  {
    cause: 'the bank sends a payment without its id',
    alerts: ['HavnBankAnswersDeviate'],
    needsConsent: true,
    make: ({ gateway }, consent) => order(gateway, consent, { effect: 'malform', mode: 'null', fields: ['paymentId'] }),
  },
  {
    cause: 'the address of the bank answers without TLS',
    alerts: ['HavnBankTlsFailing'],
    needsConsent: true,
    make: async ({ gateway }, consent) => {
      await sql(gateway, `update banks set address = replace(address, 'http:', 'https:')`)
      await eventually(async () => {
        await order(gateway, consent)
        expectTrue((await gateway.context.metrics.bankTlsFailures.get()).values.length > 0)
      })
    },
  },
  {
    cause: 'the bank is down, since a minute ago',
    alerts: ['HavnBankDown', 'HavnBankCallsFailing'],
    needsConsent: true,
    make: async ({ gateway }, consent) => {
      const control = openSandboxBankControl(gateway.bank)
      await control.injectFault({ operation: '*', effect: 'down' })
      for (let sent = 0; sent < FAILED_ORDERS; sent += 1) {
        await order(gateway, consent)
      }
      await eventually(async () => {
        // The first failure is moved back instead of waiting for a minute; the calls are recorded after their requests.
        await sql(
          gateway,
          `update banks set failing_since = failing_since - interval '61 seconds',
             orders_failing_since = orders_failing_since - interval '61 seconds'`,
        )
        expectTrue(/status="Down"\} 1/.test((await scrapeGateway(gateway)) ?? ''))
      })
      return await scrapeGateway(gateway)
    },
  },
  {
    cause: 'no worker polls, and three hours pass',
    alerts: ['HavnPaymentPollsLate'],
    needsConsent: true,
    make: async ({ gateway }, consent) => {
      await order(gateway, consent)
      await sql(gateway, `update payments set poll_at = created_at - interval '3 hours'`)
    },
  },
  {
    cause: 'no worker delivers, and five minutes pass',
    alerts: ['HavnWebhooksLate'],
    make: async (stage) => {
      await stage.subscribe('/late')
      await enqueueStatusChange(stage.gateway, await demoPartnerId(stage.gateway))
      await sql(stage.gateway, `update webhook_deliveries set due_at = due_at - interval '5 minutes'`)
    },
  },
  {
    cause: 'a subscription names an address that is forbidden',
    alerts: ['HavnWebhooksFailed'],
    make: async (stage) => {
      await stage.subscribe('/forbidden', 'https://10.0.0.1')
      const partnerId = await demoPartnerId(stage.gateway)
      for (let sent = 0; sent < REFUSED_DELIVERIES; sent += 1) {
        await enqueueStatusChange(stage.gateway, partnerId)
      }
      await stage.gateway.sweep()
    },
  },
  {
    cause: 'the secret of a subscription cannot be decrypted',
    alerts: ['HavnWebhookInternalErrors', 'HavnRowsFailing'],
    make: async (stage) => {
      const { id } = await stage.subscribe('/undecryptable')
      await sql(
        stage.gateway,
        `update webhook_endpoints set signing_secret_sealed = '\\x00' where subscription_id = '${id}'`,
      )
      await enqueueStatusChange(stage.gateway, await demoPartnerId(stage.gateway))
      await stage.gateway.sweep()
    },
  },
  {
    cause: 'the database rejects the statements of payments',
    alerts: ['HavnRequestErrors'],
    make: async ({ gateway }) => {
      const headers = { authorization: `Bearer ${await gateway.token()}` }
      await withoutTable(gateway, 'payments', async () => {
        await fetch(`${gateway.url}/api/v2/payments`, { headers })
      })
    },
  },
  {
    cause: 'the database rejects the statements of a sweep',
    alerts: ['HavnSweepFailing'],
    make: async ({ gateway }) => {
      await withoutTable(gateway, 'consents', async () => {
        const sweeps = startSweeps(gateway.sweeps, gateway.context)
        const failures = async () => (await gateway.context.metrics.sweepFailures.get()).values.length
        await eventually(async () => expectTrue((await failures()) > 0))
        await sweeps.stop()
      })
    },
  },
  {
    cause: 'the database rejects the rows of the request log',
    alerts: ['HavnLogRowsDropped'],
    make: async ({ gateway }) => {
      await withoutTable(gateway, 'request_log', async () => {
        await gateway.client.listPayments({})
        await gateway.context.requestLog.flush()
      })
    },
  },
  {
    cause: 'all connections of the pool are in use',
    alerts: ['HavnDatabaseConnectionsExhausted', 'HavnDatabaseUnavailable'],
    make: async ({ gateway }) => {
      const { pool } = gateway.context.database
      const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
      const waiting = pool.query('select 1')
      // The statement of the scrape waits behind the first one, for as long as a scrape may.
      const scraped = await scrapeGateway(gateway)
      for (const client of held) {
        client.release()
      }
      await waiting
      return scraped
    },
  },
  {
    cause: 'the clock of a host is ten seconds ahead',
    alerts: ['HavnClockDiffers'],
    make: async ({ gateway }) => {
      const { clock } = gateway.context
      const { real } = clock
      Object.assign(clock, { real: () => real().add({ seconds: 10 }) })
      const scraped = await scrapeGateway(gateway)
      Object.assign(clock, { real })
      return scraped
    },
  },
]

function expectTrue(holds: boolean): void {
  if (!holds) {
    throw new Error('The condition does not hold yet')
  }
}
