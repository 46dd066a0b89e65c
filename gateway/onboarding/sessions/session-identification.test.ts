/** Tests identification without a signature: a session shows more only once the right person has identified. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashToken, newId, newToken } from '../../platform/ids.ts'
import {
  type GatewayWithIdentity,
  type IdentityProviderUser,
  startGatewayWithIdentity,
} from '../../testing/identity/identity-provider-fixture.ts'
import { reopenAnswers, submitOnboarding } from '../answers/submit-onboarding.ts'
import type { OnboardingKey } from '../store/onboarding.ts'
import type { NamedSigner } from '../store/onboarding-answers.ts'
import { readAnswers } from '../store/onboarding-answers-store.ts'
import type { OnboardingSession } from '../store/onboarding-session.ts'
import { endSessions, findSession, insertSession, trustSession } from '../store/onboarding-session-store.ts'
import type { Signer } from '../store/onboarding-signer.ts'
import { findSigner, insertSigners, transitionSigner } from '../store/onboarding-signer-store.ts'
import { requireOnboarding } from '../store/onboarding-store.ts'
import { HOTEL, openOnboardingDriver, personOf } from '../testing/onboarding-driver.ts'
import { beginIdentification, finishIdentification } from './session-identification.ts'

/** A company of the sample registry whose owner signs alone, and another. */
const OWNED = { country: 'NO', organizationNumber: '987654406' } as const

let started: GatewayWithIdentity
let key: OnboardingKey
let signer: Signer
beforeAll(async () => {
  started = await startGatewayWithIdentity()
  const onboarder = openOnboardingDriver(started.gateway)
  key = await onboarder.start(OWNED)
  const [first] = await onboarder.submit(key)
  if (first === undefined) {
    throw new Error('Nobody signs')
  }
  signer = first
})
afterEach(() => started.identity.clearFaults())
afterAll(() => started.close())

/** A browser with the signer's link, or with the company's own. */
async function session(signerId: string | null, of = key): Promise<OnboardingSession> {
  const { clock, database } = started.gateway.context
  const expiresAt = clock.real().add({ hours: 1 })
  const begun = {
    partnerId: of.partnerId,
    id: newId(),
    onboardingId: of.id,
    signerId,
    tokenHash: hashToken(newToken()),
    trustedAt: null,
    expiresAt,
  }
  await insertSession(database, begun, clock.now())
  return begun
}

/** Redirects the browser of a session to the provider; returns the callback. */
async function sent(of: OnboardingSession, visitor: IdentityProviderUser): Promise<Record<string, string>> {
  const back = `${started.gateway.config.onboardingUrl}/onboarding/${key.partnerId}/${key.id}/identified`
  const begun = await beginIdentification(started.gateway.context, of, { back })
  if (begun.outcome !== 'begun') {
    throw new Error(begun.outcome)
  }
  const returned = await fetch((await started.identity.visit(begun.url, visitor)) ?? '', { redirect: 'manual' })
  const location = new URL(returned.headers.get('location') ?? '')
  expect(`${location.origin}${location.pathname}`).toBe(back)
  return Object.fromEntries(location.searchParams)
}

async function identify(of: OnboardingSession, visitor: IdentityProviderUser) {
  return await finishIdentification(started.gateway.context, of, await sent(of, visitor))
}

async function isTrusted(of: OnboardingSession): Promise<boolean> {
  const text = 'select trusted_at from onboarding_sessions where partner_id = $1 and id = $2'
  const { rows } = await started.gateway.context.database.pool.query(text, [of.partnerId, of.id])
  return rows[0]?.trusted_at != null
}

/** The signer at the provider. */
function theSigner({ name, birthDate } = signer): IdentityProviderUser {
  const words = name.split(' ')
  return { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '', birthDate }
}

const STRANGER: IdentityProviderUser = { given: 'Mallory', family: 'Uventet', birthDate: '1971-01-01' }

