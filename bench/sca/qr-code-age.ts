/** Measures the codes that partners show: how old each is on arrival by the bank's own record, and what that costs in calls to the bank. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ScaQr } from '../../contract/sca.ts'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { drawQrImage } from '../../gateway/platform/render-qr-image.ts'
import type { NordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { bankIdCode } from '../../sandbox/bank/authorisations/bank-id-code.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { type CallsFigures, callsTo, type MetricsUrls, perSigningAndSecond } from './sca-bank-calls.ts'
import type { SigningWorld, Started } from './sca-fixture.ts'

export type CodesPlan = { readonly loops: number; readonly seconds: number }

/** One value for each code that arrived, in milliseconds. */
export type CodesFigures = {
  /** How long before its arrival the bank had replaced it; 0 while it is still the bank's own. */
  readonly outdated: readonly number[]
  /** Since we had it from the bank, by its `validUntil`. */
  readonly relayed: readonly number[]
  /** Since the second began for which the bank shows it. */
  readonly sinceItsSecond: readonly number[]
  /** Reads that told no code. */
  readonly without: number
  /** Each per signing and second. */
  readonly calls: CallsFigures
}

/** What a loop was told. */
type Arrival = { readonly paymentId: string; readonly at: number; readonly qr: ScaQr | undefined }

/** An order as the bank holds it. */
type Order = {
  readonly paymentId: string
  readonly token: string
  readonly secret: string
  /** Wall milliseconds. */
  readonly begunAt: number
}

/** The bank shows each code for a second. */
const SHOWN_MILLISECONDS = 1_000
/** Nothing older is looked for. */
const SECONDS_BACK_MAX = 10
/** An approval may be read twice a second, not more often. */
const LATE_MAX_MILLISECONDS = 500

/** So many approvals by code at one bank, each read once a second by a loop of its own. */
export async function codesAt(
  world: SigningWorld,
  bank: NordicBank,
  metrics: MetricsUrls,
  { loops, seconds }: CodesPlan,
): Promise<CodesFigures> {
  const started = await Promise.all(Array.from({ length: loops }, () => world.approve(bank, 'Qr')))
  const before = await callsTo(bank, metrics)
  const begun = performance.now()
  const arrivals = await Promise.all(
    started.map((one, index) => loop(world, bank, one, { beginsAt: begun + (index * 1000) / loops, seconds })),
  )
  await pause(Math.max(0, begun + seconds * 1000 - performance.now()))
  const took = (performance.now() - begun) / 1000
  const after = await callsTo(bank, metrics)
  const orders = await ordersOf(
    world.havn,
    started.map(({ paymentId }) => paymentId),
  )
  return {
    ...agesOf(arrivals.flat(), orders),
    calls: perSigningAndSecond(before, after, loops * took),
  }
}

/** Reads when its time has come, not a second after it was answered; what is long past is not made up for. */
async function loop(
  world: SigningWorld,
  bank: NordicBank,
  { id, paymentId }: Started,
  { beginsAt, seconds }: { readonly beginsAt: number; readonly seconds: number },
): Promise<readonly Arrival[]> {
  const arrivals: Arrival[] = []
  for (let second = 0; second < seconds; second += 1) {
    const wait = beginsAt + second * 1000 - performance.now()
    if (wait < -LATE_MAX_MILLISECONDS) {
      continue
    }
    await pause(Math.max(0, wait))
    const { sca } = await world.read(bank, id)
    arrivals.push({ paymentId, at: wallMilliseconds(), qr: sca?.type === 'qr' ? sca : undefined })
  }
  return arrivals
}

function agesOf(arrivals: readonly Arrival[], orders: readonly Order[]): Omit<CodesFigures, 'calls'> {
  const draw = drawOnce()
  const told = arrivals.flatMap(({ qr, ...arrival }) => (qr === undefined ? [] : { ...arrival, qr }))
  const sinceItsSecond = told.map(({ paymentId, at, qr }) => {
    const own = orders.filter((order) => order.paymentId === paymentId)
    const shownFrom = own.flatMap((order) => shownFromBy(order, qr, at, draw) ?? [])[0]
    if (shownFrom === undefined) {
      throw new Error(`No order of payment ${paymentId} had this code in the last ${SECONDS_BACK_MAX} seconds`)
    }
    return at - shownFrom
  })
  return {
    sinceItsSecond,
    outdated: sinceItsSecond.map((age) => Math.max(0, age - SHOWN_MILLISECONDS)),
    relayed: told.map(
      ({ at, qr }) => at - (Temporal.Instant.from(qr.validUntil).epochMilliseconds - SHOWN_MILLISECONDS),
    ),
    without: arrivals.length - told.length,
  }
}

/** When the bank began to show it, by the order's beginning; the text tells its second, an image is drawn anew to be known. */
function shownFromBy(order: Order, qr: ScaQr, at: number, draw: (text: string) => string): number | undefined {
  const latest = Math.floor((at - order.begunAt) / 1000)
  for (let second = latest; second >= Math.max(0, latest - SECONDS_BACK_MAX); second -= 1) {
    const text = bankIdCode(order, second)
    if (qr.code === null ? qr.image === draw(text) : qr.code === text) {
      return order.begunAt + second * 1000
    }
  }
  return undefined
}

function drawOnce(): (text: string) => string {
  const images = new Map<string, string>()
  return (text) => {
    const image = images.get(text) ?? drawQrImage(text).toString('base64')
    images.set(text, image)
    return image
  }
}

/** A lapsed order is followed by another, so a payment may have several. */
async function ordersOf({ database }: RunningHavn, paymentIds: readonly string[]): Promise<readonly Order[]> {
  const { rows } = await database.pool.query<Order>(
    `select p.id as "paymentId", a.code_token as token, a.code_secret as secret,
       (extract(epoch from a.code_begun_at) * 1000)::float8 as "begunAt"
     from payments p join sandbox_bank.authorisations a on a.resource_id::text = p.bank_payment_id
     where p.id = any($1) and a.code_secret is not null`,
    [paymentIds],
  )
  return rows
}
