/** Checks what partners have after an upgrade: the orders, the events and the answers to their requests. */

import { readFile } from 'node:fs/promises'
import type { HavnClient } from '../../sdk/index.ts'
import { checkBanks } from '../findings.ts'
import { urlOf } from '../havn-installation.ts'
import { BANKS, ordersAt, PAYROLL_BANK } from '../payment-load.ts'
import type { Installation, ProgramName, StartedRelease } from './installation.ts'
import type { PartnerLoad, Request } from './partner-load.ts'

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

/** A recorded event with its body as delivered. */
export type StoredEvent = {
  readonly id: string
  readonly subjectId: string
  readonly type: string
  readonly body: string
}

/** By the events that are stored and the deliveries that have arrived. */
export async function checkEvents({ server, receiver }: Installation): Promise<readonly string[]> {
  const events = await server.query<StoredEvent>(
    'select id, subject_id as "subjectId", type, body from events order by partner_id, position',
  )
  const delivered = receiver.received.map(({ body }) => String(JSON.parse(body.toString()).id))
  return findDeliveryFaults(events, delivered)
}

/** Both in their order: events as recorded, ids of events as they arrived. */
export function findDeliveryFaults(events: readonly StoredEvent[], delivered: readonly string[]): readonly string[] {
  const stored = new Map(events.map((event) => [event.id, event]))
  const times = [...Map.groupBy(delivered, (id) => id)]
  const arrived = new Set(delivered)
  const nameOf = (id: string) => `${stored.get(id)?.type} ${id}`
  return [
    ...times
      .filter(([, same]) => same.length > 1)
      .map(([id, same]) => `${nameOf(id)} was delivered ${same.length} times`),
    ...events.filter(({ id }) => !arrived.has(id)).map(({ id }) => `${nameOf(id)} was not delivered`),
    ...[...arrived].filter((id) => !stored.has(id)).map((id) => `${id} was delivered, and is not stored`),
    ...repeatedChanges(events),
    ...overtaken(events, delivered),
  ]
}

/** The same change under two ids would be processed twice by its receiver. */
function repeatedChanges(events: readonly StoredEvent[]): readonly string[] {
  const changeOf = ({ type, subjectId, body }: StoredEvent) =>
    `${type} of ${subjectId}: ${JSON.stringify(JSON.parse(body).data)}`
  return [...Map.groupBy(events, changeOf)]
    .filter(([, same]) => same.length > 1)
    .map(([change, same]) => `${same.length} events report the same: ${change}`)
}

/** Of one subject, events must arrive in the order in which they were recorded. */
function overtaken(events: readonly StoredEvent[], delivered: readonly string[]): readonly string[] {
  const arrival = new Map<string, number>()
  for (const [index, id] of delivered.entries()) {
    arrival.set(id, arrival.get(id) ?? index)
  }
  const subjects = Map.groupBy(
    events.filter(({ id }) => arrival.has(id)),
    ({ subjectId }) => subjectId,
  )
  return [...subjects.values()].flatMap((ofSubject) =>
    ofSubject.flatMap(({ id, type, subjectId }, index) => {
      const before = ofSubject[index - 1]
      const isLate = before !== undefined && (arrival.get(before.id) ?? 0) > (arrival.get(id) ?? 0)
      return isLate ? [`${type} of ${subjectId} arrived before ${before.type}, which was recorded first`] : []
    }),
  )
}

/** The partner sends nothing that must be rejected. */
export function checkRequests(requests: readonly Request[]): readonly string[] {
  const failed = requests.filter(({ status }) => status === undefined || status >= 400)
  const groups = Map.groupBy(failed, ({ operation, status }) => `${operation}: ${status ?? 'no response'}`)
  return [...groups].map(([what, same]) => `${same.length} requests failed: ${what}`)
}

/** A worker that is about to stop has delivered webhooks. */
export async function checkDeliveries({ ports }: Installation, name: ProgramName): Promise<readonly string[]> {
  const metrics = await (await fetch(`${urlOf(ports[name])}/metrics`)).text()
  return DELIVERIES.test(metrics) ? [] : [`${name} has delivered nothing`]
}

/** The request that took longest, for the report. */
export function longest(requests: readonly Request[]): string {
  const [first] = requests.toSorted((one, other) => other.milliseconds - one.milliseconds)
  return first === undefined ? 'none' : `${first.operation}, ${(first.milliseconds / 1_000).toFixed(1)} s`
}

type LogLine = {
  readonly level: number
  readonly msg: string
  readonly route?: string
  readonly status?: number
}

const WARN = 40
const SHOWN_CHARACTERS = 400
const DELIVERIES = /^havn_webhook_attempt_seconds_count\{[^}]*\} [1-9]/m

/** Every run of a program: what it logged as a warning or an error, and that it took part. */
export async function checkLogs({ runs }: Installation): Promise<readonly string[]> {
  const findings = await Promise.all(runs.map(checkLog))
  return findings.flat()
}

async function checkLog({ name, release, log }: StartedRelease): Promise<readonly string[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').flatMap(parseLine)
  const answered = lines.filter(({ msg, route }) => msg === 'answered' && route?.startsWith('/api/') === true).length
  const started = `${name} of the release ${release.name}`
  const faults = Map.groupBy(
    lines.filter(({ level }) => level >= WARN),
    ({ msg }) => msg,
  )
  return [
    ...[...faults].map(
      ([msg, same]) =>
        `${started} logged ${same.length} times: ${msg} ${JSON.stringify(same[0]).slice(0, SHOWN_CHARACTERS)}`,
    ),
    ...(name.startsWith('gateway') && answered === 0 ? [`${started} answered no request`] : []),
  ]
}

/** Node prints some lines by itself, such as warnings: they are no JSON, and count as warnings. */
function parseLine(line: string): readonly LogLine[] {
  if (line === '') {
    return []
  }
  try {
    return [JSON.parse(line)]
  } catch {
    return [{ level: WARN, msg: line }]
  }
}
