/** Tests the search of the audit log: partners, days, subjects and pages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { AUDIT_ACTIONS } from '../../gateway/operators/audit-actions.ts'
import { NO_PARTNER, searchAuditLog, writeAuditEntry } from '../../gateway/operators/audit-log.ts'
import { lowestIdAt } from '../../gateway/platform/ids.ts'
import { openFormBrowser } from '../../gateway/testing/browser/form-browser.ts'
import { nextPathOf, textOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { LIST_ROWS } from '../lists/next-page.ts'
import { CONSOLE_CATALOGUE } from '../texts/console-texts.ts'

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const { partner } = await createPartner(gateway.context, 'operator Test', { name: 'Audited' })
  partnerId = partner.id
  for (const [id, count] of [
    [partnerId, LIST_ROWS],
    [NO_PARTNER, 2],
  ] as const) {
    for (let n = 0; n < count; n += 1) {
      const subject = ['thing', `${n}`] as const
      await writeAuditEntry(gateway.context, {
        partnerId: id,
        actor: 'operator Test',
        action: 'task resolved',
        subject,
      })
    }
  }
})
afterAll(() => gateway.close())

const search = async (filter: Partial<Parameters<typeof searchAuditLog>[1]>, limit = 1_000) => {
  const all = { partnerId: null, subjectId: undefined, fromId: undefined, beforeId: undefined }
  return await searchAuditLog(gateway.context, { ...all, ...filter }, limit)
}

test('returns the latest entries first, of all partners and of Havn, of one partner, or of one subject', async () => {
  const [latest, ...rest] = await search({})
  expect([latest?.partnerName, latest?.subjectId]).toEqual([null, '1'])
  expect(rest.map(({ id }) => id)).toEqual(
    rest
      .map(({ id }) => id)
      .sort()
      .reverse(),
  )
  const ofPartner = await search({ partnerId })
  expect(ofPartner.length).toBeGreaterThan(LIST_ROWS)
  expect(new Set(ofPartner.map(({ partnerName }) => partnerName))).toEqual(new Set(['Audited']))
  expect((await search({ subjectId: '1' })).map(({ partnerName }) => partnerName)).toEqual([null, 'Audited'])
})

test('ends before an id, and begins at a time', async () => {
  const entries = await search({ partnerId })
  const before = await search({ partnerId, beforeId: entries[9]?.id }, 1)
  expect(before).toEqual([entries[10]])
  const tomorrow = gateway.context.clock.real().add({ hours: 24 })
  expect(await search({ fromId: lowestIdAt(tomorrow) })).toEqual([])
  expect((await search({ fromId: lowestIdAt(tomorrow.subtract({ hours: 48 })) })).length).toBeGreaterThan(LIST_ROWS)
})

test('has a sentence for every action', () => {
  expect(Object.keys(CONSOLE_CATALOGUE.audit.actions)).toEqual(
    AUDIT_ACTIONS.map((action) => action.replaceAll(' ', '-')),
  )
})

test('is paged, and the export has all rows of the filter', async () => {
  const browser = openFormBrowser(gateway)
  await browser.open('/console/sign-in')
  await browser.send('/console/sign-in', { user: 'operator-reader' })
  const first = await browser.open(`/console/audit?partner=${partnerId}`)
  const second = await browser.open(nextPathOf(first) ?? '')
  const rowsOf = (html: string) => html.match(/<td class="" data-column="What was done/g)?.length ?? 0
  const count = (await search({ partnerId })).length
  expect([rowsOf(first.html), rowsOf(second.html)]).toEqual([LIST_ROWS, count - LIST_ROWS])
  expect(second.html).not.toContain('rel="next"')
  expect(textOf(first)).toMatch(
    / Test resolved a task about 49 of partner Audited Details By operator Test Action task resolved /,
  )
  expect(textOf(second)).toContain(' Test created the partner Audited Details ')
  const { html: csv, headers } = await browser.open(`/console/audit.csv?partner=${partnerId}`)
  expect(csv.trim().split('\r\n')).toHaveLength(count + 1)
  expect(headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"')
})
