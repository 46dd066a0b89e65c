/** Tests signing an onboarding at an identity provider: only the expected person signs, once, in spite of crashes. */
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import { refreshScaSession } from '../../authorisations/refresh-sca-session.ts'
import { currentScaStep, type ScaSession } from '../../authorisations/sca-session.ts'
import { recordReturnedBrowser } from '../../authorisations/store/callback-store.ts'
import { type Browser, openBrowser } from '../../testing/browser/bank-user.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import type { TestGateway } from '../../testing/gateway/test-gateway.ts'
import {
  type GatewayWithIdentity,
  type IdentityProviderFixture,
  type IdentityProviderUser,
  startGatewayWithIdentity,
} from '../../testing/identity/identity-provider-fixture.ts'
import type { OnboardingKey } from '../store/onboarding.ts'
import { deleteAnswers } from '../store/onboarding-answers-store.ts'
import { findLatestRejection } from '../store/onboarding-signature-store.ts'
import { type Signer, signerSecretPurpose } from '../store/onboarding-signer.ts'
import { HOTEL, openOnboardingDriver, personOf } from '../testing/onboarding-driver.ts'
import { beginSignature } from './begin-signature.ts'
import { onboardingScaSubject } from './onboarding-sca-subject.ts'
import { recordSignature } from './record-signature.ts'

const CALLBACK = 'http://127.0.0.1:9/onboarding/back'

let started: GatewayWithIdentity
let gateway: TestGateway
let identity: IdentityProviderFixture
let onboarder: ReturnType<typeof openOnboardingDriver>
beforeAll(async () => {
  started = await startGatewayWithIdentity()
  ;({ gateway, identity } = started)
  onboarder = openOnboardingDriver(gateway)
})
afterEach(async () => {
  await identity.clearFaults()
  // The next onboarding of the same company starts without state.
  await gateway.context.database.pool.query(
    "update onboardings set status = 'Cancelled', due_at = null where status not in ('Accepted', 'Rejected', 'Cancelled', 'Expired')",
  )
})
afterAll(() => started.close())

type Begun = {
  readonly key: OnboardingKey
  readonly signers: readonly Signer[]
  readonly signer: Signer
  readonly link: string
}

/** An onboarding whose summary is confirmed; the first signer has a link. */
async function begun(): Promise<Begun> {
  const key = await onboarder.start(HOTEL)
  const signers = await onboarder.submit(key)
  const [signer] = signers
  if (signer === undefined) {
    throw new Error('Nobody signs')
  }
  return { key, signers, signer, link: await linkFor(signer) }
}

async function linkFor(signer: Signer): Promise<string> {
  const requested = await beginSignature(gateway.context, signer, { callbackUrl: CALLBACK })
  if (requested.outcome !== 'begun') {
    throw new Error(requested.outcome)
  }
  return requested.url
}

/** The signer as a person at the provider. */
function as({ name, birthDate }: Pick<Signer, 'name' | 'birthDate'>): IdentityProviderUser {
  const words = name.split(' ')
  return { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '', birthDate }
}

/** From our link to the provider and its final redirect. */
async function signs(link: string, visitor: IdentityProviderUser, browser: Browser = openBrowser()): Promise<string> {
  await browser.get(link)
  const back = await identity.visit(await browser.post(link, {}), visitor)
  return (await browser.follow(back ?? link)).href
}

async function statusOf({ partnerId, id }: Pick<Signer, 'partnerId' | 'id'>): Promise<string | undefined> {
  const { rows } = await gateway.context.database.pool.query<{ status: string }>(
    'select status from onboarding_signers where partner_id = $1 and id = $2',
    [partnerId, id],
  )
  return rows[0]?.status
}

async function signingOf({ partnerId, id }: Signer): Promise<ScaSession> {
  const signing = await findLatestScaSession(gateway.context, { partnerId, kind: 'onboarding', subjectId: id })
  if (signing === undefined) {
    throw new Error('Nothing is being signed')
  }
  return signing
}

