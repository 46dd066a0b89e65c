/** Tests that the check finds every kind of discrepancy in the ledger, and the exit code of `havn ledger check`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runHavnCommand } from '../../testing/gateway/havn-command.ts'
import { bookDeal } from '../deals/book-deal.ts'
import { confirmDeal } from '../deals/change-deal.ts'
import { recordInboundFunds } from '../funding/record-inbound-funds.ts'
import type { Deal } from '../store/deal.ts'
import { bookingRequest } from '../testing/deal-samples.ts'
import { type FxFixture, openFxFixture } from '../testing/fx-fixture.ts'
import { deleteAllDeals } from '../testing/stored-deals.ts'
import { checkLedger, postLedgerEntry } from './ledger.ts'

let fixture: FxFixture
let deal: Deal
beforeAll(async () => {
  fixture = await openFxFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  const { context, provider, clock } = fixture
  await deleteAllDeals(context.database)
  deal = await confirmDeal(context, (await bookDeal(context, await bookingRequest(context))).deal, clock.now())
  const id = provider.arrive({ amount: deal.cost, reference: deal.referenceCode, receivedAt: clock.now() })
  await recordInboundFunds(context, provider.name, await provider.readInboundFunds(id))
})

async function spoil(statement: string): Promise<void> {
  await fixture.context.database.pool.query(statement)
}

async function found(): Promise<readonly string[]> {
  const [found, paged] = [
    await checkLedger(fixture.context.database),
    // Each page ends within the lines of a deal, which are checked together all the same.
    await checkLedger(fixture.context.database, 2),
  ]
  expect(paged).toEqual(expect.arrayContaining([...found]))
  expect(paged).toHaveLength(found.length)
  return [...new Set(found.map(({ what }) => what))]
}

/** The exit code, and both outputs of a command. */
async function havn(...words: string[]): Promise<{ code: number; out: string }> {
  const env = { DATABASE_URL: fixture.context.config.databaseUrl, HAVN_OPERATOR: 'Ingrid' }
  const { code, out, error } = await runHavnCommand(words, env)
  return { code, out: out + error }
}

describe('the check of the ledger', () => {
  it('finds nothing in what the gateway has written', async () => {
    expect(await found()).toEqual([])
  })

  it.each([
    [
      'an amount that was changed',
      `update fx_ledger_lines set minor = minor + 1 where event = 'booked' and account = 'payer'`,
      'the entry does not balance',
    ],
    ['a missing line', `delete from fx_ledger_lines where account = 'receiver'`, 'the entry does not balance'],
    ['a missing deal', 'delete from fx_deals', 'there is no such deal or receipt'],
    ['a deal that was closed manually', `update fx_deals set state = 'paid'`, 'closed, and receiver is not at zero'],
    [
      'an event that was never posted',
      `delete from fx_ledger_lines where event = 'funded'`,
      'deal is funded, and the ledger says booked',
    ],
    [
      'funds that are missing in the ledger',
      `delete from fx_ledger_lines where subject_id in (select id from fx_inbound_funds)`,
      'receipt is used, and the ledger says nothing',
    ],
  ])('finds %s', async (_what, statement, finding) => {
    await spoil(statement)
    expect(await found()).toContain(finding)
  })

  it('never sees an unbalanced entry: it cannot be stored', async () => {
    const line = { subjectId: deal.id, account: 'payer', minor: 1n, currency: 'NOK' } as const
    const entry = { partnerId: deal.partnerId, event: 'paid', at: fixture.clock.now(), lines: [line] } as const
    await expect(postLedgerEntry(fixture.context.database, entry)).rejects.toThrow('does not balance in NOK')
    expect(await found()).toEqual([])
  })

  it('posts an event once, however often it is retried', async () => {
    const one = { subjectId: deal.id, minor: 1n, currency: 'NOK' }
    const lines = [
      { ...one, account: 'payer' },
      { ...one, account: 'provider', minor: -1n },
    ] as const
    const entry = { partnerId: deal.partnerId, event: 'booked', at: fixture.clock.now(), lines } as const
    await expect(postLedgerEntry(fixture.context.database, entry)).rejects.toThrow('fx_ledger_lines_pkey')
  })
})

describe('havn ledger check', () => {
  it('exits with 0 when all balances, and with 1 and the findings otherwise', async () => {
    expect(await havn('ledger', 'check')).toEqual({ code: 0, out: 'The ledger balances.\n' })
    await spoil(`update fx_ledger_lines set minor = minor + 1 where event = 'booked' and account = 'payer'`)
    const { code, out } = await havn('ledger', 'check')
    expect(code).toBe(1)
    expect(out).toContain('0.01 NOK  the entry does not balance')
  })
})

describe('havn deal', () => {
  it('lists open deals, shows one completely, and rejects one that has gone too far', async () => {
    expect((await havn('deal', 'list')).out).toContain(`${deal.id}  deal  funded`)
    const shown = (await havn('deal', 'show', deal.id)).out
    expect(shown).toMatch(/the payer pays +90\.00 NOK/)
    expect(shown).toMatch(/funded {2}receiver|booked {2}receiver {2}-9\.00 USD/)
    expect(shown).not.toContain('Acme')
    expect(await havn('deal', 'cancel', deal.id, '--note', 'No money')).toEqual({
      code: 1,
      out: 'havn: The deal is funded: it can no longer be cancelled\n',
    })
    expect((await havn('deal', 'refunded', deal.id, '--note', 'Paid')).out).toContain('there is nothing to refund')
    expect((await havn('deal', 'show', 'x')).out).toBe('havn: x is not a deal id; havn deal list prints the ids\n')
  })

  it('fails a deal whose funds do not arrive, and records who decided it', async () => {
    const { context, clock } = fixture
    const confirmed = await confirmDeal(
      context,
      (await bookDeal(context, await bookingRequest(context))).deal,
      clock.now(),
    )
    expect((await havn('deal', 'cancel', confirmed.id, '--note', 'The bank lost it')).code).toBe(0)
    expect((await havn('deal', 'retry', confirmed.id)).out).toContain('The deal is cancelling')
    const { rows } = await context.database.pool.query(
      'select actor, action, detail from audit_log where subject_id = $1 order by id',
      [confirmed.id],
    )
    expect(rows).toEqual([
      { actor: 'system user Ingrid', action: 'deal cancelled', detail: { note: 'The bank lost it' } },
      { actor: 'system user Ingrid', action: 'deal tried again', detail: {} },
    ])
  })
})
