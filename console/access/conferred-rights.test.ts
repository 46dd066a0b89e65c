/** Guarantees that no user acts on a credential whose rights they lack, and that only administrators grant rights. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeClientPermission } from '../../gateway/auth/client-permissions.ts'
import { createClient } from '../../gateway/auth/create-partner.ts'
import { CONSOLE_ROLES, type ConsoleRole } from '../../gateway/config/console-roles.ts'
import { routesOfConsole } from '../../gateway/testing/console/console-routes.ts'
import { createConsoleSubjects } from '../../gateway/testing/console/console-subjects.ts'
import { signInAs } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { openInbox } from '../../gateway/webhooks/inbox/inbox.ts'
import { createSubscription } from '../../gateway/webhooks/subscriptions/create-subscription.ts'
import { hasRights, rightsOfClient } from './conferred-rights.ts'
import { CONSOLE_PERMISSIONS, type ConsolePermission, isPermitted } from './console-role.ts'

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  const found = await gateway.context.database.pool.query(
    `select partner_id from clients where client_id = 'demo-partner'`,
  )
  partnerId = found.rows[0].partner_id
})
afterAll(() => gateway.close())

const sql = async (text: string, values: readonly unknown[]) =>
  (await gateway.context.database.pool.query(text, [...values])).rows

/** A new one each time, because some of the actions end it. */
async function createPayrollClient(): Promise<string> {
  const { clientId } = await createClient(gateway.context, 'test', { id: partnerId })
  await changeClientPermission(gateway.context, 'test', clientId, ['payroll', true])
  return `/console/credentials/${clientId}`
}

async function createPayrollSubscription(): Promise<string> {
  const body = { targetUrl: 'https://partner.example/', eventTypes: ['PAYROLL_STATUS_COMPLETED' as const] }
  return `/console/webhooks/${(await createSubscription(gateway.context, { partnerId }, body)).id}`
}

async function subscribeInboxToPayrolls(): Promise<string> {
  const body = { targetUrl: await openInbox(gateway.context, partnerId), eventTypes: ['PAYROLL_STATUS' as const] }
  await createSubscription(gateway.context, { partnerId }, body)
  return '/console/inbox'
}

type Action = readonly [
  subject: () => Promise<string>,
  path: string,
  rights: readonly ConsolePermission[],
  fields?: Record<string, string>,
]
const OF_CLIENT = ['developer.act', 'payroll.read', 'payroll.act'] as const
const OF_SUBSCRIPTION = ['developer.act', 'payroll.read'] as const
const list = (path: string) => async () => path

/** What is done to a credential, and the rights that it confers. */
const ACTIONS: readonly Action[] = [
  [createPayrollClient, '/rotate', OF_CLIENT, { overlapDays: '0' }],
  [createPayrollClient, '/revoke-former', OF_CLIENT],
  [createPayrollClient, '/disable', OF_CLIENT],
  [list('/console/credentials'), '', ['developer.act']],
  ...['/rotate-secret', '/test', '/replay', '/pause', '/resume', '/disable'].map(
    (path): Action => [createPayrollSubscription, path, OF_SUBSCRIPTION, { from: '2026-11-01', to: '' }],
  ),
  [subscribeInboxToPayrolls, '/test', OF_SUBSCRIPTION],
  ...['PAYROLL_STATUS', 'PAYROLL_TRANSACTION_STATUS_REJECTED'].map(
    (eventType): Action => [
      list('/console/webhooks'),
      '',
      OF_SUBSCRIPTION,
      { eventType, targetUrl: 'https://partner.example/' },
    ],
  ),
]

test('every role acts on the credentials of which it has the rights, and on no others', async () => {
  for (const role of CONSOLE_ROLES) {
    const browser = await signInAs(gateway, role)
    const { html } = await browser.open('/console/sessions')
    const formToken = /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? ''
    for (const [subject, path, rights, fields] of ACTIONS) {
      const place = await subject()
      const form = new URLSearchParams({ formToken, partner: partnerId, ...fields })
      const { status } = await browser.post(`${place}${path}`, form)
      const label = `${role}: ${place}${path} ${JSON.stringify(fields)} is ${status}`
      expect(status === 403, label).toBe(!rights.every((right) => isPermitted([role], right)))
    }
  }
})

test('a rejected rotation changes nothing, and its form is not offered', async () => {
  const place = await createPayrollClient()
  const browser = await signInAs(gateway, 'partner-developer')
  const shown = await browser.open(place)
  expect(shown.html).not.toContain('/rotate"')
  const formToken = /name="formToken" value="([^"]+)"/.exec(shown.html)?.[1] ?? ''
  await browser.post(`${place}/rotate`, new URLSearchParams({ formToken, overlapDays: '0' }))
  const clientId = place.split('/').at(-1)
  expect(await sql('select secret_number from clients where client_id = $1', [clientId])).toEqual([
    { secret_number: 1 },
  ])
})

test('roles of one user add up: a developer with the payroll role rotates payroll credentials', () => {
  const roles: readonly ConsoleRole[] = ['partner-developer', 'partner-payroll']
  const viewer = { session: { roles } } as Parameters<typeof hasRights>[0]
  expect(hasRights(viewer, rightsOfClient({ payroll: true }))).toBe(true)
})

/** Who passes the check of a route that changes what others may do; the subjects exist, and the forms are empty. */
test('no operator but administrators grants a right: to partners, credentials, companies or users', async () => {
  const subjects = await createConsoleSubjects(gateway, partnerId)
  const granting = routesOfConsole(gateway).filter(
    ({ method, path }) => method === 'POST' && /^\/console\/(partners|users)/.test(path),
  )
  expect(granting.length).toBeGreaterThan(12)
  for (const role of ['operator', 'operator-reader', 'partner-developer'] as const) {
    const browser = await signInAs(gateway, role)
    const { html } = await browser.open('/console/sessions')
    const formToken = /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? ''
    for (const { path } of granting) {
      const place = path.replaceAll(/:(\w+)/g, (_parameter, name: string) => subjects[name] ?? '')
      expect((await browser.post(place, new URLSearchParams({ formToken, to: 'on' }))).status, place).toBe(403)
    }
    const page = await browser.open(`/console/partners/${partnerId}`)
    expect(page.html).not.toMatch(/action="[^"]*\/(permissions|payroll|callback-origins|disable|end)"/)
  }
})

test('an administrator has every right that a role confers, so that every invitation is within theirs', () => {
  for (const permission of CONSOLE_PERMISSIONS) {
    expect(isPermitted(['operator-administrator'], permission), permission).toBe(true)
  }
})