describe('a signer who identifies as the expected person', () => {
  it('has signed, and all evidence is stored, encrypted', async () => {
    const { signer, link } = await begun()
    expect(await signs(link, as(signer))).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(signer)).toBe('Signed')
    const { rows } = await gateway.context.database.pool.query(
      'select identified_sealed, evidence_sealed, document_hash from onboarding_signers s join onboardings o on o.id = s.onboarding_id where s.id = $1',
      [signer.id],
    )
    const open = (sealed: Buffer, what: 'identified' | 'evidence') =>
      gateway.context.seal.open(sealed, signerSecretPurpose(what, signer))
    expect(JSON.parse(open(rows[0].identified_sealed, 'identified'))).toMatchObject({ birthDate: signer.birthDate })
    const claims = decodeJwt(open(rows[0].evidence_sealed, 'evidence'))
    expect(String(claims['nonce']).split('.')[1]).toBe(rows[0].document_hash)
  })

  it('completes the onboarding once all have signed', async () => {
    const { key, signers } = await begun()
    for (const signer of signers) {
      expect(await signs(await linkFor(signer), as(signer))).toBe(`${CALLBACK}?status=success`)
    }
    expect((await onboarder.status(key)).status).toBe('Accepted')
    const { rows } = await gateway.context.database.pool.query(
      'delete from companies where onboarding_id = $1 returning id',
      [key.id],
    )
    expect(rows).toHaveLength(1)
  })

  it('is shown the company, the terms and the fingerprint, and no personal data', async () => {
    const { key, signer, link } = await begun()
    const page = await openBrowser().get(link)
    expect(page).toContain('Sign for a company')
    expect(page).toContain('Continue to BankID')
    expect(page).toContain('SHA-256')
    expect(page).not.toContain(signer.name)
    expect(JSON.stringify((await signingOf(signer)).steps[0]?.shown)).not.toContain(signer.name)
    // The link may be opened again after the retention.
    await deleteAnswers(gateway.context, key)
    expect(await openBrowser().get(link)).toContain('Continue to BankID')
  })
})

describe('a signature is rejected', () => {
  it('when another person identifies, of whom nothing is stored', async () => {
    const { signer, link } = await begun()
    const other = { given: 'Mallory', family: 'Uventet', birthDate: signer.birthDate }
    expect(await signs(link, other)).toBe(`${CALLBACK}?status=rejected`)
    expect(await statusOf(signer)).toBe('Waiting')
    expect(await findLatestRejection(gateway.context.database, signer)).toBe('other-person')
    const { rows } = await gateway.context.database.pool.query(
      'select proof_sealed from onboarding_signatures where signer_id = $1',
      [signer.id],
    )
    expect(rows).toEqual([{ proof_sealed: null }])
    expect(gateway.logLines().join('\n')).not.toContain('Mallory')
    // The expected person may still sign.
    expect(await signs(await linkFor(signer), as(signer))).toBe(`${CALLBACK}?status=success`)
    expect(await findLatestRejection(gateway.context.database, signer)).toBeNull()
  })

  it('when the person declines', async () => {
    const { signer, link } = await begun()
    expect(await signs(link, { decision: 'reject' })).toBe(`${CALLBACK}?status=rejected`)
    expect(await findLatestRejection(gateway.context.database, signer)).toBe('declined')
    expect(await statusOf(signer)).toBe('Waiting')
  })

  it.each(['wrong-nonce', 'unsigned', 'expired-token'])('when the provider returns no proof (%s)', async (effect) => {
    const { signer, link } = await begun()
    await identity.control('/faults', { effect, times: 1 })
    expect(await signs(link, as(signer))).toBe(`${CALLBACK}?status=rejected`)
    expect(await findLatestRejection(gateway.context.database, signer)).toBe('not-proven')
    expect(await statusOf(signer)).toBe('Waiting')
  })
})

it('when the same person signs for two signers', async () => {
  const { signer, signers } = await begun()
  const [, second] = signers
  if (second === undefined) {
    throw new Error('Two were to sign')
  }
  const duplicate = personOf(signer)
  const act = (nationalId: string | null) =>
    ({ did: 'sign', identified: { ...duplicate, nationalId }, evidence: 'signed word' }) as const
  expect(await recordSignature(gateway.context, signer, act('01815012345'))).toBe(true)
  expect(await recordSignature(gateway.context, second, act('01815012345'))).toBe(false)
  expect(await recordSignature(gateway.context, second, act(null))).toBe(false)
  expect(await statusOf(second)).toBe('Waiting')
  // Two operators may share a name and a birth date; a national id, never.
  expect(await recordSignature(gateway.context, second, act('02825054321'))).toBe(true)
})

