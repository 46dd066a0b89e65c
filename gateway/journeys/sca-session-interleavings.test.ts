/** Shows that for every order of events an SCA session ends once, and only signatures at the bank are reported. */
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleBankReturn } from '../authorisations/browser/handle-bank-return.ts'
import { redirectToBank } from '../authorisations/browser/redirect-to-bank.ts'
import { cancelScaSession } from '../authorisations/end-sca-session.ts'
import { findScaSessionByLink, findScaSessionByReturn, reloadScaSession } from '../authorisations/find-sca-sessions.ts'
import { handleBankNotification } from '../authorisations/handle-bank-notification.ts'
import { resumeScaSession } from '../authorisations/resume-sca-session.ts'
import type { ScaOutcome, ScaSession, ScaSubjects } from '../authorisations/sca-session.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { type ConsentCaller, consentActorOf } from '../consents/consent.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import { consentScaSubject } from '../consents/consent-sca-subject.ts'
import type { Context } from '../context.ts'
import { onboardingScaSubject } from '../onboarding/signatures/onboarding-sca-subject.ts'
import type { CancellationPart } from '../orders/cancel/cancellation.ts'
import { cancellationScaSubject } from '../orders/cancel/cancellation-sca-subject.ts'
import { abandonCancellation } from '../orders/cancel/get-cancellation.ts'
import { recoverCancellation } from '../orders/cancel/recover-cancellation.ts'
import { findPaymentsOf } from '../orders/find-orders.ts'
import { approvalScaSubject } from '../orders/sign/approval-sca-subject.ts'
import { maintainBasket } from '../orders/sign/baskets/bank-basket.ts'
import type { Basket } from '../orders/sign/baskets/basket.ts'
import { abandonApproval } from '../orders/sign/get-approval.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { approvePayments, getPaymentApproval } from '../payments/approve-payments.ts'
import { cancelPayment, getPaymentCancellation } from '../payments/cancel-payment.ts'
import { ApiError, InvalidRequestError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { openScaBank, type ScaBank } from '../testing/banks/sca-bank.ts'
import type { ScaBankAuthorisation } from '../testing/banks/sca-bank-authorisation.ts'
import { type CrashingDatabase, crashingDatabase, DatabaseCrash } from '../testing/database/crashing-database.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, KARI, OLA, PSU } from '../testing/payments/sample-payments.ts'

/** A hundred thousand are run by `HAVN_INTERLEAVINGS=100000`, which takes some hours on two cores. */
const LIVES = Number(process.env['HAVN_INTERLEAVINGS'] ?? 6)
const SIDE_BY_SIDE = 8
const STEPS = { minLength: 4, maxLength: 18 }
const MILLISECONDS_MAX = LIVES * 1_000 + 60_000
/** After this, leases of crashed processes have expired. */
const CLAIMS_EXPIRE_SECONDS = 900

type Who = 0 | 1
/** One of the existing ones, counted from the latest. */
type Which = { readonly which: number }
type Act =
  | { readonly do: 'read' | 'sweep' }
  | { readonly do: 'approve'; readonly by: Who; readonly all: boolean }
  | ({ readonly do: 'cancel'; readonly by: Who } & Which)
  | ({ readonly do: 'leave the page' | 'hint' | 'abandon' } & Which)
  | ({ readonly do: 'open the link' | 'come back'; readonly browser: Who; readonly rejected: boolean } & Which)
  | ({ readonly do: 'decide'; readonly truth: Exclude<ScaBankAuthorisation['truth'], 'open'> } & Which)
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'bank'; readonly is: 'silent' | 'there' | 'forgetful' | 'exempting' | 'losing' }
/** A process of ours may crash after so many statements, or an action may run concurrently with another. */
type Step = {
  readonly acts: readonly Act[]
  readonly death: { readonly statements: number; readonly answerLost: boolean; readonly isMournedLong: boolean } | null
}

