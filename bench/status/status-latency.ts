/** Measures the delay from a bank's status change to our record and event, and the number of calls. */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { putBank } from '../../gateway/banks/directory/directory-entry.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../gateway/banks/directory/validate-bank-profile.ts'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { waitUntil } from '../../launcher/processes.ts'
import type { StubbedHavn } from '../bench-part.ts'
import type { Initiate } from '../environment/initiation-client.ts'
import { type RunningHavn, resetPayments } from '../environment/running-havn.ts'
import { barResult, quantile } from '../figures.ts'
import type { DueRowScanFigures, DueRowScanPlan } from './due-row-scan.ts'

export type StatusLatency = {
  readonly p50Seconds: number
  readonly p95Seconds: number
  readonly slowestSeconds: number
  readonly callsPerPayment: number
}

/** The number of payments, and the time over which their signatures and settlements are spread. */
export type StatusLatencyPlan = {
  readonly payments: number
  readonly seconds: number
  /** The bank settles each within this time of its signature. */
  readonly settledWithinSeconds: number
  /** Payments of another year in the same tables. */
  readonly storedPayments: number
}

/** A bank that accepts connections and never responds: the worst kind of outage. */
const SILENT_BIC = 'NEDENO22'
const DIRECTORY_MILLISECONDS = 6_000
const EVENT_TIMEOUT_MILLISECONDS = 60_000

/** Payments are signed at an even rate; the bank settles each at a random moment soon afterwards. */
export async function measureStatusLatency(
  bench: StubbedHavn,
  plan: StatusLatencyPlan,
  besideEach: () => Promise<void> = async () => undefined,
): Promise<StatusLatency> {
  const { havn, stub } = bench
  await resetPayments(havn, plan.storedPayments)
  await havn.database.pool.query('truncate events')
  const ids = await ordersOf(bench, plan.payments)
  const calls = stub.statusCalls()
  const reportedAt = new Map<string, number>()
  await Promise.all(
    ids.map(async ({ id, bankPaymentId }, n) => {
      await pause((plan.seconds * 1000 * n) / ids.length)
      stub.say(bankPaymentId, 'ACSP')
      await sign(havn, id)
      await besideEach()
      await pause(((n * 7919) % (plan.settledWithinSeconds * 1000)) + 1)
      stub.say(bankPaymentId, 'ACSC')
      reportedAt.set(id, wallMilliseconds())
    }),
  )
  const recordedAt = await completedAt(havn, ids.length)
  const delays = ids.map(({ id }) => ((recordedAt.get(id) ?? Number.NaN) - (reportedAt.get(id) ?? Number.NaN)) / 1000)
  return {
    p50Seconds: quantile(delays, 0.5),
    p95Seconds: quantile(delays, 0.95),
    slowestSeconds: quantile(delays, 1),
    callsPerPayment: (stub.statusCalls() - calls) / ids.length,
  }
}

/** The same while payments of a bank that never responds fall due, one for each responsive bank's payment. */
export async function measureStatusLatencyWithSilentBank(
  bench: StubbedHavn,
  plan: StatusLatencyPlan,
): Promise<StatusLatency> {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const address = silent.address()
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  await putBank(bench.havn.database, await readBankProfiles(BANK_PROFILES_FOLDER), {
    bic: SILENT_BIC,
    name: 'Nedebanken',
    countryCode: 'NO',
    connector: 'berlin-group',
    profile: 'norwegian-redirect',
    address: `http://${host}/nedebanken`,
    linkHosts: [host],
  })
  await pause(DIRECTORY_MILLISECONDS)
  try {
    const besideEach = () => makeSilentBankPaymentDue(bench.havn)
    return await measureStatusLatency(
      { ...bench, initiate: alsoInitiateAtSilentBank(bench, plan.payments) },
      plan,
      besideEach,
    )
  } finally {
    silent.closeAllConnections()
    silent.close()
  }
}

/** As many orders as requested, and as many again that are moved to the silent bank. */
function alsoInitiateAtSilentBank({ havn, initiate }: StubbedHavn, count: number): Initiate {
  let ordered = 0
  return async () => {
    const endToEndId = await initiate()
    ordered += 1
    if (ordered <= count) {
      await havn.database.pool.query(
        'update payments set bic = $2, signed = true, poll_at = null where end_to_end_id = $1',
        [endToEndId, SILENT_BIC],
      )
      return await initiate()
    }
    return endToEndId
  }
}

