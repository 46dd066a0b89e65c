/** The sandbox's provider of exchange as the conformance suite plays with it, over HTTP. */
import { createServer, type Server } from 'node:http'
import { NOTICE_KEY } from '../../../sandbox/fx/notifications/deliver-notifications.ts'
import { LOGIN } from '../../../sandbox/fx/protocol/log-in.ts'
import { type FxForTests, startFxForTests } from '../../../sandbox/testing/test-fx-provider.ts'
import { printAmount } from '../../platform/money.ts'
import type { Beneficiary } from '../providers/beneficiary.ts'
import { openOwnBudget } from '../providers/call-rate-limiter.ts'
import type { Disturbed, FxHarness } from '../providers/conformance/fx-conformance-harness.ts'
import type { ArrivedNotice } from '../providers/provider-notification.ts'
import { openConnector } from './connector-for-tests.ts'

const OPERATIONS: Readonly<Record<Disturbed, string>> = {
  booking: 'POST /conversions/create',
  cancelling: 'POST /conversions/{id}/cancel',
  'paying-out': 'POST /payments/create',
  reading: 'GET /rates/detailed',
}
/** A Tuesday morning on which everybody deals. */
const MORNING = '2027-03-02T09:00:00Z'
/** The provider's word for when to come back, and a second more. */
const TIRED_MILLISECONDS = 61_000
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

/** Starts it on a database of its own. */
export async function openSandboxHarness(): Promise<FxHarness> {
  const inbox = await openInbox()
  const fx = await startFxForTests({ noticeUrl: inbox.url })
  await fx.moveTo(MORNING)
  const skipped = { milliseconds: 0 }
  const budget = openOwnBudget({ now: () => performance.now() + skipped.milliseconds })
  const access = { ...LOGIN, notificationKey: NOTICE_KEY }
  const connector = openConnector(fx.provider.url, { access, budget })
  const fault = async (effect: string, operation?: Disturbed) =>
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
      skipped.milliseconds += TIRED_MILLISECONDS
      await fx.moveTo((await clockOf(fx)).toZonedDateTimeISO('UTC').add(duration).toInstant().toString())
    },
    send: async (amount, reference) =>
      void (await fx.control('/arrivals', {
        iban: 'NO3380590100009',
        amount: printAmount(amount),
        reference,
        ...SENDER,
      })),
    loseAnswer: (of, how) => fault(how === 'whole' ? 'lose-answer' : 'cut-answer', of),
    beDown: (of) => fault('down', of),
    turnAway: () => fault('too-many-requests'),
    endSessions: async () => void (await fx.control('/sessions', undefined, 'DELETE')),
    fail: (how) => fault({ held: 'payment-suspended', failed: 'payment-failed', returned: 'payment-returned' }[how]),
    refuseCancelling: () => fault('refuse-cancelling'),
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

async function clockOf(fx: FxForTests): Promise<Temporal.Instant> {
  return Temporal.Instant.from(String(Object(await fx.control('/clock')).now))
}

/** Takes whatever is pushed, as it comes. */
async function openInbox(): Promise<{ url: string; server: Server; arrived: ArrivedNotice[] }> {
  const arrived: ArrivedNotice[] = []
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
