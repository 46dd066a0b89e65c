/** Measures each SCA approach: the delay from the bank's confirmation to the redirect to the partner. */
import { setTimeout as pause } from 'node:timers/promises'
import { type ScaSessionRequest, startScaSession } from '../../gateway/authorisations/start-sca-session.ts'
import { approvalScaSubject } from '../../gateway/orders/sign/approval-sca-subject.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { type Browser, openBrowser } from '../../gateway/testing/browser/bank-user.ts'
import { CALLBACK } from '../../gateway/testing/payments/sample-payments.ts'
import type { Recorder } from '../webhooks/webhook-endpoints.ts'
import { authorisationOf, type ScaFixture } from './sca-fixture.ts'

export const SCA_JOURNEYS = ['atOnce', 'waiting', 'inApp', 'byCode'] as const
export type ScaJourney = (typeof SCA_JOURNEYS)[number]

/** The context of the SCA runs; the recorder is for what partners cannot request over HTTP. */
export type ScaBench = { readonly fixture: ScaFixture; readonly recorder: Recorder }

export type UserLoad = { readonly count: number; readonly atATime: number }

const FJORD = nordicBank('FJORNO22')
const KATTEGAT = nordicBank('KATTDK22')
const VASA = nordicBank('VASASESS')

/** Users take half a second plus up to this time, so that no two of them are synchronous. */
const THINK_MILLISECONDS = 3_000
const THINK_LEAST_MILLISECONDS = 500

/** In milliseconds, one per user. Users come in groups: signing starts when the whole group is ready to sign. */
export async function measureReturnDelays(
  bench: ScaBench,
  way: ScaJourney,
  { count, atATime }: UserLoad,
): Promise<readonly number[]> {
  const delays: number[] = []
  while (delays.length < count) {
    const crowd = Array.from(
      { length: Math.min(atATime, count - delays.length) },
      (_, number) => delays.length + number,
    )
    const ready = await Promise.all(crowd.map(() => openJourney[way](bench)))
    delays.push(
      ...(await Promise.all(
        ready.map((user, index) => measureReturnDelay(bench.fixture, user, thinkTime(crowd[index]))),
      )),
    )
  }
  return delays
}

function thinkTime(number = 0): number {
  return ((number * 7919) % THINK_MILLISECONDS) + THINK_LEAST_MILLISECONDS
}

/** A user who is ready to sign. */
type Ready = {
  readonly browser: Browser
  readonly authorisationId: string
  readonly userId: string
  /** The URL that the browser polls. */
  readonly address: string
  /** Whether it has been redirected before the bank's confirmation. */
  readonly isThere: boolean
}

async function measureReturnDelay(fixture: ScaFixture, user: Ready, think: number): Promise<number> {
  const sentOn = () => reloadUntilRedirected(user.browser, user.address, CALLBACK)
  const decide = () => pause(think).then(() => sign(fixture, user.authorisationId, user.userId))
  if (user.isThere) {
    const [arrived, finalised] = await Promise.all([sentOn(), decide()])
    return arrived - finalised
  }
  const finalised = await decide()
  return (await sentOn()) - finalised
}

const openJourney: Readonly<Record<ScaJourney, (bench: ScaBench) => Promise<Ready>>> = {
  atOnce: async ({ fixture }) => await openBankJourney(fixture, { isThere: false }),
  waiting: async ({ fixture }) => await openBankJourney(fixture, { isThere: true }),
  inApp: async ({ fixture }) =>
    await openAppJourney(fixture, await linkToPayment(fixture, KATTEGAT), KATTEGAT.users[0]),
  byCode: async (bench) => await openAppJourney(bench.fixture, await linkToCode(bench), VASA.users[0]),
}

async function openBankJourney(fixture: ScaFixture, { isThere }: Pick<Ready, 'isThere'>): Promise<Ready> {
  const { browser, link } = await startJourney(await linkToPayment(fixture, FJORD))
  const { id, back } = await authorisationOf(fixture.havn, link)
  return { browser, authorisationId: id, userId: FJORD.users[0], address: back, isThere }
}

