/** Measures QR codes that partners show: their age on arrival, and the bank calls they cost. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ScaQr } from '../../contract/sca.ts'
import { wallMilliseconds } from '../../gateway/platform/clock.ts'
import { renderQrImage } from '../../gateway/platform/render-qr-image.ts'
import type { NordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { bankIdCode } from '../../sandbox/bank/authorisations/app-code.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { perSessionAndSecond, type ScaCallFigures, type ScaFixture, type Started, scaCallsTo } from './sca-fixture.ts'

export type QrCodePlan = { readonly loops: number; readonly seconds: number }

/** One value per received code, in milliseconds. */
export type QrCodeFigures = {
  /** How long before its arrival the bank had replaced it; 0 while it is still current. */
  readonly outdated: readonly number[]
  /** Since the gateway received it from the bank, by its `validUntil`. */
  readonly relayed: readonly number[]
  /** Since the start of the second for which the bank shows it. */
  readonly sinceItsSecond: readonly number[]
  /** Reads without a code. */
  readonly without: number
  /** Each per session and second. */
  readonly calls: ScaCallFigures
}

/** A code that was received. */
type Arrival = { readonly paymentId: string; readonly at: number; readonly qr: ScaQr | undefined }

/** An order in the bank's database. */
type Order = {
  readonly paymentId: string
  readonly token: string
  readonly secret: string
  /** Milliseconds of wall time. */
  readonly begunAt: number
}

/** The bank shows each code for one second. */
const SHOWN_MILLISECONDS = 1_000
/** Maximum age of a code for which it is matched. */
const SECONDS_BACK_MAX = 10
/** An approval may be read at most twice a second. */
const LATE_MAX_MILLISECONDS = 500

/** Concurrent approvals by code at one bank, each polled once a second. */
export async function measureQrCodes(
  fixture: ScaFixture,
  bank: NordicBank,
  { loops, seconds }: QrCodePlan,
): Promise<QrCodeFigures> {
  const started = await Promise.all(Array.from({ length: loops }, () => fixture.approveNew(bank, 'Qr')))
  const before = await scaCallsTo(bank, fixture.havn)
  const begun = performance.now()
  const arrivals = await Promise.all(
    started.map((one, index) => loop(fixture, bank, one, { beginsAt: begun + (index * 1000) / loops, seconds })),
  )
  await pause(Math.max(0, begun + seconds * 1000 - performance.now()))
  const took = (performance.now() - begun) / 1000
  const after = await scaCallsTo(bank, fixture.havn)
  const orders = await ordersOf(
    fixture.havn,
    started.map(({ paymentId }) => paymentId),
  )
  return {
    ...agesOf(arrivals.flat(), orders),
    calls: perSessionAndSecond(before, after, loops * took),
  }
}

/** Reads on schedule rather than a second after the last response; missed reads are skipped. */
async function loop(
  fixture: ScaFixture,
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
    const { sca } = await fixture.read(bank, id)
    arrivals.push({ paymentId, at: wallMilliseconds(), qr: sca?.type === 'qr' ? sca : undefined })
  }
  return arrivals
}

function agesOf(arrivals: readonly Arrival[], orders: readonly Order[]): Omit<QrCodeFigures, 'calls'> {
  const draw = drawOnce()
  const reported = arrivals.flatMap(({ qr, ...arrival }) => (qr === undefined ? [] : { ...arrival, qr }))
  const sinceItsSecond = reported.map(({ paymentId, at, qr }) => {
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
    relayed: reported.map(
      ({ at, qr }) => at - (Temporal.Instant.from(qr.validUntil).epochMilliseconds - SHOWN_MILLISECONDS),
    ),
    without: arrivals.length - reported.length,
  }
}

/** When the bank began to show a code: a text contains its second, an image is compared with rendered ones. */
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
    const image = images.get(text) ?? renderQrImage(text).toString('base64')
    images.set(text, image)
    return image
  }
}

/** An expired order is followed by another, so a payment may have several. */
async function ordersOf({ database }: RunningHavn, paymentIds: readonly string[]): Promise<readonly Order[]> {
  const { rows } = await database.pool.query<Order>(
    `select p.id as "paymentId", a.code_token as token, a.code_secret as secret,
       (extract(epoch from a.code_issued_at) * 1000)::float8 as "begunAt"
     from payments p join sandbox_bank.authorisations a on a.resource_id::text = p.bank_payment_id
     where p.id = any($1) and a.code_secret is not null`,
    [paymentIds],
  )
  return rows
}