describe('a signer who', () => {
  it('leaves the provider’s page has not signed when the time is over', async () => {
    const { signer, link } = await begun()
    const browser = openBrowser()
    await browser.get(link)
    expect(await identity.visit(await browser.post(link, {}), { decision: 'leave' })).toBeNull()
    expect((await signingOf(signer)).status).toBe('left')
    await passTime(gateway, 'PT11M')
    expect(await signingOf(signer)).toMatchObject({ status: 'ended', outcome: 'cancelled' })
    expect(await statusOf(signer)).toBe('Waiting')
  })

  it('goes back before the provider’s page has not signed', async () => {
    const { signer, link } = await begun()
    expect(await openBrowser().post(`${link}/leave`, {})).toBe(`${CALLBACK}?status=cancelled`)
    expect(await statusOf(signer)).toBe('Waiting')
  })

  it('signs twice, in two windows, signs once', async () => {
    const { signer, link } = await begun()
    const second = await linkFor(signer)
    const ends = await Promise.all([signs(link, as(signer)), signs(second, as(signer))])
    expect(ends).toEqual([`${CALLBACK}?status=success`, `${CALLBACK}?status=success`])
    expect(await statusOf(signer)).toBe('Signed')
    expect(await beginSignature(gateway.context, signer, { callbackUrl: CALLBACK })).toEqual({ outcome: 'closed' })
  })

  it('returns with the callback of another signature changes nothing by it', async () => {
    const { signer, link } = await begun()
    const [mine, other] = [openBrowser(), openBrowser()]
    const second = await linkFor(signer)
    await mine.get(link)
    await other.get(second)
    const [atMine, atOther] = [await mine.post(link, {}), await other.post(second, {})]
    const foreign = new URL((await identity.visit(atOther, as(signer))) ?? '')
    const own = new URL((await identity.visit(atMine, as(signer))) ?? '')
    foreign.searchParams.set('state', own.searchParams.get('state') ?? '')
    const page = await (await mine.ask((await mine.follow(foreign.href)).href)).text()
    expect(page).toContain('Waiting for BankID')
    expect(await statusOf(signer)).toBe('Waiting')
  })
})

describe('a signature that returns in another browser than the one that started it', () => {
  /** Another person starts the redirect and mails its URL to the signer, who never saw a page of ours. */
  async function mailed() {
    const { signer, link } = await begun()
    const stranger = openBrowser()
    await stranger.get(link)
    const address = await stranger.post(link, {})
    const theirs = openBrowser()
    const back = (await identity.visit(address, as(signer))) ?? ''
    const place = (await theirs.follow(back)).href
    return { signer, stranger, theirs, place, page: await theirs.get(place) }
  }

  it('waits for the confirmation of the signer, who is shown what is signed', async () => {
    const { signer, theirs, place, page } = await mailed()
    expect(page).toContain('Did you start this')
    expect(page).toContain('SHA-256')
    expect(page).toContain('Havblikk Hotell AS')
    expect(page).not.toContain('access to accounts')
    await gateway.client.moveSandboxClock({ body: { advance: 'PT1M' } })
    expect(await statusOf(signer)).toBe('Waiting')
    const { origin, pathname } = new URL(place)
    expect(await theirs.post(`${origin}${pathname}/confirm`, {})).toBe(`${CALLBACK}?status=success`)
    expect(await statusOf(signer)).toBe('Signed')
  })

  it('is rejected when they decline, and nothing of it is stored', async () => {
    const { signer, theirs, place } = await mailed()
    const { origin, pathname } = new URL(place)
    expect(await theirs.post(`${origin}${pathname}/refuse`, {})).toBe(`${CALLBACK}?status=rejected`)
    await gateway.sweep()
    expect(await statusOf(signer)).toBe('Waiting')
    const text = 'select proof_sealed from onboarding_signatures where signer_id = $1'
    expect((await gateway.context.database.pool.query(text, [signer.id])).rows).toEqual([{ proof_sealed: null }])
  })

  it('expires without a confirmation in time, and another person cannot confirm', async () => {
    const { signer, stranger, place } = await mailed()
    const { origin, pathname } = new URL(place)
    expect((await stranger.ask(`${origin}${pathname}/confirm`, {})).status).toBe(410)
    await passTime(gateway, 'PT11M')
    expect(await signingOf(signer)).toMatchObject({ status: 'ended', outcome: 'cancelled' })
    expect(await statusOf(signer)).toBe('Waiting')
  })
})

