/** Tests the FX deals and inbound funds of the console, and operators' decisions on them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { deleteAllDeals } from '../../gateway/fx/testing/stored-deals.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { storeDeal, storeHeldFunds } from '../../gateway/testing/console/stored-deals.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  partnerId = (await createPartner(gateway.context, 'test', { name: 'Exchanging' })).partner.id
})
const clear = () => deleteAllDeals(gateway.context.database)
beforeEach(clear)
afterAll(async () => {
  // What the tests store has no postings in the ledger.
  await clear()
  await gateway.close()
})

type Role = Parameters<typeof signInAs>[1]

const open = async (path: string, role: Role = 'operator-reader') => await (await signInAs(gateway, role)).open(path)

/** Opens a page as an operator, and sends its form with a note by a double click; returns the answer to the second click. */
async function decide(path: string, action: string, fields: Readonly<Record<string, string>>) {
  const browser = await signInAs(gateway, 'operator')
  await browser.open(path)
  const click = () => browser.send(`${path}/${action}`, { note: 'Asked the bank', ...fields })
  const [, answer = expect.fail()] = await Promise.all([click(), click()])
  return answer
}

const rowOf = async (table: string, id: string) =>
  (await gateway.context.database.pool.query(`select * from ${table} where id = $1`, [id])).rows[0]
const auditOf = async (id: string) =>
  (await gateway.context.database.pool.query('select actor, action, detail from audit_log where subject_id = $1', [id]))
    .rows

it('open deals and funds are listed, and have pages', async () => {
  expect(textOf(await open('/console/deals'))).toMatch(/No FX deal is open\. .*No inbound funds are open\./)
  const [deal, funds] = [await storeDeal(gateway, partnerId), await storeHeldFunds(gateway, partnerId)]
  const list = textOf(await open('/console/deals')).replaceAll('\u00a0', ' ')
  expect(list).toContain(`${deal} booking 0 min 0 90,00 NOK 8,00 EUR`)
  expect(list).toContain(
    `${funds} held (unknown) The funds name no quote of Havn, or one whose deal may be lost. More 0 min 0 12,50 NOK`,
  )
  const page = await open(`/console/deals/${deal}`)
  expect(textOf(page)).toContain('The ledger has no entries of this deal.')
  expect(page.html).not.toContain('<form class="form"')
  expect(textOf(await open(`/console/deals/funds/${funds}`))).toContain('From a friend')
  for (const path of [newId(), 'nonsense', `funds/${newId()}`]) {
    expect((await open(`/console/deals/${path}`)).status).toBe(404)
  }
})

describe('a decision', () => {
  it('cancels a deal, and is in the audit log with its note', async () => {
    const deal = await storeDeal(gateway, partnerId)
    const answer = await decide(`/console/deals/${deal}`, 'cancel', { seen: 'booking' })
    expect(textOf(answer)).toContain('To be cancelled because operator')
    expect(answer.html).not.toContain('/cancel"')
    expect(await auditOf(deal)).toEqual([
      { actor: 'operator Bjørn Moe (sandbox operator)', action: 'deal cancelled', detail: { note: 'Asked the bank' } },
    ])
  })

  it('calls the provider at once, while the deal is open', async () => {
    const deal = await storeDeal(gateway, partnerId)
    const due = gateway.context.clock.now().add({ hours: 1 }).toString()
    await gateway.context.database.pool.query('update fx_deals set due_at = $2 where id = $1', [deal, due])
    const browser = await signInAs(gateway, 'operator')
    await browser.open(`/console/deals/${deal}`)
    expect((await browser.send(`/console/deals/${deal}/retry`)).html).toContain('/retry"')
    const { due_at } = await rowOf('fx_deals', deal)
    expect(Temporal.Instant.compare(due_at, due)).toBe(-1)
    expect(await auditOf(deal)).toEqual([
      { actor: 'operator Bjørn Moe (sandbox operator)', action: 'deal tried again', detail: {} },
    ])
    await gateway.context.database.pool.query(`update fx_deals set state = 'cancelled' where id = $1`, [deal])
    expect((await browser.open(`/console/deals/${deal}`)).html).not.toContain('/retry"')
    expect((await browser.send(`/console/deals/${newId()}/retry`)).status).toBe(404)
  })

  it('records a refund of a returned payout', async () => {
    const deal = await storeDeal(gateway, partnerId, 'returned')
    await gateway.context.database.pool.query('update fx_deals set returned_minor = 800 where id = $1', [deal])
    await decide(`/console/deals/${deal}`, 'refunded', { seen: 'returned' })
    expect((await rowOf('fx_deals', deal)).state).toBe('refunded')
  })

  it('returns held funds, or records them as our own', async () => {
    const [returned, kept] = [await storeHeldFunds(gateway, partnerId), await storeHeldFunds(gateway, partnerId)]
    const seen = 'held (unknown)'
    await decide(`/console/deals/funds/${returned}`, 'send-back', { seen })
    expect((await rowOf('fx_inbound_funds', returned)).state).toBe('returning')
    const answer = await decide(`/console/deals/funds/${kept}`, 'keep', { seen })
    expect((await rowOf('fx_inbound_funds', kept)).state).toBe('used')
    expect(answer.html).not.toContain('<form class="form"')
  })

  it('changes nothing without a note, after the state has changed, or where it is not possible', async () => {
    const deal = await storeDeal(gateway, partnerId, 'funded')
    const path = `/console/deals/${deal}`
    const stale = await decide(path, 'cancel', { seen: 'booked' })
    expect([stale.status, textOf(stale)]).toEqual([
      409,
      expect.stringContaining('the state was booked when you opened this page, and is funded now'),
    ])
    expect(textOf(await decide(path, 'cancel', { seen: 'funded' }))).toContain('it can no longer be cancelled')
    expect(await decide(path, 'cancel', { seen: 'funded', note: ' ' })).toMatchObject({ status: 422 })
    expect((await rowOf('fx_deals', deal)).state).toBe('funded')
    expect(await auditOf(deal)).toEqual([])
  })
})
