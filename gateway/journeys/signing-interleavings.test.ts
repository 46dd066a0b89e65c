/** Shows the law of signing: whatever comes in whatever order, an approval ends once, and nobody is told of a signature that the bank has not. */
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalSigning } from '../approvals/approval-signing.ts'
import { approvePayments } from '../approvals/approve-payments.ts'
import { showApproval } from '../approvals/show-approval.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { Invalid, Refusal } from '../foundation/http/refusal.ts'
import { newId } from '../foundation/ids.ts'
import { findPaymentsOf } from '../payments/find-payments.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { carryOn } from '../signing/carry-on.ts'
import { liveSignings } from '../signing/find-signing.ts'
import { leaveForBank } from '../signing/leave-for-bank.ts'
import { leaveSigning } from '../signing/leave-signing.ts'
import { returnFromBank } from '../signing/return-from-bank.ts'
import type { Signing, SigningOutcome } from '../signing/signing.ts'
import { openByLink, openByReturn } from '../signing/signing-address.ts'
import { Death, mortalDatabase } from '../testing/mortal-database.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from '../testing/samples.ts'
import { openSigningBank, type SigningBank } from '../testing/signing-bank.ts'
import { startWholeGateway, type WholeGateway } from '../testing/whole-gateway.ts'

/** A hundred thousand are run by `HAVN_INTERLEAVINGS=100000`, which takes about an hour on two cores. */
const LIVES = Number(process.env['HAVN_INTERLEAVINGS'] ?? 300)
const SIDE_BY_SIDE = 8
const STEPS = { minLength: 4, maxLength: 18 }
const MILLISECONDS_MAX = LIVES * 250 + 60_000

type Act =
  | { readonly do: 'approve' | 'read' | 'sweep' | 'leave the page' }
  | { readonly do: 'open the link' | 'come back'; readonly browser: 0 | 1; readonly refused: boolean }
  | { readonly do: 'decide'; readonly truth: 'signed' | 'refused' | 'cancelled' | 'lapsed' }
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'bank'; readonly is: 'silent' | 'there' | 'forgetful' }
/** Something of ours may die after so many statements, or happen at the same time as something else. */
type Step = { readonly acts: readonly Act[]; readonly death: { statements: number; answerLost: boolean } | null }

/** A life without an approval would show nothing. */
const BEGINNING: Step = { acts: [{ do: 'approve' }], death: null }

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Act>({ do: 'approve' }) },
  { weight: 2, arbitrary: fc.constant<Act>({ do: 'read' }) },
  { weight: 4, arbitrary: fc.constant<Act>({ do: 'sweep' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ do: 'leave the page' }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('open the link' as const, 'come back' as const),
      browser: fc.constantFrom(0 as const, 0 as const, 1 as const),
      refused: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      truth: fc.constantFrom(
        'signed' as const,
        'signed' as const,
        'signed' as const,
        'refused' as const,
        'cancelled' as const,
        'lapsed' as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(2, 30, 200, 700) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bank' as const),
      is: fc.constantFrom('silent' as const, 'there' as const, 'there' as const, 'forgetful' as const),
    }),
  },
)
const deaths = fc.option(fc.record({ statements: fc.nat({ max: 14 }), answerLost: fc.boolean() }), {
  freq: 3,
  nil: null,
})
const steps: fc.Arbitrary<Step> = fc.record({ acts: fc.array(acts, { minLength: 1, maxLength: 2 }), death: deaths })
const lives = fc.record({
  payments: fc.constantFrom(1, 1, 2, 3),
  baskets: fc.boolean(),
  byCode: fc.boolean(),
  steps: fc.array(steps, STEPS),
})
type Life = typeof lives extends fc.Arbitrary<infer One> ? One : never

let gateway: WholeGateway
let caller: ConsentCaller
let template: string
beforeAll(async () => {
  gateway = await startWholeGateway()
  const { consentId } = await acceptedConsent(gateway)
  template = (await gateway.client.initiateDomesticPayment({ consentId, psu: PSU, body: domesticPayment(gateway) }))
    .paymentId
  const { rows } = await pool().query<{ partner: string }>('select partner_id as partner from consents where id = $1', [
    consentId,
  ])
  const partnerId = rows[0]?.partner ?? ''
  const consent = await consentOf(gateway.context, { partnerId, consentId })
  if (consent === undefined) {
    throw new Error('The consent is not there')
  }
  const psu = { ...PSU, headers: {} }
  caller = { partnerId, partnerName: '', callbackOrigins: [], clientId: '', consent, psu }
})
afterAll(() => gateway.close())

function pool(): pg.Pool {
  return gateway.context.database.pool
}