describe('an unavailable provider', () => {
  it('has a friendly page, and the same link continues', async () => {
    const { signer, link } = await begun()
    const browser = openBrowser()
    await browser.get(link)
    await identity.control('/faults', { effect: 'down' })
    // A process that has the provider's metadata does not request it again.
    const fresh = await browser
      .ask(link, {})
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
    if (fresh.status !== 303) {
      expect(fresh).toMatchObject({ status: 503, text: expect.stringContaining('BankID does not answer') })
    }
    await identity.clearFaults()
    expect(await signs(link, as(signer), browser)).toBe(`${CALLBACK}?status=success`)
  })

  it('has the returning browser wait, and the same callback counts when it is available again', async () => {
    const { signer, link } = await begun()
    const browser = openBrowser()
    await browser.get(link)
    const back = (await identity.visit(await browser.post(link, {}), as(signer))) ?? ''
    await identity.control('/faults', { effect: 'unavailable', times: 1 })
    const waiting = (await browser.follow(back)).href
    expect(await statusOf(signer)).toBe('Waiting')
    await gateway.context.database.pool.query(
      "update sca_steps set returned_at = returned_at - interval '1 second' where target_id = $1",
      [signer.id],
    )
    expect((await browser.follow(waiting)).href).toBe(`${CALLBACK}?status=success`)
  })
})

describe('a process that crashes', () => {
  it('after the provider has responded leaves a signature that a sweep records, once', async () => {
    const { signer, link } = await begun()
    const browser = openBrowser()
    await browser.get(link)
    const back = new URL((await identity.visit(await browser.post(link, {}), as(signer))) ?? '')
    const signing = await signingOf(signer)
    const step = currentScaStep(signing)
    const authorisationId = step?.authorisationId ?? ''
    const query = Object.fromEntries(back.searchParams)
    const returnSecret = gateway.context.seal.open(
      step?.returnSecretSealed ?? Buffer.alloc(0),
      `signing return secret ${signing.id}`,
    )
    const nowhere = { success: '', failure: '', notification: '' }
    const kind = onboardingScaSubject(gateway.context)
    if (step === undefined) {
      throw new Error('No step')
    }
    // Only the provider's response is stored; no module is notified yet.
    expect(
      await kind.complete(
        gateway.context,
        signing,
        { ...step, authorisationId },
        { query, returnSecret, back: nowhere },
      ),
    ).toBe(true)
    expect(await statusOf(signer)).toBe('Waiting')
    // So is that its browser is the one that left: otherwise the sweep would require the user's confirmation.
    const trust = { trustedBy: 'return', trustedAt: gateway.context.clock.real() } as const
    await recordReturnedBrowser(gateway.context.database, signing, step.position, trust)
    await gateway.client.moveSandboxClock({ body: { advance: 'PT40S' } })
    expect(await signingOf(signer)).toMatchObject({ status: 'ended', outcome: 'success' })
    expect(await statusOf(signer)).toBe('Signed')
    const { rows } = await gateway.context.database.pool.query(
      'select signed_at from onboarding_signers where id = $1',
      [signer.id],
    )
    // Notifying it again, as after a crash, changes nothing.
    const ended = await signingOf(signer)
    expect(await kind.ended(gateway.context, ended, 'success')).toBe('success')
    expect(
      (await gateway.context.database.pool.query('select signed_at from onboarding_signers where id = $1', [signer.id]))
        .rows,
    ).toEqual(rows)
    expect(await refreshScaSession(gateway.context, kind, ended)).toMatchObject({ at: 'end', outcome: 'success' })
  })
})