/** The page is open and polls while the user signs in the app. */
async function openAppJourney(fixture: ScaFixture, address: string, userId: string): Promise<Ready> {
  const { browser, link, sentTo } = await startJourney(address)
  const { id } = await authorisationOf(fixture.havn, link)
  return { browser, authorisationId: id, userId, address: sentTo, isThere: true }
}

/** The bank's confirmation is final when it has responded: by then it is in its database. */
async function sign({ control }: ScaFixture, authorisationId: string, userId: string): Promise<number> {
  await control.postControl(`/authorisations/${authorisationId}/sign`, { userId })
  return performance.now()
}

type StartedJourney = { readonly browser: Browser; readonly link: string; readonly sentTo: string }

/** Follows the link to the SCA page and continues. */
async function startJourney(link: string): Promise<StartedJourney> {
  const browser = openBrowser()
  await browser.get(link)
  return { browser, link, sentTo: await browser.post(link, {}) }
}

async function linkToPayment(fixture: ScaFixture, bank: typeof FJORD): Promise<string> {
  const { sca } = await fixture.approveNew(bank)
  if (sca?.type !== 'redirect') {
    throw new Error(`${bank.bic} gave no link`)
  }
  return sca.url
}

/** The hosted page for partners who cannot show a code; until partners can request it, it is prepared here. */
async function linkToCode({ fixture, recorder: { context } }: ScaBench): Promise<string> {
  const { bic } = VASA
  const { id: subjectId, paymentId } = await fixture.approveNew(VASA)
  const { rows } = await fixture.havn.database.pool.query<{ partnerId: string; consentId: string }>(
    'select partner_id as "partnerId", consent_id as "consentId" from payments where id = $1',
    [paymentId],
  )
  const { partnerId = '', consentId = '' } = rows[0] ?? {}
  const request: ScaSessionRequest = {
    ...{ partnerId, kind: 'approval', subjectId, consentId, bic, callbackUrl: CALLBACK },
    expiresAt: context.clock.now().add({ minutes: 10 }),
    psu: null,
    userId: null,
    preferred: 'qr',
    codeForPartner: false,
    steps: [{ targetType: 'payment', targetId: paymentId, shown: [] }],
  }
  const { url } = await startScaSession(context, approvalScaSubject, request, async () => true)
  return new URL(new URL(url).pathname, fixture.havn.url).href
}

const REDIRECT_TIMEOUT_MILLISECONDS = 60_000
const IMAGE = /<img class="code" src="([^"]+)"/

/** Resolves with the moment of the redirect to the partner; any error response ends the bench. */
async function reloadUntilRedirected(browser: Browser, address: string, callbackUrl: string): Promise<number> {
  const until = performance.now() + REDIRECT_TIMEOUT_MILLISECONDS
  let at = address
  while (performance.now() < until) {
    const response = await browser.ask(at)
    const location = response.headers.get('location')
    const now = performance.now()
    const page = await response.text()
    if (location?.startsWith(callbackUrl)) {
      requireSuccess(location)
      return now
    }
    if (location === null) {
      await reload(browser, at, { page, status: response.status, refresh: response.headers.get('refresh') })
    } else {
      at = new URL(location, at).href
    }
  }
  throw new Error(`Nobody was sent on from ${address}`)
}

type Shown = { readonly page: string; readonly status: number; readonly refresh: string | null }

/** Browsers count from when everything is loaded, including the image of a code. */
async function reload(browser: Browser, address: string, { page, status, refresh }: Shown): Promise<void> {
  if (refresh === null) {
    throw new Error(`${address} answered ${status} and a page that looks no more`)
  }
  const [, image] = IMAGE.exec(page) ?? []
  if (image !== undefined) {
    await (await browser.ask(new URL(image, address).href)).arrayBuffer()
  }
  await pause(Number(refresh) * 1000)
}

function requireSuccess(location: string): void {
  if (new URL(location).searchParams.get('status') !== 'success') {
    throw new Error(`A user who had signed was sent to ${location}`)
  }
}
