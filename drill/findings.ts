/** Checks what a restore must not do; each function returns what is wrong. */
import type { WebhookReceiver } from '../gateway/testing/webhooks/webhook-receiver.ts'
import { waitUntil } from '../launcher/processes.ts'
import type { HavnClient } from '../sdk/index.ts'
import type { PostgresServer } from '../setup/trials/postgres-server.ts'
import type { InstallationSettings } from './havn-installation.ts'
import { BANKS, type OrderedPayment, order, ordersAt, PAYROLL_BANK, type PaymentLoad, sign } from './payment-load.ts'

/** What `havn reconcile` prints. */
export type Reconciled = {
  readonly orders: readonly { readonly subjectId: string; readonly detail: Readonly<Record<string, unknown>> }[]
  readonly keysBlocked: number
}

const ARRIVES_WITHIN_MILLISECONDS = 30_000

/** A repeated request is replayed, rejected, or the first one that reaches its bank. */
export function checkRepetitions(answers: readonly number[]): readonly string[] {
  const others = answers.filter((status) => status !== 200 && status !== 409)
  return others.length === 0 ? [] : [`Repeated requests were answered with ${[...new Set(others)].join(', ')}`]
}

/** Every amount is unique: one that a bank has twice was ordered twice. */
export async function checkBanks(
  settings: InstallationSettings,
  payments: readonly OrderedPayment[],
): Promise<readonly string[]> {
  const findings: string[] = []
  for (const { bic } of [...BANKS, PAYROLL_BANK]) {
    const orders = await ordersAt(settings, bic)
    const twice = [...Map.groupBy(orders, ({ amount }) => amount)].filter(([, same]) => same.length > 1)
    findings.push(...twice.map(([amount, same]) => `${bic} has the order of ${amount} ${same.length} times`))
    const held = new Set(orders.map(({ amount }) => Number(amount)))
    const acknowledged = payments.filter((payment) => payment.bic === bic && payment.paymentId !== null)
    const missing = acknowledged.filter(({ amount }) => !held.has(Number(amount)))
    findings.push(...missing.map(({ amount }) => `${bic} lacks the acknowledged order of ${amount}`))
  }
  return findings
}

/** What a bank holds is in the database, or was found. */
export async function checkLostOrders(
  server: PostgresServer,
  settings: InstallationSettings,
  { orders: found }: Reconciled,
): Promise<readonly string[]> {
  const stored = await server.query<{ id: string }>(
    'select bank_request_id as id from payments union all select bank_request_id from expired_orders',
  )
  const tasks = await server.query<{ id: string }>(
    `select detail->>'bankRequestId' as id from operator_tasks where kind = 'UnrecordedOrder' and status = 'open'`,
  )
  const known = new Set([...stored, ...tasks].map(({ id }) => id))
  const findings: string[] = []
  for (const { bic } of [...BANKS, PAYROLL_BANK]) {
    const unknown = (await ordersAt(settings, bic)).filter(({ requestId }) => !known.has(requestId))
    findings.push(...unknown.map(({ amount }) => `${bic} has an order of ${amount} that is neither stored nor a task`))
  }
  const held = await server.query(`select id from operator_tasks where kind = 'PayrollHeld' and status = 'open'`)
  return [
    ...findings,
    ...(found.length === 0 ? ['havn reconcile found no order, so that nothing was lost and nothing is shown'] : []),
    ...(held.length === 1 ? [] : [`${held.length} payrolls are held, not 1`]),
  ]
}

type Delivered = { readonly id: string; readonly type: string; readonly paymentId: string }

/** Events of the lost time come again under their ids, and new ones go on arriving. */
export async function checkEvents(
  client: HavnClient,
  receiver: WebhookReceiver,
  { load, deliveredBefore }: { readonly load: PaymentLoad; readonly deliveredBefore: number },
): Promise<readonly string[]> {
  const [bank] = BANKS
  const example = load.payments.find(({ bic }) => bic === bank.bic)
  if (example === undefined) {
    return ['There was no load']
  }
  const next = { ...example, key: crypto.randomUUID(), paymentId: null as string | null }
  const metadata = { endToEndId: 'DRILL-2026-999999' }
  const amount = { ...example.body.amount, amount: '99999.11' }
  const ordered = { ...next, body: { ...example.body, metadata, amount } }
  await order(client, ordered)
  await sign(client, ordered, bank.users[0])
  const isArrived = async () => deliveredTo(receiver).some(({ paymentId }) => paymentId === ordered.paymentId)
  const hasArrived = await waitUntil(isArrived, ARRIVES_WITHIN_MILLISECONDS)
  const delivered = deliveredTo(receiver)
  const idsByChange = Map.groupBy(delivered, ({ paymentId, type }) => `${type} of ${paymentId}`)
  const renewed = [...idsByChange].filter(([, same]) => new Set(same.map(({ id }) => id)).size > 1)
  const before = new Set(delivered.slice(0, deliveredBefore).map(({ id }) => id))
  const again = delivered.slice(deliveredBefore).filter(({ id }) => before.has(id)).length
  console.log(`${again} events were delivered again under the id that they had before`)
  return [
    ...(hasArrived ? [] : ['The event of a payment that was signed after the restore did not arrive']),
    ...renewed.map(([change]) => `${change} was delivered under several event ids`),
  ]
}

function deliveredTo({ received }: WebhookReceiver): readonly Delivered[] {
  return received.map(({ body }) => {
    const { id, type, data } = JSON.parse(body.toString())
    return { id, type, paymentId: data.paymentId }
  })
}