/** A payment like the first one, which nobody has signed and no sweep follows. */
async function newPayment(): Promise<string> {
  const id = newId()
  const { rows } = await pool().query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'payments' and is_generated = 'NEVER'
       and column_name not in ('id', 'bank_payment_id', 'bank_request_id', 'hint_hash', 'poll_at')`,
  )
  const columns = rows[0]?.columns ?? ''
  await pool().query(
    `insert into payments (id, bank_payment_id, bank_request_id, hint_hash, poll_at, ${columns})
     select $1, $2, $3, $4, null, ${columns} from payments where id = $5`,
    [id, newId(), newId(), newId(), template],
  )
  return id
}

/** Everything of one life: its payments, its bank, its own time and its own deaths. */
async function live(life: Life): Promise<void> {
  const bank = openSigningBank()
  bank.byCode = life.byCode
  const database = mortalDatabase(pool())
  let now = gateway.context.clock.now()
  const clock = { ...gateway.context.clock, now: () => now }
  const { baskets, ...alone } = bank.connector
  const connector = {
    ...gateway.context.banks.connectorOf(await bankRow()),
    ...alone,
    ...(life.baskets ? { baskets } : {}),
  }
  const banks = {
    ...gateway.context.banks,
    find: async (bic: string) => withBaskets(await gateway.context.banks.find(bic), life.baskets),
    connectorOf: () => connector,
  }
  const context: Context = { ...gateway.context, clock, database, banks }
  const payments = await Promise.all(Array.from({ length: life.payments }, newPayment))
  const seen = new Map<string, string>()
  const kind = approvalSigning()
  const links: string[] = []
  const cookies: (string | undefined)[] = [undefined, undefined]

  const told = (signing: Pick<Signing, 'steps'>, outcome: SigningOutcome) => {
    if (outcome === 'success') {
      for (const { authorisationId } of signing.steps) {
        expect(bank.all().find(({ id }) => id === authorisationId)?.truth).toBe('signed')
      }
    }
  }
  const signings = async () =>
    await liveSignings({ ...context, database: gateway.context.database }, caller.partnerId, await targets(payments))
  const take = async (act: Act): Promise<void> => {
    switch (act.do) {
      case 'approve': {
        const asked = { payments, callbackUrl: CALLBACK, ...(life.byCode ? { preferredScaMethod: 'Qr' as const } : {}) }
        const { sca } = await approvePayments(context, caller, asked)
        links.push(...(sca?.type === 'redirect' ? [sca.url] : []))
        return
      }
      case 'read':
        for (const id of await approvalsOf(payments)) {
          await showApproval(context, caller, id)
        }
        return
      case 'sweep':
        for (const signing of await signings()) {
          await carryOn(context, kind, signing)
        }
        return
      case 'open the link': {
        const signing = await openByLink(context, addressOf(links.at(-1)))
        if (signing !== undefined) {
          const browser = {
            token: cookies[act.browser],
            ipAddress: '127.0.0.1',
            userAgent: 'test',
            language: 'en' as const,
          }
          const leaving = await leaveForBank(context, kind, signing, browser)
          cookies[act.browser] = 'browserToken' in leaving ? leaving.browserToken : cookies[act.browser]
          if (leaving.to === 'partner') {
            told(await again(context, signing), leaving.outcome)
          }
        }
        return
      }
      case 'come back': {
        const back = bank.all().at(-1)?.asked.back
        const address = addressOf(act.refused ? back?.failure : back?.success)
        const signing = await openByReturn(context, address)
        if (signing !== undefined) {
          const query = act.refused ? { error: 'access_denied' } : { code: 'x', status: 'success' }
          const comer = { returnToken: address.token, query, browserToken: cookies[act.browser] }
          const returned = await returnFromBank(context, kind, signing, comer)
          if (returned.at === 'end') {
            told(await again(context, signing), returned.outcome)
          }
        }
        return
      }
      case 'leave the page': {
        const signing = await openByLink(context, addressOf(links.at(-1)))
        if (signing !== undefined) {
          const outcome = await leaveSigning(context, kind, signing)
          told(await again(context, signing), outcome)
        }
        return
      }
      case 'decide':
        bank.decide(act.truth)
        return
      case 'pass':
        now = now.add({ seconds: act.seconds })
        return
      case 'bank':
        bank.silent = act.is === 'silent'
        bank.forgetful = act.is === 'forgetful'
        return
    }
  }

  for (const { acts: together, death } of [BEGINNING, ...life.steps]) {
    database.live(death)
    const outcomes = await Promise.allSettled(together.map(take))
    database.live(null)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !isExpected(outcome.reason)) {
        throw outcome.reason
      }
    }
    await checkApprovals(bank, payments, seen)
  }
  await comeToRest(context, bank, async () => {
    now = now.add({ seconds: 700 })
    await take({ do: 'sweep' })
    return (await signings()).length === 0
  })
  await checkApprovals(bank, payments, seen)
  expect([...seen.values()]).not.toContain('STARTED')
  await checkPayments(context, bank, payments)
}

/** The bank is there again; whatever was under way ends when its time is over. */
async function comeToRest(context: Context, bank: SigningBank, sweep: () => Promise<boolean>): Promise<void> {
  Object.assign(bank, { silent: false, forgetful: false })
  for (let round = 0; round < 12; round += 1) {
    if (await sweep()) {
      return
    }
  }
  throw new Error(`A signing never ends at ${context.config.baseUrl}`)
}

/** What has ended stays so, and each yes is the bank's. */
async function checkApprovals(
  bank: SigningBank,
  payments: readonly string[],
  seen: Map<string, string>,
): Promise<void> {
  const { rows } = await pool().query<{ id: string; status: string; result: string; bankPaymentId: string }>(
    `select a.id, a.status, p.result, p.bank_payment_id as "bankPaymentId" from approvals a
     join approval_payments p on p.partner_id = a.partner_id and p.approval_id = a.id where p.payment_id = any($1::uuid[])`,
    [payments],
  )
  for (const { id, status, result, bankPaymentId } of rows) {
    const before = seen.get(id) ?? 'STARTED'
    expect(before === 'STARTED' || before === status, `${before} became ${status}`).toBe(true)
    seen.set(id, status)
    if (status === 'ACCEPTED' || result === 'ACCEPTED') {
      expect(bank.isSigned(bankPaymentId)).toBe(true)
    }
  }
}

/** Nothing shows signed that is not, and what is signed does show so once the bank is read. */
async function checkPayments(context: Context, bank: SigningBank, ids: readonly string[]): Promise<void> {
  for (const payment of await findPaymentsOf(context, caller.partnerId, ids)) {
    const isSigned = bank.isSigned(payment.bankPaymentId ?? '')
    if (payment.status !== 'Unsigned' || payment.signed) {
      expect(isSigned).toBe(true)
    }
    const followed = await followPayment(context, payment)
    expect(followed.status).toBe(isSigned ? 'InProgress' : 'Unsigned')
  }
}

async function approvalsOf(payments: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool().query<{ id: string }>(
    'select distinct approval_id as id from approval_payments where payment_id = any($1::uuid[])',
    [payments],
  )
  return rows.map(({ id }) => id)
}

/** Payments, and the baskets that they were laid into. */
async function targets(payments: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool().query<{ id: string }>(
    'select distinct basket_id as id from approval_payments where payment_id = any($1::uuid[]) and basket_id is not null',
    [payments],
  )
  return [...payments, ...rows.map(({ id }) => id)]
}

async function again({ banks }: Context, signing: Signing): Promise<Signing> {
  const [kept] = (
    await pool().query<{ steps: Signing['steps'] }>(
      `select json_agg(json_build_object('authorisationId', authorisation_id) order by position) as steps
       from signing_steps where signing_id = $1`,
      [signing.id],
    )
  ).rows
  return banks === undefined ? signing : { ...signing, steps: kept?.steps ?? [] }
}

async function bankRow() {
  return (await gateway.context.banks.find('FJORNO22')) ?? expect.fail('The bank is not there')
}

function withBaskets<Found extends Awaited<ReturnType<Context['banks']['find']>>>(
  found: Found,
  isWanted: boolean,
): Found {
  if (found === undefined || !isWanted) {
    return found
  }
  return { ...found, profile: { ...found.profile, baskets: { max: 2, domesticOnly: true } } }
}

function addressOf(address: string | undefined): { partnerId: string; signingId: string; token: string } {
  const [, partnerId = '', signingId = '', token = ''] =
    /\/signing\/([^/]+)\/([^/]+)\/(?:return\/)?([^/?]+)/.exec(address ?? '') ?? []
  return { partnerId, signingId, token }
}

/** A refusal, an outage or a death is part of life. */
function isExpected(error: unknown): boolean {
  return error instanceof Death || error instanceof Refusal || error instanceof Invalid || error instanceof BankRefusal
}

test(`holds in ${LIVES} random lives of approvals`, { timeout: MILLISECONDS_MAX }, async () => {
  const seeds = Array.from({ length: SIDE_BY_SIDE }, () => fc.sample(fc.integer(), 1)[0] ?? 0)
  await Promise.all(
    seeds.map((seed) => fc.assert(fc.asyncProperty(lives, live), { numRuns: Math.ceil(LIVES / SIDE_BY_SIDE), seed })),
  )
})
