/** Opens the sandbox FX provider over HTTP as harness of the conformance suite. */
import { createServer, type Server } from 'node:http'
import { NOTIFICATION_KEY } from '../../../sandbox/fx/notifications.ts'
import { LOGIN } from '../../../sandbox/fx/protocol/log-in.ts'
import { startTestFxProvider, type TestFxProvider } from '../../../sandbox/testing/test-fx-provider.ts'
import { formatAmount } from '../../platform/money.ts'
import type { Beneficiary } from '../providers/beneficiary.ts'
import type { FaultTarget, FxConformanceHarness } from '../providers/conformance/fx-conformance-harness.ts'
import type { ReceivedNotification } from '../providers/fx-provider.ts'
import { openConnector } from './connector-for-tests.ts'
import { openLocalCallRateLimiter } from './local-call-rate-limiter.ts'

const OPERATIONS: Readonly<Record<FaultTarget, string>> = {
  booking: 'POST /conversions/create',
  cancelling: 'POST /conversions/{id}/cancel',
  'paying-out': 'POST /payments/create',
  reading: 'GET /rates/detailed',
}
/** A Tuesday morning during trading hours. */
const MORNING = '2027-03-02T09:00:00Z'
/** The provider's `Retry-After`, and a second more. */
const RATE_LIMITED_MILLISECONDS = 61_000
const RECEIVER: Beneficiary = {
  name: 'Acme Inc',
  entityType: 'company',
  bankCountry: 'US',
  currency: 'USD',
  account: { bban: '123456789' },
  clearingCode: '021000021',
  bic: 'CHASUS33',
  address: { country: 'US', street: '1 Main Street', city: 'Boston', postCode: '02110' },
}
const SENDER = { senderName: 'Nordlys Handel AS', senderIban: 'NO9386011117947', senderCountry: 'NO' }

/** Starts it on its own database. */
export async function openSandboxHarness(): Promise<FxConformanceHarness> {
  const inbox = await openInbox()
  const fx = await startTestFxProvider({ noticeUrl: inbox.url })
  await fx.moveTo(MORNING)
  const skipped = { milliseconds: 0 }
  const rateLimiter = openLocalCallRateLimiter({ now: () => performance.now() + skipped.milliseconds })
  const access = { ...LOGIN, notificationKey: NOTIFICATION_KEY }
  const connector = openConnector(fx.provider.url, { access, rateLimiter })
  const fault = async (effect: string, operation?: FaultTarget) =>
    void (await fx.control('/faults', {
      effect,
      times: 1,
      ...(operation === undefined ? {} : { operation: OPERATIONS[operation] }),
    }))
  return {
    provider: connector.provider,
    pair: { buy: 'USD', sell: 'NOK', country: 'NO' },
    receiver: RECEIVER,
    unsound: [
      ['clearingCode', { ...RECEIVER, clearingCode: '021000022' }],
      ['bban', { ...RECEIVER, account: { bban: 'twelve' } }],
      ['bic', { ...RECEIVER, bic: 'NOBIC' }],
      ['address.city', { ...RECEIVER, address: { country: 'US', street: '1 Main Street', postCode: '02110' } }],
      ['iban', { ...RECEIVER, bankCountry: 'DE', account: { iban: 'DE00370400440532013000' } }],
      ['bankCountry', { ...RECEIVER, bankCountry: 'KP' }],
    ],
    untraded: 'KPW',
    now: () => clockOf(fx),
    pass: async (duration) => {
      skipped.milliseconds += RATE_LIMITED_MILLISECONDS
      await fx.moveTo((await clockOf(fx)).toZonedDateTimeISO('UTC').add(duration).toInstant().toString())
    },
    send: async (amount, reference) =>
      void (await fx.control('/arrivals', {
        iban: 'NO3380590100009',
        amount: formatAmount(amount),
        reference,
        ...SENDER,
      })),
    loseAnswer: (of, part) => fault(part === 'whole' ? 'lose-answer' : 'cut-answer', of),
    beDown: (of) => fault('drop-request', of),
    turnAway: () => fault('too-many-requests'),
    endSessions: async () => void (await fx.control('/sessions', undefined, 'DELETE')),
    fail: (end) => fault({ held: 'payment-suspended', failed: 'payment-failed', returned: 'payment-returned' }[end]),
    rejectCancelling: () => fault('refuse-cancelling'),
    close: () => fault('closed'),
    arrived: async () => inbox.arrived.splice(0),
    held: async (requestId) => {
      const all = [await fx.control('/conversions'), await fx.control('/payments')].flat()
      return all.filter((one) => Object(one).unique_request_id === requestId).length
    },
    end: async () => {
      await connector.close()
      await fx.close()
      inbox.server.close()
    },
  }
}

async function clockOf(fx: TestFxProvider): Promise<Temporal.Instant> {
  return Temporal.Instant.from(String(Object(await fx.control('/clock')).now))
}

/** Receives notifications. */
async function openInbox(): Promise<{ url: string; server: Server; arrived: ReceivedNotification[] }> {
  const arrived: ReceivedNotification[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      arrived.push({ headers: request.headers, rawBody: Buffer.concat(parts) })
      response.writeHead(204).end()
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return { url: `http://127.0.0.1:${port}/`, server, arrived }
}