describe('a signer with a link of their own', () => {
  it('is admitted as the expected signer, and the identity is stored', async () => {
    const of = await session(signer.id)
    expect(await identify(of, theSigner())).toMatchObject({ outcome: 'identified' })
    expect(await isTrusted(of)).toBe(true)
    const stored = await findSigner(started.gateway.context, signer)
    expect(stored?.identified).toMatchObject({ birthDate: signer.birthDate })
    expect(stored?.status).toBe('Waiting')
  })

  it('gets a new token, and the previous one is invalid', async () => {
    const { clock, database } = started.gateway.context
    const of = await session(signer.id)
    const ended = await identify(of, theSigner())
    const tokenHash = hashToken(ended.outcome === 'identified' ? ended.token : '')
    expect(await findSession(database, { ...of, tokenHash }, clock.real())).toMatchObject({ id: of.id })
    expect(await findSession(database, of, clock.real())).toBeUndefined()
  })

  it('is not admitted by a session that ended meanwhile', async () => {
    const of = await session(signer.id)
    const query = await sent(of, theSigner())
    await endSessions(started.gateway.context.database, key, signer.id)
    expect(await finishIdentification(started.gateway.context, of, query)).toMatchObject({ outcome: 'foreign' })
  })

  it('is not admitted as another person, of whom nothing is stored', async () => {
    const of = await session(signer.id)
    expect(await identify(of, STRANGER)).toMatchObject({ outcome: 'other-person' })
    expect(await isTrusted(of)).toBe(false)
    expect(started.gateway.logLines().join('\n')).not.toContain('Mallory')
  })

  it('is not admitted after declining', async () => {
    const of = await session(signer.id)
    expect(await identify(of, { decision: 'reject' })).toMatchObject({ outcome: 'declined' })
    expect(await isTrusted(of)).toBe(false)
  })
})

describe('a person with the company’s own link', () => {
  it('is admitted as a signer or with a role, and not otherwise', async () => {
    const [one, other] = [await session(null), await session(null)]
    expect(await identify(one, theSigner())).toMatchObject({ outcome: 'identified' })
    expect(await identify(other, STRANGER)).toMatchObject({ outcome: 'other-person' })
    expect([await isTrusted(one), await isTrusted(other)]).toEqual([true, false])
  })
})

it('a person whose signature was revoked is not admitted by the company’s own link; until then the signature keeps its person', async () => {
  const { context } = started.gateway
  const named = { name: 'Mallory Uventet', birthDate: STRANGER.birthDate ?? '', role: null }
  const typed = {
    partnerId: key.partnerId,
    id: newId(),
    onboardingId: key.id,
    position: 9,
    named,
    createdAt: context.clock.now(),
  }
  await insertSigners(context, [typed])
  expect(await identify(await session(null), STRANGER)).toMatchObject({ outcome: 'identified' })
  const at = context.clock.now()
  const signed = { ...personOf(named), nationalId: '01817112345' }
  await transitionSigner(context, { ...typed, status: 'Waiting' }, { status: 'Signed', at, identified: signed })
  expect(await identify(await session(typed.id), STRANGER)).toMatchObject({ outcome: 'identified' })
  // Who has signed is never replaced.
  expect((await findSigner(context, typed))?.identified).toEqual(signed)
  await transitionSigner(context, { ...typed, status: 'Signed' }, { status: 'Revoked', at })
  const of = await session(null)
  expect(await identify(of, STRANGER)).toMatchObject({ outcome: 'other-person' })
  expect(await isTrusted(of)).toBe(false)
})

it('identification by the company’s link ends other sessions there that are not identified', async () => {
  const { clock, database } = started.gateway.context
  const [first, own, earlier, mine] = [
    await session(null),
    await session(signer.id),
    await session(null),
    await session(null),
  ]
  await trustSession(database, first, clock.now())
  await trustSession(database, own, clock.now())
  await identify(earlier, theSigner())
  await trustSession(database, first, clock.now())
  await identify(mine, theSigner())
  const trusted = await Promise.all([first, own, earlier, mine].map((one) => isTrusted(one)))
  expect(trusted).toEqual([false, true, true, true])
})

it('after a signer was removed, sessions of the company’s link identify again, but for the one that confirmed', async () => {
  const { context } = started.gateway
  const onboarder = openOnboardingDriver(started.gateway)
  const changed = await onboarder.start(HOTEL)
  const [first, second] = await onboarder.submit(changed)
  const confirming = await session(null, changed)
  const other = await session(null, changed)
  for (const one of [confirming, other]) {
    await identify(one, theSigner(first))
  }
  const confirm = async (signers: readonly (NamedSigner | undefined)[]) => {
    await reopenAnswers(context, 'company', changed)
    const chosen = signers.flatMap((one) => (one === undefined ? [] : [one]))
    const typed = { signers: chosen.map(({ name, birthDate, role }) => ({ name, birthDate, role })) }
    expect(await onboarder.save(changed, { section: 'Signers', typed })).toMatchObject({ outcome: 'saved' })
    const { revision } = await requireOnboarding(context.database, changed)
    expect(await submitOnboarding(context, changed, { revision }, confirming)).toEqual({ outcome: 'submitted' })
    return await Promise.all([confirming, other].map((one) => isTrusted(one)))
  }
  expect(await confirm([first, second])).toEqual([true, true])
  const { registered } = await readAnswers(context, changed)
  const director = registered?.roles.find(({ role }) => role === 'managing-director')?.person
  const name = `${director?.name.given} ${director?.name.family}`
  const replacement = { name, birthDate: director?.birthDate ?? '', role: 'managing-director' }
  expect(await confirm([replacement, second])).toEqual([true, false])
})

