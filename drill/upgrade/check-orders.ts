/** Checks payments and payrolls against the ledgers of the banks, and that none is stuck. */
import type { HavnClient } from '../../sdk/index.ts'
import { checkBanks } from '../findings.ts'
import { BANKS } from '../payment-load.ts'
import { ordersAt, PAYROLL_BANK } from '../payroll-load.ts'
import type { Installation } from './installation.ts'
import type { PartnerLoad } from './partner-load.ts'

type StoredOrder = { readonly id: string; readonly bic: string; readonly outcome: string; readonly status: string }

const FINAL = ['Completed', 'Cancelled', 'Rejected']

/** Every order is at its bank once, and nothing is there that is not stored. */
export async function checkOrders(
  { settings, server }: Installation,
  { payments, payrolls }: PartnerLoad,
): Promise<readonly string[]> {
  const stored = await server.query<StoredOrder>('select bank_request_id as id, bic, outcome, status from payments')
  const findings = [...(await checkBanks(settings, payments))]
  for (const { bic } of [...BANKS, PAYROLL_BANK]) {
    const held = (await ordersAt(settings, bic)).map(({ requestId }) => requestId)
    const known = new Set(stored.filter((order) => order.bic === bic).map(({ id }) => id))
    findings.push(...held.filter((id) => !known.has(id)).map((id) => `${bic} has the order ${id}, which is not stored`))
    const missing = [...known.difference(new Set(held))]
    findings.push(...missing.map((id) => `${bic} lacks the order ${id}`))
  }
  const ordered = payments.length + payrolls.reduce((sum, { amounts }) => sum + amounts.length, 0)
  return [
    ...findings,
    ...(stored.length === ordered ? [] : [`${ordered} orders were sent, and ${stored.length} are stored`]),
    ...stored
      .filter(({ outcome, status }) => outcome !== 'known' || !FINAL.includes(status))
      .map(({ id, bic, outcome, status }) => `The order ${id} at ${bic} is stuck: ${status}, outcome ${outcome}`),
  ]
}

/** As the partner sees it, and as operators do. */
export async function checkNothingStuck(client: HavnClient, { server }: Installation): Promise<readonly string[]> {
  const findings: string[] = []
  for await (const { paymentId, paymentStatus } of client.iteratePayments()) {
    findings.push(...(FINAL.includes(paymentStatus.status) ? [] : [`Payment ${paymentId} is ${paymentStatus.status}`]))
  }
  for await (const { payrollId, finalStatus, currentPayrollStatus } of client.iteratePayrolls()) {
    findings.push(...(finalStatus ? [] : [`Payroll ${payrollId} is ${currentPayrollStatus}`]))
  }
  const tasks = await server.query<{ kind: string; detail: object }>(
    `select kind, detail from operator_tasks where status <> 'resolved'`,
  )
  const deliveries = await server.query<{ status: string; count: number }>(
    `select status, count(*)::int as count from webhook_deliveries where status <> 'Delivered' group by status`,
  )
  return [
    ...findings,
    ...tasks.map(({ kind, detail }) => `There is a task for operators: ${kind} ${JSON.stringify(detail)}`),
    ...deliveries.map(({ status, count }) => `${count} deliveries are ${status}`),
  ]
}