/** A sequence without an approval would show nothing. */
const BEGINNING: Step = { acts: [{ do: 'approve', by: 0, all: true }], death: null }

const who = fc.constantFrom<Who>(0, 0, 0, 1)
const which = fc.constantFrom(0, 0, 0, 1, 2)
const truths = fc.constantFrom(
  'signed' as const,
  'signed' as const,
  'signed' as const,
  'rejected' as const,
  'cancelled' as const,
  'expired' as const,
)
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('approve' as const), by: who, all: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), by: who, which }) },
  { weight: 2, arbitrary: fc.constant<Act>({ do: 'read' }) },
  { weight: 4, arbitrary: fc.constant<Act>({ do: 'sweep' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('leave the page' as const, 'hint' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('abandon' as const), which }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('open the link' as const, 'come back' as const),
      browser: who,
      rejected: fc.boolean(),
      which,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('decide' as const), truth: truths, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(2, 30, 200, 700) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bank' as const),
      is: fc.constantFrom(
        'silent' as const,
        'there' as const,
        'there' as const,
        'there' as const,
        'forgetful' as const,
        'exempting' as const,
        'losing' as const,
      ),
    }),
  },
)
const deaths = fc.option(
  fc.record({
    statements: fc.nat({ max: 24 }),
    answerLost: fc.boolean(),
    isMournedLong: fc.constantFrom(true, true, true, true, true, true, true, false),
  }),
  { freq: 3, nil: null },
)
const steps: fc.Arbitrary<Step> = fc.record({ acts: fc.array(acts, { minLength: 1, maxLength: 2 }), death: deaths })
const lives = fc.record({
  payments: fc.constantFrom(1, 1, 2, 3),
  baskets: fc.boolean(),
  approach: fc.constantFrom('redirect' as const, 'redirect' as const, 'code' as const, 'app' as const),
  bank: fc.constantFrom('plain' as const, 'plain' as const, 'two signers' as const, 'mute' as const),
  steps: fc.array(steps, STEPS),
})
type Life = typeof lives extends fc.Arbitrary<infer One> ? One : never