describe('a callback', () => {
  it('counts in the session that started it and in no other', async () => {
    const [mine, other] = [await session(signer.id), await session(signer.id)]
    const query = await sent(mine, theSigner())
    await sent(other, { decision: 'reject' })
    expect(await finishIdentification(started.gateway.context, other, query)).toMatchObject({ outcome: 'foreign' })
    expect(await finishIdentification(started.gateway.context, await session(signer.id), query)).toMatchObject({
      outcome: 'foreign',
    })
    expect([await isTrusted(mine), await isTrusted(other)]).toEqual([false, false])
    expect(await finishIdentification(started.gateway.context, mine, query)).toMatchObject({ outcome: 'identified' })
  })

  it('counts once', async () => {
    const of = await session(null)
    const query = await sent(of, STRANGER)
    expect(await finishIdentification(started.gateway.context, of, query)).toMatchObject({ outcome: 'other-person' })
    expect(await finishIdentification(started.gateway.context, of, query)).toMatchObject({ outcome: 'foreign' })
  })

  it('of an earlier attempt is replaced by a later one', async () => {
    const of = await session(signer.id)
    const earlier = await sent(of, theSigner())
    const later = await sent(of, theSigner())
    expect(await finishIdentification(started.gateway.context, of, earlier)).toMatchObject({ outcome: 'foreign' })
    expect(await finishIdentification(started.gateway.context, of, later)).toMatchObject({ outcome: 'identified' })
    expect(await finishIdentification(started.gateway.context, of, earlier)).toMatchObject({ outcome: 'foreign' })
  })

  it('with an invalid token proves nothing', async () => {
    const of = await session(signer.id)
    await started.identity.control('/faults', { effect: 'wrong-nonce', times: 1 })
    expect(await identify(of, theSigner())).toMatchObject({ outcome: 'not-proven' })
    expect(await isTrusted(of)).toBe(false)
  })

  it('can be repeated after the provider was unavailable', async () => {
    const of = await session(signer.id)
    const query = await sent(of, theSigner())
    await started.identity.control('/faults', { effect: 'unavailable', times: 1 })
    expect(await finishIdentification(started.gateway.context, of, query)).toMatchObject({ outcome: 'unavailable' })
    expect(await finishIdentification(started.gateway.context, of, query)).toMatchObject({ outcome: 'identified' })
  })
})

describe('the redirect URI of providers', () => {
  const back = (url: string) => `x.${Buffer.from(url).toString('base64url')}`

  it.each(['https://elsewhere.example/onboarding/1', 'javascript:alert(1)', '//elsewhere.example/signing/', ''])(
    'redirects to our own pages only: %s',
    async (url) => {
      const { baseUrl } = started.gateway.config
      for (const state of [back(url), url, back(`${baseUrl}.elsewhere.example/signing/`), back(`${baseUrl}/docs`)]) {
        const answer = await fetch(`${baseUrl}/identity/return?code=c&state=${encodeURIComponent(state)}`, {
          redirect: 'manual',
        })
        expect({ state, status: answer.status, to: answer.headers.get('location') }).toEqual({
          state,
          status: 404,
          to: null,
        })
      }
    },
  )

  it('passes on the parameters of the protocol, and nothing else', async () => {
    const { baseUrl } = started.gateway.config
    const state = back(`${baseUrl}/signing/a/b/return/c`)
    const answer = await fetch(`${baseUrl}/identity/return?code=c&code=d&error=e&refused=1&state=${state}`, {
      redirect: 'manual',
    })
    expect(answer.headers.get('location')).toBe(`${baseUrl}/signing/a/b/return/c?state=${state}&error=e`)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  })
})
