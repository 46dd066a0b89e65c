/** Puts load on the balancer as a partner that never repeats a failed request, and records what was answered. */
import { sandboxClient } from '../../gateway/testing/gateway/sandbox-client.ts'
import type { HavnAttempt, HavnClient } from '../../sdk/index.ts'
import type { InstallationSettings } from '../havn-installation.ts'
import { BANKS, CALLBACK, consentsAt, type OrderedPayment, orderOf, PSU, sign, type Today } from '../payment-load.ts'
import { openLoadGate } from './load-gate.ts'
import { type OrderedPayroll, payPayrolls } from './payroll-loop.ts'

/** What the partner has done, and what went wrong. */
export type PartnerLoad = {
  readonly payments: readonly OrderedPayment[]
  readonly payrolls: readonly OrderedPayroll[]
  /** Ends what has begun, and begins nothing until the action has ended. */
  whilePaused(action: () => Promise<void>): Promise<void>
  /** Resolves when everything begun has ended; returns what was answered otherwise than it must. */
  stop(): Promise<readonly string[]>
}

/** A request of the client: everything but its content. */
export type Request = Pick<HavnAttempt, 'operation' | 'status' | 'milliseconds'>

const LOOPS_PER_BANK = 2
const PAUSE_MILLISECONDS = 250

/** A client that repeats nothing. Each of its requests is added to the list. */
export function clientOf(url: string, requests: Request[]): HavnClient {
  return sandboxClient(url, {
    onAttempt: ({ operation, status, milliseconds }) => void requests.push({ operation, status, milliseconds }),
  })
}

/** Several loops at each bank, and one of payrolls. */
export async function startPartnerLoad(
  client: HavnClient,
  settings: InstallationSettings,
  today: Today,
): Promise<PartnerLoad> {
  const payments: OrderedPayment[] = []
  const payrolls: OrderedPayroll[] = []
  const problems: string[] = []
  const stopping = new AbortController()
  const consents = await consentsAt(client)
  const isStopped = () => stopping.signal.aborted
  const gate = openLoadGate()
  const loop = async (bank: Bank, first: number) => {
    const consentId = consents.get(bank.bic) ?? ''
    for (let n = first; !isStopped(); n += 1) {
      await gate.pass(async () => {
        const ordered = orderOf(bank, { consentId, number: payments.length + 1, today })
        payments.push(ordered)
        await pay(client, bank, ordered, n).catch((error: unknown) => {
          problems.push(`Payment ${ordered.amount} at ${bank.bic}: ${String(error)}`)
        })
      })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
    }
  }
  const loops = BANKS.flatMap((bank) => Array.from({ length: LOOPS_PER_BANK }, (_, n) => loop(bank, n)))
  loops.push(payPayrolls(client, settings, { today, isStopped, gate, payrolls, problems }))
  return {
    payments,
    payrolls,
    whilePaused: gate.whileClosed,
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      return problems.splice(0)
    },
  }
}

type Bank = (typeof BANKS)[number]

/** What follows the initiation, in turn. Each payment is signed or cancelled, so that none stays unsigned. */
const COURSES: readonly ((client: HavnClient, bank: Bank, ordered: OrderedPayment) => Promise<void>)[] = [
  async (client, { users }, ordered) => await sign(client, ordered, users[0]),
  async (client, { users }, ordered) => await cancel(client, ordered, users[0]),
  async (client, { users }, ordered) => {
    await sign(client, ordered, users[0])
    await cancel(client, ordered, users[0])
  },
  async (client, { users }, ordered) => {
    const { paymentId } = await initiate(client, ordered)
    if (paymentId !== ordered.paymentId) {
      throw new Error(`Its repeated request was answered with another payment, ${paymentId}`)
    }
    await sign(client, ordered, users[0])
  },
]

async function pay(client: HavnClient, bank: Bank, ordered: OrderedPayment, number: number): Promise<void> {
  const { paymentId } = await initiate(client, ordered)
  ordered.paymentId = paymentId
  await COURSES[number % COURSES.length]?.(client, bank, ordered)
  await client.getPaymentStatus({ params: { paymentId } })
  await client.getPayment({ params: { paymentId } })
}

async function initiate(client: HavnClient, { consentId, body, key }: OrderedPayment) {
  return await client.initiateDomesticPayment({ consentId, psu: PSU, body, idempotencyKey: key })
}

/** Some banks require a signature for it. A bank may reject it. */
async function cancel(client: HavnClient, { consentId, paymentId }: OrderedPayment, userId: string): Promise<void> {
  const body = { paymentId: paymentId ?? '', callbackUrl: CALLBACK }
  const { id, cancellationRequestStatus } = await client.cancelPayment({ consentId, psu: PSU, body })
  if (cancellationRequestStatus === 'AUTHORIZATION_REQUIRED') {
    await client.decideSandboxCancellation({ params: { cancellationId: id, decision: 'sign' }, body: { userId } })
  }
}