let gateway: TestGateway
let callers: readonly ConsentCaller[]
let template: string
let copying: string
beforeAll(async () => {
  gateway = await startTestGateway()
  callers = [await callerOf(KARI), await callerOf(OLA)]
  const consentId = callers[0]?.consent.id ?? ''
  template = (await gateway.client.initiateDomesticPayment({ consentId, psu: PSU, body: domesticPayment(gateway) }))
    .paymentId
  const [columns] = await query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_schema = 'public' and table_name = 'payments' and is_generated = 'NEVER'
       and column_name not in ('id', 'bank_payment_id', 'bank_request_id', 'notification_token_hash', 'poll_at')`,
  )
  const names = columns?.names ?? ''
  copying = `insert into payments (id, bank_payment_id, bank_request_id, notification_token_hash, poll_at, ${names})
     select $1, $2, $3, $4, null, ${names} from payments where id = $5`
})
afterAll(() => gateway.close())

async function callerOf(userId: string): Promise<ConsentCaller> {
  const { consentId } = await acceptedConsent(gateway, userId)
  const [row] = await query<{ partnerId: string }>('select partner_id as "partnerId" from consents where id = $1', [
    consentId,
  ])
  const partnerId = row?.partnerId ?? ''
  const consent = (await consentOf(gateway.context, { partnerId, consentId })) ?? expect.fail('There is no consent')
  return { partnerId, partnerName: '', callbackOrigins: [], clientId: '', consent, psu: { ...PSU, headers: {} } }
}

function pool(): pg.Pool {
  return gateway.context.database.pool
}

async function query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await pool().query<Row>(sql, [...values])).rows
}

/** A payment like the first one, which is unsigned and which no sweep polls. */
async function newPayment(): Promise<string> {
  const id = newId()
  await query(copying, [id, newId(), newId(), newId(), template])
  await query(
    `insert into payment_history (partner_id, payment_id, id, at, status, bank_status)
     select partner_id, id, $2, created_at, status, bank_status from payments where id = $1`,
    [id, newId()],
  )
  return id
}

const kinds: ScaSubjects = {
  approval: approvalScaSubject,
  cancellation: cancellationScaSubject,
  consent: consentScaSubject,
  onboarding: onboardingScaSubject({
    identity: { of: () => null, find: () => null },
    registries: { of: () => null, close: async () => undefined },
  }),
}

/** The parts of one sequence: its payments, its bank, its own time and its own crashes. */
type Fixture = {
  readonly context: Context & { readonly database: CrashingDatabase }
  readonly bank: ScaBank
  readonly payments: readonly string[]
  readonly life: Life
  readonly links: string[]
  readonly cookies: (string | undefined)[]
  /** What was read of approvals and cancellations, by id. */
  readonly seen: Map<string, string>
  /** Authorisations that a user may use: those that we know, and those that an app shows by itself. */
  readonly reachable: Set<string>
  /** Business time passes, and wall time too. */
  pass(seconds: number): void
  /** Only wall time passes. */
  wait(seconds: number): void
}

async function fixtureOf(life: Life): Promise<Fixture> {
  const database = crashingDatabase(pool())
  const { context: whole } = gateway
  let [now, real] = [whole.clock.now(), whole.clock.real()]
  const bank = openScaBank({
    approach: life.approach,
    signers: life.bank === 'two signers' ? 2 : 1,
    isMute: life.bank === 'mute',
    now: () => now,
  })
  const row = (await whole.banks.find('FJORNO22')) ?? expect.fail('The bank is not there')
  const { baskets, ...alone } = bank.connector
  const connector = { ...whole.banks.connectorOf(row), ...alone, ...(life.baskets ? { baskets } : {}) }
  const profile = {
    ...row.profile,
    scaApproaches: [APPROACHES[life.approach]],
    ...(life.baskets ? { baskets: { max: 2, domesticOnly: true } } : {}),
    constraints: { ...row.profile.constraints, maxBasketSize: life.baskets ? 2 : null },
  }
  const banks = { ...whole.banks, find: async () => ({ ...row, profile }), connectorOf: () => connector }
  return {
    context: { ...whole, clock: { ...whole.clock, now: () => now, real: () => real }, database, banks },
    bank,
    payments: await Promise.all(Array.from({ length: life.payments }, newPayment)),
    life,
    links: [],
    cookies: [undefined, undefined],
    seen: new Map(),
    reachable: new Set(),
    pass: (seconds) => {
      now = now.add({ seconds })
      real = real.add({ seconds })
    },
    wait: (seconds) => {
      real = real.add({ seconds })
    },
  }
}

const APPROACHES = { redirect: 'redirect', code: 'qr', app: 'decoupled' } as const

async function live(life: Life): Promise<void> {
  const fixture = await fixtureOf(life)
  for (const step of [BEGINNING, ...life.steps]) {
    await takeTogether(fixture, step)
    await checkWhatIsReported(fixture)
  }
  await comeToRest(fixture)
  await checkWhatIsReported(fixture)
  expect([...fixture.seen.values()].filter((status) => !ENDS.includes(status))).toEqual([])
  await checkPayments(fixture)
}

const ENDS = ['ACCEPTED', 'REJECTED', 'CANCELLED']

async function takeTogether(fixture: Fixture, { acts: together, death }: Step): Promise<void> {
  const { bank, context, life, reachable } = fixture
  const before = new Set(bank.all().map(({ id }) => id))
  context.database.live(death)
  // No time passes while several are in flight: calls end before leases do.
  const taken = together.filter((act) => act.do !== 'pass' || together.length === 1)
  const outcomes = await Promise.allSettled(taken.map((act) => take(fixture, act)))
  context.database.live(null)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !isExpected(outcome.reason)) {
      throw outcome.reason
    }
  }
  const known = await knownOf(fixture)
  for (const { id, isLost } of bank.all()) {
    const isShownByApp = life.approach === 'app' && death === null && !isLost && !before.has(id)
    if (known.has(id) || isShownByApp) {
      reachable.add(id)
    }
  }
  if (death?.isMournedLong) {
    fixture.wait(CLAIMS_EXPIRE_SECONDS)
  }
}

async function take(fixture: Fixture, act: Act): Promise<void> {
  const { bank, context, life } = fixture
  switch (act.do) {
    case 'approve':
      return await approve(fixture, act)
    case 'cancel':
      return await cancel(fixture, act)
    case 'read':
      return await read(fixture)
    case 'sweep':
      return await sweep(fixture)
    case 'hint': {
      const [, partnerId = '', scaSessionId = '', token = ''] =
        /\/signings\/([^/]+)\/([^/]+)\/([^/?]+)/.exec(
          bank.all().at(-1 - act.which)?.requested.back.notification ?? '',
        ) ?? []
      return await handleBankNotification(context, kinds, { partnerId, scaSessionId, token })
    }
    case 'open the link':
      return await openLink(fixture, act)
    case 'come back':
      return await comeBack(fixture, act)
    case 'leave the page': {
      const signing = await findScaSessionByLink(context, addressOf(fixture.links.at(-1 - act.which)))
      const outcome = signing && (await cancelScaSession(context, kinds[signing.kind], signing))
      return signing && outcome && (await checkReported(fixture, signing, outcome))
    }
    case 'abandon':
      return await abandon(fixture, act)
    case 'decide': {
      const one = bank.all().filter(({ id, truth }) => truth === 'open' && fixture.reachable.has(id))
      const decided = one.at(-1 - act.which)
      return decided && bank.decide(decided, act.truth)
    }
    case 'pass':
      return fixture.pass(act.seconds)
    case 'bank':
      // What a bank neither stores nor reports cannot be known.
      return void Object.assign(
        bank,
        THERE,
        act.is === 'there' || (act.is === 'forgetful' && life.bank === 'mute') ? {} : { [act.is]: true },
      )
  }
}

const THERE = { silent: false, forgetful: false, exempting: false, losing: false }

function callerBy(by: Who): ConsentCaller {
  return callers[by] ?? expect.fail('There is no such user')
}

async function approve({ context, life, links, payments }: Fixture, { by, all }: Act & { readonly do: 'approve' }) {
  const { sca } = await approvePayments(context, callerBy(by), {
    payments: all ? [...payments] : payments.slice(0, 1),
    callbackUrl: CALLBACK,
    ...(life.approach === 'code' ? { preferredScaMethod: 'Qr' } : {}),
  })
  links.push(...(sca?.type === 'redirect' ? [sca.url] : []))
}

/** A process that finds the bank being called waits for some seconds, also for a crashed process: that is left out. */
async function cancel({ context, life, links, payments }: Fixture, { by, which: n }: Act & { readonly do: 'cancel' }) {
  const paymentId = payments[n % payments.length] ?? ''
  const asking = await query(
    "select 1 from cancellations where payment_id = $1 and status = 'REQUESTED' and lease_until > $2",
    [paymentId, context.clock.real().toString()],
  )
  if (asking.length === 0) {
    const { sca } = await cancelPayment(context, consentActorOf(callerBy(by)), {
      paymentId,
      callbackUrl: CALLBACK,
      ...(life.approach === 'code' ? { preferredScaMethod: 'Qr' } : {}),
    })
    links.push(...(sca?.type === 'redirect' ? [sca.url] : []))
  }
}

/** One of the latest approvals and cancellations. Whatever its outcome, a signed payment is never shown as unsigned. */
async function abandon({ bank, context, life, payments }: Fixture, { which: n }: Which) {
  const [one] = await query<{ id: string; isApproval: boolean }>(
    `select id, true as "isApproval" from approvals where id in (${APPROVALS}) union all
     select id, false from cancellations where payment_id = any($1::uuid[]) order by id desc limit 1 offset $2`,
    [payments, n],
  )
  if (one === undefined) {
    return
  }
  // An order that waits for a second signature does not show who signed first, once the bank has deleted that
  // authorisation.
  const mayBeForgotten = () => bank.forgetful && life.bank === 'two signers'
  const signedBefore = mayBeForgotten() ? [] : bank.all().filter(({ truth }) => truth === 'signed')
  const abandoning = one.isApproval
    ? abandonApproval(context, callerBy(0), one.id, 'payments')
    : abandonCancellation(context, callerBy(0), 'payment', one.id)
  const rejected: unknown = await abandoning.catch((error: unknown) => error)
  const own = await query<{ id: string | null; isOpen: boolean }>(
    `select t.authorisation_id as id, s.status <> 'ended' as "isOpen" from sca_sessions s
     join sca_steps t on t.partner_id = s.partner_id and t.sca_session_id = s.id where s.subject_id = $1`,
    [one.id],
  )
  const isOwn = (authorisation: ScaBankAuthorisation) => own.some(({ id }) => id === authorisation.id)
  if (rejected === undefined) {
    expect(own.filter(({ isOpen }) => isOpen)).toEqual([])
    expect(mayBeForgotten() ? [] : signedBefore.filter(isOwn)).toEqual([])
    const [reported] = await query<{ status: string }>(
      'select status from approvals where id = $1 union all select status from cancellations where id = $1',
      [one.id],
    )
    expect(['REJECTED', 'CANCELLED']).toContain(reported?.status)
  } else if (rejected instanceof ApiError && rejected.reasonCode === 'conflict') {
    const isSigned = bank.all().some((authorisation) => authorisation.truth === 'signed' && isOwn(authorisation))
    // The outcome of an authorisation that the bank has deleted is read from its orders, which may have been signed, or
    // cancelled, by another one.
    const orders = await query<{ held: string }>(
      `select bank_payment_id as held from approval_payments where approval_id = $1
       union all select bank_payment_id from cancellations where id = $1`,
      [one.id],
    )
    expect(isSigned || orders.some(({ held }) => bank.isPartlySigned(held) || bank.isWithdrawn(held))).toBe(true)
  } else {
    throw rejected
  }
}

async function read({ context, payments }: Fixture): Promise<void> {
  for (const { id } of await query<{ id: string }>(APPROVALS, [payments])) {
    await getPaymentApproval(context, callerBy(0), id)
  }
  for (const { id } of await query<{ id: string }>('select id from cancellations where payment_id = any($1)', [
    payments,
  ])) {
    await getPaymentCancellation(context, callerBy(0), id)
  }
}

const APPROVALS = 'select distinct approval_id as id from approval_payments where payment_id = any($1::uuid[])'

/** Everything that is due; what cannot be read stays open. */
async function sweep({ context, payments }: Fixture): Promise<void> {
  const [now, real] = [context.clock.now().toString(), context.clock.real().toString()]
  for (const key of await query<Pick<ScaSession, 'partnerId' | 'id'>>(`${SIGNINGS} and due_at <= $2`, [
    payments,
    now,
  ])) {
    const signing = await reloadScaSession(gateway.context, key)
    await unlessAway(resumeScaSession(context, kinds[signing.kind], signing))
  }
  for (const requested of await query<CancellationPart>(REQUESTED, [payments, real])) {
    await unlessAway(recoverCancellation(context, requested))
  }
  for (const basket of await query<Basket>(BASKETS, [payments, now])) {
    await unlessAway(maintainBasket(context, basket))
  }
}

const SIGNINGS = `select partner_id as "partnerId", id from sca_sessions where subject_id in (
  select approval_id from approval_payments where payment_id = any($1::uuid[])
  union all select id from cancellations where payment_id = any($1::uuid[]))`
const REQUESTED = `select partner_id as "partnerId", id, 'payment' as kind, payment_id as "paymentId", bic, consent_id as "consentId",
  bank_payment_id as "bankPaymentId", was_signed as "wasSigned", bank_request_id as "bankRequestId", status, reason,
  created_at as "createdAt", requested_at as "requestedAt"
  from cancellations where payment_id = any($1::uuid[]) and status = 'REQUESTED' and recover_at <= $2`
const BASKETS = `select partner_id as "partnerId", id, bic, consent_id as "consentId", approval_id as "approvalId",
  bank_request_id as "bankRequestId", bank_basket_id as "bankBasketId", state, created_at as "createdAt", due_at as "dueAt"
  from approval_baskets where approval_id in (${APPROVALS}) and due_at <= $2`

async function unlessAway(doing: Promise<void>): Promise<void> {
  await doing.catch((error: unknown) => {
    if (!(error instanceof BankError)) {
      throw error
    }
  })
}

async function openLink(fixture: Fixture, act: Act & { readonly do: 'open the link' | 'come back' }): Promise<void> {
  const { context, cookies, links } = fixture
  const signing = await findScaSessionByLink(context, addressOf(links.at(-1 - act.which)))
  if (signing !== undefined) {
    const browser = { token: cookies[act.browser], ipAddress: '127.0.0.1', userAgent: 'test', language: 'en' } as const
    const leaving = await redirectToBank(context, kinds[signing.kind], signing, browser)
    cookies[act.browser] = 'browserToken' in leaving ? leaving.browserToken : cookies[act.browser]
    if (leaving.to === 'partner') {
      await checkReported(fixture, signing, leaving.outcome)
    }
  }
}

async function comeBack(fixture: Fixture, act: Act & { readonly do: 'open the link' | 'come back' }): Promise<void> {
  const { bank, context, cookies } = fixture
  const back = bank.all().at(-1 - act.which)?.requested.back
  const address = addressOf(act.rejected ? back?.failure : back?.success)
  const signing = await findScaSessionByReturn(context, address)
  if (signing !== undefined) {
    const query = act.rejected ? { error: 'access_denied' } : { code: 'x', status: 'success' }
    const comer = { returnToken: address.token, query, browserToken: cookies[act.browser] }
    const returned = await handleBankReturn(context, kinds[signing.kind], signing, comer)
    if (returned.at === 'end') {
      await checkReported(fixture, signing, returned.outcome)
    }
  }
}

/** The outcome shown to a user who returns to the partner. */
async function checkReported({ bank, payments }: Fixture, signing: ScaSession, outcome: ScaOutcome): Promise<void> {
  if (outcome === 'success') {
    const { kind, steps } = await reloadScaSession(gateway.context, signing)
    const truths = steps.map(({ authorisationId }) => bank.all().find(({ id }) => id === authorisationId)?.truth)
    if (kind === 'approval') {
      expect(truths).toEqual(steps.map(() => 'signed'))
    } else {
      expect(await withdrawnOf(bank, payments, steps)).toBe(true)
    }
  }
}

async function withdrawnOf(bank: ScaBank, payments: readonly string[], steps: ScaSession['steps']): Promise<boolean> {
  const held = await query<{ id: string; bankPaymentId: string }>(
    'select id, bank_payment_id as "bankPaymentId" from payments where id = any($1)',
    [payments],
  )
  return steps.every(({ targetId }) => bank.isWithdrawn(held.find(({ id }) => id === targetId)?.bankPaymentId ?? ''))
}

/** The bank is available again; whatever was in progress ends when it expires, and is checked for late signatures. */
async function comeToRest(fixture: Fixture): Promise<void> {
  Object.assign(fixture.bank, THERE)
  for (let round = 0; round < 12; round += 1) {
    fixture.pass(700)
    fixture.wait(CLAIMS_EXPIRE_SECONDS)
    await sweep(fixture)
    const waiting = await query(`${SIGNINGS} and due_at is not null`, [fixture.payments])
    const requested = await query(REQUESTED, [fixture.payments, '2100-01-01'])
    if (waiting.length + requested.length === 0) {
      return
    }
  }
  throw new Error('Something never ends')
}

type ApprovalReported = {
  readonly id: string
  readonly paymentId: string
  readonly status: string
  readonly result: string
  readonly bankPaymentId: string
  readonly authorisationIds: readonly (string | null)[]
}

const REPORTED_OF_APPROVALS = `select a.id, a.status, p.result, p.payment_id as "paymentId", p.bank_payment_id as "bankPaymentId",
  (select array_agg(t.authorisation_id) from sca_sessions s join sca_steps t on t.partner_id = s.partner_id
   and t.sca_session_id = s.id where s.partner_id = a.partner_id and s.subject_id = a.id) as "authorisationIds"
  from approvals a join approval_payments p on p.partner_id = a.partner_id and p.approval_id = a.id
  where p.payment_id = any($1::uuid[])`
const REPORTED_OF_CANCELLATIONS = `select c.id, c.status, p.bank_payment_id as "bankPaymentId" from cancellations c
  join payments p on p.partner_id = c.partner_id and p.id = c.payment_id where c.payment_id = any($1::uuid[])`

/** A final outcome stays, and each success is the bank's. */
async function checkWhatIsReported({ bank, payments, seen }: Fixture): Promise<void> {
  const note = (id: string, status: string) => {
    const before = seen.get(id) ?? 'STARTED'
    expect(!ENDS.includes(before) || before === status, `${before} became ${status}`).toBe(true)
    seen.set(id, status)
  }
  for (const reported of await query<ApprovalReported>(REPORTED_OF_APPROVALS, [payments])) {
    note(reported.id, reported.status)
    note(`${reported.id} ${reported.paymentId}`, reported.result)
    if (reported.status === 'ACCEPTED' || reported.result === 'ACCEPTED') {
      const own = bank.all().filter(({ id }) => reported.authorisationIds.includes(id))
      expect(own.some(({ targets, truth }) => truth === 'signed' && targets.includes(reported.bankPaymentId))).toBe(
        true,
      )
    }
  }
  const there = new Set<string>()
  type Reported = Omit<ApprovalReported, 'paymentId' | 'result' | 'authorisationIds'>
  for (const { id, status, bankPaymentId } of await query<Reported>(REPORTED_OF_CANCELLATIONS, [payments])) {
    there.add(id)
    note(id, status)
    if (status === 'ACCEPTED') {
      expect(bank.isWithdrawn(bankPaymentId)).toBe(true)
    }
  }
  for (const [id, status] of seen) {
    // A cancellation request that certainly did not reach the bank is deleted.
    if (status === 'REQUESTED' && !there.has(id)) {
      seen.delete(id)
    }
  }
}

/** No unsigned payment is shown as signed, and a signed one is shown as signed once the bank is polled. */
async function checkPayments({ bank, context, life, payments, reachable }: Fixture): Promise<void> {
  for (const payment of await findPaymentsOf(context, callerBy(0).partnerId, payments)) {
    const held = payment.bankPaymentId ?? ''
    const [isSigned, isWithdrawn] = [bank.isSigned(held), bank.isWithdrawn(held)]
    if (payment.signed) {
      expect(bank.isPartlySigned(held)).toBe(true)
    }
    expect(payment.status !== 'InProgress' || isSigned).toBe(true)
    expect(payment.status !== 'Cancelled' || isWithdrawn).toBe(true)
    if (
      bank
        .all()
        .some(
          ({ id, what, targets, truth }) =>
            what === 'signature' && truth === 'signed' && targets.includes(held) && reachable.has(id),
        )
    ) {
      expect(payment.signed || isWithdrawn || life.bank !== 'mute').toBe(true)
    }
    const followed = await pollPayment(context, payment)
    const waits = bank.isPartlySigned(held) ? 'CustomerActionRequired' : 'Unsigned'
    const signed = life.bank === 'mute' && !payment.signed ? 'Unsigned' : 'InProgress'
    expect(followed.status).toBe(isWithdrawn ? 'Cancelled' : isSigned ? signed : waits)
  }
}

/** The authorisations that are recorded here. */
async function knownOf({ payments }: Fixture): Promise<ReadonlySet<string>> {
  const rows = await query<{ id: string }>(
    `select authorisation_id as id from sca_steps where authorisation_id is not null and sca_session_id in
     (select id from (${SIGNINGS}) as ours)`,
    [payments],
  )
  return new Set(rows.map(({ id }) => id))
}

function addressOf(address: string | undefined): { partnerId: string; scaSessionId: string; token: string } {
  const [, partnerId = '', scaSessionId = '', token = ''] =
    /\/signing\/([^/]+)\/([^/]+)\/(?:return\/)?([^/?]+)/.exec(address ?? '') ?? []
  return { partnerId, scaSessionId, token }
}

/** A rejection, an outage or a crash is a normal event. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof DatabaseCrash ||
    error instanceof ApiError ||
    error instanceof InvalidRequestError ||
    error instanceof BankError
  )
}

const step = (...together: Act[]): Step => ({ acts: together, death: null })
const onceWrong: Readonly<Record<string, Life>> = {
  'a basket is let go for an approval of one of its payments, which is signed; the other one is withdrawn': {
    ...({ payments: 2, baskets: true, approach: 'redirect', bank: 'plain' } as const),
    steps: [
      step({ do: 'approve', by: 0, all: false }),
      step({ do: 'cancel', by: 0, which: 1 }),
      step({ do: 'decide', truth: 'signed', which: 0 }, { do: 'sweep' }),
      step({ do: 'read' }),
    ],
  },
  'one payment of a signed basket was read since it was created, the other was not, and the bank shows no signature': {
    ...({ payments: 2, baskets: true, approach: 'redirect', bank: 'mute' } as const),
    steps: [
      step({ do: 'decide', truth: 'signed', which: 0 }),
      { acts: [{ do: 'cancel', by: 0, which: 0 }], death: { statements: 8, answerLost: false, isMournedLong: true } },
      step({ do: 'sweep' }),
    ],
  },
  'a newer approval ends one that is signed without asking its silent bank, while that one is abandoned': {
    ...({ payments: 1, baskets: false, approach: 'redirect', bank: 'plain' } as const),
    steps: [
      step({ do: 'decide', truth: 'signed', which: 0 }),
      step({ do: 'bank', is: 'silent' }),
      step({ do: 'abandon', which: 0 }, { do: 'approve', by: 0, all: true }),
    ],
  },
  'an older basket, whose user comes back, was let go for the one that is signed': {
    ...({ payments: 2, baskets: true, approach: 'redirect', bank: 'plain' } as const),
    steps: [
      step({ do: 'approve', by: 0, all: true }),
      step({ do: 'decide', truth: 'signed', which: 0 }),
      step({ do: 'come back', browser: 0, rejected: false, which: 1 }),
      step({ do: 'abandon', which: 1 }),
    ],
  },
}

test.each(Object.entries(onceWrong))('holds where %s', async (_story, life) => {
  await live(life)
})

test(`holds in ${LIVES} random sequences of payment events`, { timeout: MILLISECONDS_MAX }, async () => {
  const seeds = fc.sample(fc.integer(), SIDE_BY_SIDE)
  await Promise.all(
    seeds.map((seed) => fc.assert(fc.asyncProperty(lives, live), { numRuns: Math.ceil(LIVES / SIDE_BY_SIDE), seed })),
  )
})
