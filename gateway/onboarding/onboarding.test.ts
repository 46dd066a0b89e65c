/** Tests every state of an onboarding and every transition between them, by actions of a partner and of a company. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Onboarding as OnboardingShown, OnboardingStatus } from '../../contract/onboarding.ts'
import { randomCases } from '../../setup/random-cases.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { reopenAnswers } from './answers/submit-onboarding.ts'
import { cancelOnboarding } from './cancel-onboarding.ts'
import { decideOnboarding } from './decision/decide-onboarding.ts'
import { reviewOnboarding } from './decision/review-onboarding.ts'
import { completeDocuments, uploadDocument } from './documents/upload-document.ts'
import { openOnboarding } from './open-onboarding.ts'
import {
  isAllowedTransition,
  isOpen,
  type OnboardingKey,
  onboardingTransitions,
  reasonsByStatus,
} from './store/onboarding.ts'
import { readAnswers } from './store/onboarding-answers-store.ts'
import { DOCUMENTS_MAX } from './store/onboarding-document.ts'
import { lockOnboarding, transitionOnboarding } from './store/onboarding-store.ts'
import { BAKERY, HOTEL, openOnboardingDriver, SHIPPING } from './testing/onboarding-driver.ts'

const CALLBACK = 'http://127.0.0.1:3000/back'
const OPERATOR = 'operator Ada'
const PDF = { name: 'vedtekter.pdf', content: Buffer.from('%PDF-1.7\nvedtekter') }

let gateway: TestGateway
let onboarder: ReturnType<typeof openOnboardingDriver>
let client: Awaited<ReturnType<TestGateway['otherPartner']>>['client']
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  // A partner of its own for each test, independent of the companies of others.
  client = (await gateway.otherPartner({ withCompany: false })).client
  onboarder = openOnboardingDriver(gateway, client)
})

const laterBy = (duration: Temporal.DurationLike) => passTime(gateway, Temporal.Duration.from(duration))
const left = ({ tasks }: OnboardingShown) => tasks.filter(({ status }) => status === 'Open').map(({ type }) => type)
async function audit(id: string) {
  const { rows } = await gateway.context.database.pool.query(
    'select actor, action, detail from audit_log where subject_id = $1 order by id',
    [id],
  )
  return rows
}
async function openTasks(id: string) {
  const text = "select kind, detail from operator_tasks where subject_id = $1 and status <> 'resolved'"
  return (await gateway.context.database.pool.query(text, [id])).rows
}
async function handled(requested = SHIPPING): Promise<OnboardingKey> {
  const key = await onboarder.start(requested)
  expect((await onboarder.complete(key)).status).toBe('ManualHandling')
  return key
}

describe('an onboarding', () => {
  test('is Created by its partner, with everything still to do, for 24 hours', async () => {
    const key = await onboarder.start({ ...BAKERY, redirectUrl: CALLBACK })
    const shown = await onboarder.status(key)
    expect(shown).toMatchObject({
      id: key.id,
      status: 'Created',
      statusReason: null,
      country: 'NO',
      organizationNumber: '987654406',
      organizationName: null,
      redirectUrl: CALLBACK,
    })
    expect(left(shown)).toEqual(['CompanyDetails', 'BeneficialOwners', 'Signers', 'Terms', 'Summary', 'Signatures'])
    expect(
      Temporal.Instant.from(shown.expiresAt ?? '')
        .since(shown.createdAt)
        .total('hours'),
    ).toBe(24)
  })

  test('awaits the company once its url is opened, under the registry’s name', async () => {
    const key = await onboarder.start()
    await openOnboarding(gateway.context, key)
    expect(await onboarder.status(key)).toMatchObject({
      status: 'AwaitingCustomerAction',
      organizationName: 'Fjordgløtt Bakeri AS',
    })
  })

  test('is opened once, however many browsers open it at the same time', async () => {
    const key = await onboarder.start()
    await Promise.all([1, 2, 3, 4].map(() => openOnboarding(gateway.context, key)))
    const moves = (await audit(key.id)).filter(({ action }) => action === 'onboarding moved')
    expect(moves).toMatchObject([{ actor: 'havn', detail: { from: 'Created', to: 'AwaitingCustomerAction' } }])
  })

  test('is Accepted once its only signer has signed; nothing changes it any more', async () => {
    const key = await onboarder.start()
    const shown = await onboarder.complete(key)
    expect(shown).toMatchObject({ status: 'Accepted', statusReason: null, expiresAt: null })
    expect(left(shown)).toEqual([])
    await laterBy({ hours: 24 * 40 })
    await expect(client.cancelOnboarding({ params: key })).rejects.toMatchObject({ status: 409 })
    expect(await onboarder.status(key)).toEqual(shown)
  })

  test('stays open while one of two signers has not signed', async () => {
    const key = await onboarder.start(HOTEL)
    const [first, second] = await onboarder.submit(key)
    await onboarder.sign(required(first))
    await decideOnboarding(gateway.context, key)
    const shown = await onboarder.status(key)
    expect([shown.status, left(shown)]).toEqual(['AwaitingCustomerAction', ['Signatures']])
    await onboarder.sign(required(second))
    expect((await decideOnboarding(gateway.context, key)).status).toBe('Accepted')
  })

  test('stays open when a signer declines, until other signers are selected', async () => {
    const key = await onboarder.start(HOTEL)
    const [first] = await onboarder.submit(key)
    expect(await onboarder.refuse(required(first))).toBe(true)
    expect(await onboarder.sign(required(first))).toBe(false)
    expect((await decideOnboarding(gateway.context, key)).status).toBe('AwaitingCustomerAction')
    expect(await reopenAnswers(gateway.context, 'company', key)).toBe(true)
    expect(left(await onboarder.status(key))).toEqual(['Summary', 'Signatures'])
    await onboarder.confirm(key)
    const statuses = (await onboarder.signers(key)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['Revoked', 'Revoked', 'Waiting', 'Waiting'])
  })

  test('signed by a person who is not in the registry needs a manual review', async () => {
    const key = await onboarder.start()
    const [signer] = await onboarder.submit(key)
    await onboarder.sign({ ...required(signer), name: 'Somebody Else' })
    expect(await decideOnboarding(gateway.context, key)).toMatchObject({ status: 'ManualHandling', statusReason: null })
  })
})

describe('without activity for 24 hours', () => {
  test('it is Expired, whether it was opened or not; not earlier', async () => {
    const created = await onboarder.start()
    const opened = await onboarder.start(HOTEL)
    await openOnboarding(gateway.context, opened)
    await laterBy({ hours: 23, minutes: 59 })
    expect((await onboarder.status(created)).status).toBe('Created')
    await laterBy({ minutes: 2 })
    for (const key of [created, opened]) {
      expect(await onboarder.status(key)).toMatchObject({ status: 'Expired', statusReason: null, expiresAt: null })
    }
  })

  test('the period starts again with everything that is saved', async () => {
    const key = await onboarder.start()
    await laterBy({ hours: 20 })
    await onboarder.fill(key)
    await laterBy({ hours: 20 })
    expect((await onboarder.status(key)).status).toBe('AwaitingCustomerAction')
    await laterBy({ hours: 5 })
    expect((await onboarder.status(key)).status).toBe('Expired')
  })

  test('with signatures missing it is Expired for SignatureExpired, and cannot be signed any more', async () => {
    const key = await onboarder.start(HOTEL)
    const [first, second] = await onboarder.submit(key)
    await onboarder.sign(required(first))
    await laterBy({ hours: 25 })
    expect(await onboarder.status(key)).toMatchObject({ status: 'Expired', statusReason: 'SignatureExpired' })
    expect(await onboarder.sign(required(second))).toBe(false)
    expect((await onboarder.save(key, { section: 'Terms', typed: { accepted: true } })).outcome).toBe('closed')
  })

  test('personal data is deleted after 30 days, and not before', async () => {
    const key = await onboarder.start(HOTEL)
    await onboarder.submit(key)
    await laterBy({ hours: 25 })
    await laterBy({ hours: 24 * 29 })
    expect((await readAnswers(gateway.context, key)).sections.CompanyDetails?.email).toBe('post@example.com')
    await laterBy({ hours: 48 })
    expect((await readAnswers(gateway.context, key)).sections).toEqual({})
    expect(await onboarder.signers(key)).toEqual([])
    expect((await onboarder.status(key)).status).toBe('Expired')
  })

  test('a business clock that is set back expires and deletes nothing early', async () => {
    await laterBy({ hours: 1 })
    const ended = await onboarder.start(HOTEL)
    await onboarder.submit(ended)
    await client.cancelOnboarding({ params: ended })
    const open = await onboarder.start()
    await client.moveSandboxClock({ body: { reset: true } })
    await laterBy({ minutes: 1 })
    expect((await onboarder.status(open)).status).toBe('Created')
    expect((await readAnswers(gateway.context, ended)).sections.Terms).toBeDefined()
  })
})

describe('cancelling', () => {
  test.each(['Created', 'AwaitingCustomerAction', 'ManualHandling'])('changes %s to Cancelled', async (status) => {
    const key = await (status === 'ManualHandling' ? handled() : onboarder.start())
    if (status === 'AwaitingCustomerAction') {
      await openOnboarding(gateway.context, key)
    }
    expect((await onboarder.status(key)).status).toBe(status)
    expect(await client.cancelOnboarding({ params: key })).toMatchObject({ status: 'Cancelled', statusReason: null })
    expect(await client.cancelOnboarding({ params: key })).toMatchObject({ status: 'Cancelled' })
    expect(await openTasks(key.id)).toEqual([])
    expect((await openOnboarding(gateway.context, key)).outcome).toBe('opened')
    expect((await onboarder.status(key)).status).toBe('Cancelled')
  })

  test('leaves an onboarding that has ended as it is', async () => {
    const key = await onboarder.start()
    await laterBy({ hours: 25 })
    expect(await client.cancelOnboarding({ params: key })).toMatchObject({ status: 'Expired' })
  })
})

describe('a manual review', () => {
  test('of an onboarding with a risk waits for an operator, who sees the reason, without names', async () => {
    const key = await handled()
    expect(await onboarder.status(key)).toMatchObject({ statusReason: 'RiskEvaluation', expiresAt: null })
    const [task] = await openTasks(key.id)
    expect(task).toMatchObject({ kind: 'OnboardingToReview', detail: { reason: 'RiskEvaluation' } })
    const signers = await onboarder.signers(key)
    expect(signers.some(({ name }) => JSON.stringify(task).includes(name))).toBe(false)
    await laterBy({ hours: 24 * 30 })
    expect((await onboarder.status(key)).status).toBe('ManualHandling')
  })

  test('that accepts makes the company able to pay, and closes the task', async () => {
    const key = await handled()
    await reviewOnboarding(gateway.context, OPERATOR, key, { say: 'accept' })
    expect((await onboarder.status(key)).status).toBe('Accepted')
    expect(await client.listCompanies()).toMatchObject([{ onboardingId: key.id, services: ['AIS', 'PIS'] }])
    expect(await openTasks(key.id)).toEqual([])
    const moves = (await audit(key.id)).filter(({ action }) => action === 'onboarding moved')
    expect(moves.at(-1)).toMatchObject({
      actor: OPERATOR,
      detail: { from: 'ManualHandling', to: 'Accepted' },
    })
  })

  test('that rejects needs a reason, one of the contract’s', async () => {
    const key = await handled()
    const because = (reason: 'RiskEvaluation' | 'SignatureExpired') =>
      reviewOnboarding(gateway.context, OPERATOR, key, { say: 'reject', reason })
    await expect(because('SignatureExpired')).rejects.toThrow('must be one of')
    await because('RiskEvaluation')
    expect(await onboarder.status(key)).toMatchObject({ status: 'Rejected', statusReason: 'RiskEvaluation' })
    expect(await client.listCompanies()).toEqual([])
    expect(await openTasks(key.id)).toEqual([])
    await expect(because('RiskEvaluation')).rejects.toThrow('is Rejected; only one in ManualHandling can be reviewed')
  })

  test('continues with the operator once requested documents are uploaded', async () => {
    const key = await handled()
    await reviewOnboarding(gateway.context, OPERATOR, key, { say: 'ask-for-documents', words: 'Vedtektene' })
    const requested = await onboarder.status(key)
    expect([requested.statusReason, left(requested)]).toEqual(['MissingDocuments', ['Documents']])
    const why = expect.stringContaining('politically exposed')
    expect(await openTasks(key.id)).toMatchObject([{ detail: { why, documents: 'requested', files: 0 } }])
    expect(await completeDocuments(gateway.context, key)).toBe(false)
    expect(await uploadDocument(gateway.context, key, PDF)).toMatchObject({ outcome: 'kept' })
    expect(await completeDocuments(gateway.context, key)).toBe(true)
    expect(await openTasks(key.id)).toMatchObject([{ detail: { why, documents: 'uploaded', files: 1 } }])
    expect(await onboarder.status(key)).toMatchObject({ status: 'ManualHandling', statusReason: null })
    expect(left(await onboarder.status(key))).toEqual([])
    expect(await uploadDocument(gateway.context, key, PDF)).toEqual({ outcome: 'closed' })
    await laterBy({ hours: 24 * 30 })
    await reviewOnboarding(gateway.context, OPERATOR, key, { say: 'accept' })
    expect((await onboarder.status(key)).status).toBe('Accepted')
  })

  test('can request documents again: the files of the first request neither count nor use up its limit', async () => {
    const key = await handled()
    const ask = () =>
      reviewOnboarding(gateway.context, OPERATOR, key, { say: 'ask-for-documents', words: 'Vedtektene' })
    await ask()
    for (let file = 0; file < DOCUMENTS_MAX; file += 1) {
      expect(await uploadDocument(gateway.context, key, PDF)).toMatchObject({ outcome: 'kept' })
    }
    expect(await uploadDocument(gateway.context, key, PDF)).toEqual({ outcome: 'rejected', fault: 'too-many' })
    await laterBy({ hours: 1 })
    await ask()
    expect(await completeDocuments(gateway.context, key)).toBe(false)
    expect(await uploadDocument(gateway.context, key, PDF)).toMatchObject({ outcome: 'kept' })
    expect(await completeDocuments(gateway.context, key)).toBe(true)
  })

  test('whose documents are not uploaded in a week ends as Rejected for MissingDocuments', async () => {
    const key = await handled()
    await reviewOnboarding(gateway.context, OPERATOR, key, { say: 'ask-for-documents', words: 'Vedtektene' })
    await laterBy({ hours: 24 * 7 - 1 })
    expect((await onboarder.status(key)).status).toBe('ManualHandling')
    await laterBy({ hours: 2 })
    expect(await onboarder.status(key)).toMatchObject({ status: 'Rejected', statusReason: 'MissingDocuments' })
    expect(await openTasks(key.id)).toEqual([])
  })

  test('continues with what was uploaded in that week, although the company did not say that this is all', async () => {
    const key = await handled()
    await reviewOnboarding(gateway.context, OPERATOR, key, { say: 'ask-for-documents', words: 'Vedtektene' })
    expect(await uploadDocument(gateway.context, key, PDF)).toMatchObject({ outcome: 'kept' })
    await laterBy({ hours: 24 * 7 + 1 })
    expect(await onboarder.status(key)).toMatchObject({ status: 'ManualHandling', statusReason: null })
    expect(await openTasks(key.id)).toMatchObject([{ detail: { documents: 'uploaded', files: 1 } }])
    expect((await audit(key.id)).at(-1)).toMatchObject({ actor: 'havn', action: 'documents handed in' })
  })

  test('accepts no document that is empty, of another kind or too large', async () => {
    const key = await handled()
    await reviewOnboarding(gateway.context, OPERATOR, key, { say: 'ask-for-documents', words: 'Vedtektene' })
    const rows = [
      ['nothing', Buffer.alloc(0), 'missing'],
      ['a file that is no document', Buffer.from('<script>alert(1)</script>'), 'wrong-kind'],
      ['more than 5 MB', Buffer.concat([PDF.content, Buffer.alloc(5 * 1024 * 1024)]), 'too-large'],
    ] as const
    for (const [what, content, fault] of rows) {
      const uploaded = await uploadDocument(gateway.context, key, { name: 'a.pdf', content })
      expect(uploaded, what).toEqual({ outcome: 'rejected', fault })
    }
  })
})

describe('the table of statuses', () => {
  const statuses = OnboardingStatus.enum
  const reasons = [...new Set(Object.values(reasonsByStatus).flat())]

  test('every reason of the contract belongs to a status', () => {
    expect(reasons.filter((reason) => reason !== null).toSorted()).toEqual([
      'CompanyNotFound',
      'MissingDocuments',
      'RiskEvaluation',
      'SignatureExpired',
      'UnsupportedCompanyType',
    ])
  })

  test('has no cycles, and every path ends', () => {
    const seen = (status: OnboardingStatus, path: readonly OnboardingStatus[]): void => {
      expect(path).not.toContain(status)
      for (const next of onboardingTransitions[status]) {
        seen(next, [...path, status])
      }
    }
    seen('Created', [])
    expect(statuses.filter((status) => !isOpen({ status }))).toEqual(['Accepted', 'Rejected', 'Cancelled', 'Expired'])
  })

  test('is enforced in the database', async () => {
    const key = await onboarder.start()
    const { database, clock } = gateway.context
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...statuses),
        fc.constantFrom(...statuses),
        fc.constantFrom(...statuses),
        fc.constantFrom(...reasons),
        async (stored, believed, status, statusReason) => {
          await database.pool.query('update onboardings set status = $1, status_reason = null where id = $2', [
            stored,
            key.id,
          ])
          const next = { status, statusReason, at: clock.now() }
          const moved = await transitionOnboarding(database, { ...key, status: believed }, next)
          const now = await lockOnboarding(database, key)
          expect(moved).toBe(stored === believed && isAllowedTransition({ status: believed }, next))
          expect(now?.status).toBe(moved ? status : stored)
          expect(now?.statusReason).toBe(moved ? statusReason : null)
        },
      ),
      { numRuns: randomCases(500) },
    )
    await cancelOnboarding(gateway.context, 'test', await onboarder.start())
  })
})

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) {
    throw new Error('It is missing')
  }
  return value
}
