/** Measures each way of signing: how soon the browser is sent to the partner once the bank has said that it is signed. */
import { setTimeout as pause } from 'node:timers/promises'
import { approvalSigning } from '../../gateway/approvals/approval-signing.ts'
import { keepSigning, prepareSigning } from '../../gateway/signing/prepare-signing.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { type Browser, openBrowser } from '../../gateway/testing/browser/bank-user.ts'
import { CALLBACK } from '../../gateway/testing/payments/sample-payments.ts'
import type { Recorder } from '../webhooks/webhook-subscribers.ts'
import { untilSentOn } from './polling-browser.ts'
import { authorisationOf, type SigningWorld } from './sca-fixture.ts'

export const WAYS = ['atOnce', 'waiting', 'inApp', 'byCode'] as const
export type Way = (typeof WAYS)[number]

/** What the ways are gone in; the recorder is for what no partner can ask for over HTTP. */
export type SigningBench = { readonly world: SigningWorld; readonly recorder: Recorder }

export type Crowd = { readonly count: number; readonly atATime: number }

const FJORD = nordicBank('FJORNO22')
const KATTEGAT = nordicBank('KATTDK22')
const VASA = nordicBank('VASASESS')

/** Users take between half a second and this much more; no two journeys are in step. */
const THINK_MILLISECONDS = 3_000
const THINK_LEAST_MILLISECONDS = 500

/** In milliseconds, one for each user. So many come at a time; until all of them are about to sign, nobody does. */
export async function delaysOf(bench: SigningBench, way: Way, { count, atATime }: Crowd): Promise<readonly number[]> {
  const delays: number[] = []
  while (delays.length < count) {
    const crowd = Array.from(
      { length: Math.min(atATime, count - delays.length) },
      (_, number) => delays.length + number,
    )
    const ready = await Promise.all(crowd.map(() => ways[way](bench)))
    delays.push(...(await Promise.all(ready.map((user, index) => delayOf(bench.world, user, thinking(crowd[index]))))))
  }
  return delays
}

function thinking(number = 0): number {
  return ((number * 7919) % THINK_MILLISECONDS) + THINK_LEAST_MILLISECONDS
}

/** A user who is about to sign. */
type Ready = {
  readonly browser: Browser
  readonly authorisationId: string
  readonly userId: string
  /** Where the browser asks how it stands. */
  readonly address: string
  /** Whether it is there already, before the bank has said anything. */
  readonly isThere: boolean
}

async function delayOf(world: SigningWorld, user: Ready, think: number): Promise<number> {
  const sentOn = () => untilSentOn(user.browser, user.address, CALLBACK)
  const decide = () => pause(think).then(() => sign(world, user.authorisationId, user.userId))
  if (user.isThere) {
    const [arrived, finalised] = await Promise.all([sentOn(), decide()])
    return arrived - finalised
  }
  const finalised = await decide()
  return (await sentOn()) - finalised
}

const ways: Readonly<Record<Way, (bench: SigningBench) => Promise<Ready>>> = {
  atOnce: async ({ world }) => await throughBank(world, { isThere: false }),
  waiting: async ({ world }) => await throughBank(world, { isThere: true }),
  inApp: async ({ world }) => await onAppPage(world, await linkToPayment(world, KATTEGAT), KATTEGAT.users[0]),
  byCode: async (bench) => await onAppPage(bench.world, await linkToCode(bench), VASA.users[0]),
}

async function throughBank(world: SigningWorld, { isThere }: Pick<Ready, 'isThere'>): Promise<Ready> {
  const { browser, link } = await onTheWay(await linkToPayment(world, FJORD))
  const { id, back } = await authorisationOf(world.havn, link)
  return { browser, authorisationId: id, userId: FJORD.users[0], address: back, isThere }
}

/** The page is open, and looks again and again, while the user signs somewhere else. */
async function onAppPage(world: SigningWorld, address: string, userId: string): Promise<Ready> {
  const { browser, link, sentTo } = await onTheWay(address)
  const { id } = await authorisationOf(world.havn, link)
  return { browser, authorisationId: id, userId, address: sentTo, isThere: true }
}

/** The bank's word is out when it has answered: by then it is in its books. */
async function sign({ control }: SigningWorld, authorisationId: string, userId: string): Promise<number> {
  await control.tell(`/authorisations/${authorisationId}/sign`, { userId })
  return performance.now()
}

type OnTheWay = { readonly browser: Browser; readonly link: string; readonly sentTo: string }

/** Reads what is to be signed, and goes on. */
async function onTheWay(link: string): Promise<OnTheWay> {
  const browser = openBrowser()
  await browser.get(link)
  return { browser, link, sentTo: await browser.post(link, {}) }
}

async function linkToPayment(world: SigningWorld, bank: typeof FJORD): Promise<string> {
  const { sca } = await world.approve(bank)
  if (sca?.type !== 'redirect') {
    throw new Error(`${bank.bic} gave no link`)
  }
  return sca.url
}

/** A code on our page is for rooms whose partners can show none; until one asks for that, it is prepared as they will. */
async function linkToCode({ world, recorder: { context } }: SigningBench): Promise<string> {
  const { bic } = VASA
  const { id: subjectId, paymentId } = await world.approve(VASA)
  const { rows } = await world.havn.database.pool.query<{ partnerId: string; consentId: string }>(
    'select partner_id as "partnerId", consent_id as "consentId" from payments where id = $1',
    [paymentId],
  )
  const { partnerId = '', consentId = '' } = rows[0] ?? {}
  const prepared = await prepareSigning(context, approvalSigning(), {
    ...{ partnerId, kind: 'approval', subjectId, consentId, bic, callbackUrl: CALLBACK },
    expiresAt: context.clock.now().add({ minutes: 10 }),
    psu: null,
    userId: null,
    preferred: 'qr',
    codeForPartner: false,
    steps: [{ targetType: 'payment', targetId: paymentId, shown: [] }],
  })
  await context.database.query.transaction().execute((transaction) => keepSigning(transaction, prepared))
  return new URL(new URL(prepared.url).pathname, world.havn.url).href
}