async function makeSilentBankPaymentDue({ database }: RunningHavn): Promise<void> {
  await database.pool.query(
    `update payments set poll_at = $2 where (partner_id, id) = (
       select partner_id, id from payments where bic = $1 and poll_at is null limit 1 for update skip locked)`,
    [SILENT_BIC, wallNow()],
  )
}

type Ordered = { readonly id: string; readonly bankPaymentId: string }

/** Orders so many payments, and returns them with the bank's ids. */
export async function ordersOf(
  { havn, initiate }: Pick<StubbedHavn, 'havn' | 'initiate'>,
  count: number,
): Promise<readonly Ordered[]> {
  const endToEndIds: string[] = []
  for (let number = 0; number < count; number += 1) {
    endToEndIds.push(await initiate())
  }
  const { rows } = await havn.database.pool.query<Ordered>(
    'select id, bank_payment_id as "bankPaymentId" from payments where end_to_end_id = any($1)',
    [endToEndIds],
  )
  return rows
}

/** As the end of an approval does. */
export async function sign({ database }: RunningHavn, id: string): Promise<void> {
  const signed = 'update payments set signed = true, poll_at = $2, poll_step = 0 where id = $1'
  await database.pool.query(signed, [id, wallNow()])
}

function wallNow(): string {
  return Temporal.Instant.fromEpochMilliseconds(wallMilliseconds()).toString()
}

/** When the completion events were recorded, by the time in their stamps. */
async function completedAt({ database }: RunningHavn, count: number): Promise<ReadonlyMap<string, number>> {
  const readEvents = async () => {
    const { rows } = await database.pool.query<{ stamp: string; paymentId: string }>(
      `select stamp, subject_id as "paymentId" from events where type = 'PAYMENT_STATUS_COMPLETED'`,
    )
    return rows
  }
  if (!(await waitUntil(async () => (await readEvents()).length >= count, EVENT_TIMEOUT_MILLISECONDS))) {
    throw new Error('Not every payment has an event of completion')
  }
  return new Map((await readEvents()).map(({ stamp, paymentId }) => [paymentId, millisecondsOf(stamp)]))
}

/** The time in a UUID of version 7. */
function millisecondsOf(uuid: string): number {
  return Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
}

const P95_MAX_SECONDS = 3
const PICK_MAX_MILLISECONDS = 50
const CHANGE_MAX_MILLISECONDS = 0.5

/** From the bank's status change to our record and event, and the calls per payment. */
export function statusLatencyLines(
  when: string,
  { p50Seconds, p95Seconds, callsPerPayment }: StatusLatency,
): readonly string[] {
  return [
    `From the bank's status change to our event, after signing, ${when}:`,
    `  p50 ${p50Seconds.toFixed(2)} s, p95 ${p95Seconds.toFixed(2)} s (bar: at most ${P95_MAX_SECONDS} s) ${barResult(p95Seconds <= P95_MAX_SECONDS)}`,
    `  calls to the bank per payment  ${callsPerPayment.toFixed(1)}`,
  ]
}

/** How quickly a worker claims due rows. */
export function dueRowScanLines({ openPayments }: DueRowScanPlan, picks: DueRowScanFigures): readonly string[] {
  const line = (milliseconds: number) =>
    `${milliseconds.toFixed(1)} ms (bar: at most ${PICK_MAX_MILLISECONDS} ms) ${barResult(milliseconds <= PICK_MAX_MILLISECONDS)}`
  return [
    `A batch of 1000 claimed among ${openPayments} open payments: ${line(picks.milliseconds)}`,
    `  while one bank is at its limit: ${line(picks.withStalledBankMilliseconds)}`,
  ]
}

/** PostgreSQL's processor time per status change; undefined where it is not known. */
export function statusChangeLines(milliseconds: number | undefined): readonly string[] {
  const figure =
    milliseconds === undefined
      ? 'unknown on this system'
      : `${milliseconds.toFixed(2)} ms (bar: at most ${CHANGE_MAX_MILLISECONDS} ms) ${barResult(milliseconds <= CHANGE_MAX_MILLISECONDS)}`
  return [`A status change with its event and delivery takes PostgreSQL ${figure}`]
}
